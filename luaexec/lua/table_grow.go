package lua

// counts says how many integer keys lie in each slice (2^(i-1), 2^i].
type counts [maxArrayBits + 1]int

// add counts a key that could live in the array.
func (c *counts) add(key Value) int {
	if !key.isNumber() {
		return 0
	}
	k := toInt32(key.num)
	if float64(k) != key.num || k <= 0 || k > maxArray {
		return 0
	}
	c[ceilLog2(int(k))]++
	return 1
}

// best is the largest size of an array that would be more than half full, and
// how many of the n keys would go there.
func (c *counts) best(n int) (size, used int) {
	sum := 0
	for i, power := 0, 1; power/2 < n; i, power = i+1, power*2 {
		if c[i] > 0 {
			sum += c[i]
			if sum > power/2 {
				size, used = power, sum
			}
		}
		if sum == n {
			break
		}
	}
	return size, used
}

// rehash makes the table large enough for one more key.
func (t *Table) rehash(extra Value) {
	var c counts
	integers := t.countArray(&c)
	total := integers
	for i := range t.node {
		if n := &t.node[i]; n.value.ref != nil {
			integers += c.add(n.key)
			total++
		}
	}
	integers += c.add(extra)
	total++
	size, used := c.best(integers)
	t.resize(size, total-used)
}

func (t *Table) countArray(c *counts) int {
	all, i := 0, 1
	for slice, power := 0, 1; slice <= maxArrayBits; slice, power = slice+1, power*2 {
		limit := power
		if limit > len(t.array) {
			limit = len(t.array)
			if i > limit {
				break
			}
		}
		n := 0
		for ; i <= limit; i++ {
			if t.array[i-1].ref != nil {
				n++
			}
		}
		c[slice] += n
		all += n
	}
	return all
}

// resize moves everything into an array and a hash of the given sizes.
func (t *Table) resize(arraySize, hashSize int) {
	nodes := 0
	if hashSize > 0 {
		nodes = 1 << ceilLog2(hashSize)
	}
	if t.account != nil {
		t.account.allocate(max(arraySize-len(t.array), 0)*slotBytes + nodes*nodeBytes)
	}
	oldArray, oldNode := t.array, t.node
	if arraySize > len(oldArray) {
		t.array = make([]Value, arraySize)
		copy(t.array, oldArray)
	}
	t.node = nil
	if nodes > 0 {
		t.node = make([]node, nodes)
	}
	t.lastFree = nodes
	if arraySize < len(oldArray) {
		t.array = append([]Value(nil), oldArray[:arraySize]...)
		for i := arraySize; i < len(oldArray); i++ {
			if v := oldArray[i]; v.ref != nil {
				t.SetInt(i+1, v)
			}
		}
	}
	for i := len(oldNode) - 1; i >= 0; i-- {
		if n := &oldNode[i]; n.value.ref != nil {
			*t.place(n.key) = n.value
		}
	}
}

// growArray makes room for the keys 1 to n, as a constructor does.
func (t *Table) growArray(n int) {
	if n > len(t.array) {
		t.resize(n, len(t.node))
	}
}
