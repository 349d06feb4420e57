package lua

import (
	"math"
	"math/bits"
)

// Table is a Lua table: an array for the keys 1 to n and a hash for the rest,
// with the collision and growth rules of Lua 5.1, which pairs and # make visible.
type Table struct {
	array    []Value
	node     []node // a power of two of them, or none
	lastFree int    // all positions from here on are taken
	meta     *Table
	readonly bool
	id       uint32 // names the table in messages and places it as a key
	mark     uint32 // of the last census that met it
	account  *Budget
}

// node is a slot of the hash. Its place in a chain of colliding keys stays when
// the value goes.
type node struct {
	key, value Value
	next       int32 // 1 + index of the next in the chain, 0 at its end
}

// What a table takes of a script's memory.
const (
	tableBytes = 64
	slotBytes  = 16
	nodeBytes  = 40
)

const (
	maxArrayBits = 26
	maxArray     = 1 << maxArrayBits
)

// SetReadonly makes every write to the table an error, or allows them again.
func (t *Table) SetReadonly(on bool) { t.readonly = on }

// Readonly tells whether writes are errors.
func (t *Table) Readonly() bool { return t.readonly }

// Metatable is the table's metatable, nil without one.
func (t *Table) Metatable() *Table { return t.meta }

// SetMetatable gives the table a metatable; nil takes it away.
func (t *Table) SetMetatable(meta *Table) { t.meta = meta }

// Get reads a field without asking the metatable.
func (t *Table) Get(key Value) Value {
	switch ref := key.ref.(type) {
	case *text:
		return t.getText(ref)
	case numberTag:
		if i := toInt32(key.num); float64(i) == key.num {
			return t.GetInt(int(i))
		}
	case nil:
		return Nil
	}
	if n := t.find(key); n != nil {
		return n.value
	}
	return Nil
}

// GetInt reads a field with an integer key.
func (t *Table) GetInt(i int) Value {
	if uint(i-1) < uint(len(t.array)) {
		return t.array[i-1]
	}
	if n := t.find(Int(i)); n != nil {
		return n.value
	}
	return Nil
}

// GetString reads a field with a string key.
func (t *Table) GetString(key string) Value { return t.getText(&text{s: key}) }

func (t *Table) getText(key *text) Value {
	if len(t.node) == 0 {
		return Nil
	}
	i := key.hashOf() & uint32(len(t.node)-1)
	for {
		n := &t.node[i]
		if k, ok := n.key.ref.(*text); ok && (k == key || k.s == key.s) {
			return n.value
		}
		if n.next == 0 {
			return Nil
		}
		i = uint32(n.next - 1)
	}
}

// find is the node of a key, nil if there is none.
func (t *Table) find(key Value) *node {
	if len(t.node) == 0 {
		return nil
	}
	for i := t.mainPosition(key); ; {
		n := &t.node[i]
		if RawEqual(n.key, key) {
			return n
		}
		if n.next == 0 {
			return nil
		}
		i = int(n.next - 1)
	}
}

// mainPosition is where a key belongs by its hash.
func (t *Table) mainPosition(key Value) int {
	mask := uint32(len(t.node) - 1)
	var id uint32
	switch ref := key.ref.(type) {
	case *text:
		return int(ref.hashOf() & mask)
	case numberTag:
		if key.num == 0 {
			return 0
		}
		b := math.Float64bits(key.num)
		return int((uint32(b) + uint32(b>>32)) % (mask | 1))
	case bool:
		if ref {
			return int(1 & mask)
		}
		return 0
	case *Table:
		id = ref.id
	case *Function:
		id = ref.id
	case *State:
		id = ref.id
	case *Userdata:
		id = ref.id
	}
	// An object's place depends on its address, which its number stands for.
	return int(id * 16 % (mask | 1))
}

// slot is where the value of a key is, nil if the table does not have the key.
func (t *Table) slot(key Value) *Value {
	if key.isNumber() {
		if i := toInt32(key.num); float64(i) == key.num && uint32(i-1) < uint32(len(t.array)) {
			return &t.array[i-1]
		}
	}
	if n := t.find(key); n != nil {
		return &n.value
	}
	return nil
}

// Set writes a field without asking the metatable. The key must be neither nil
// nor not-a-number.
func (t *Table) Set(key, value Value) { *t.place(key) = value }

// SetInt writes a field with an integer key.
func (t *Table) SetInt(i int, value Value) {
	if uint(i-1) < uint(len(t.array)) {
		t.array[i-1] = value
		return
	}
	*t.place(Int(i)) = value
}

// SetString writes a field with a string key.
func (t *Table) SetString(key string, value Value) { *t.place(Name(key)) = value }

// place is the slot of a key, made if it is not there.
func (t *Table) place(key Value) *Value {
	if s := t.slot(key); s != nil {
		return s
	}
	return t.newKey(key)
}

// newKey inserts a key. If its main position is taken by a key that belongs
// elsewhere, that one moves to a free position; else the new key goes there.
func (t *Table) newKey(key Value) *Value {
	if len(t.node) == 0 {
		t.rehash(key)
		return t.place(key)
	}
	main := t.mainPosition(key)
	mp := &t.node[main]
	if mp.value.ref != nil {
		free := t.freePosition()
		if free < 0 {
			t.rehash(key)
			return t.place(key)
		}
		other := t.mainPosition(mp.key)
		n := &t.node[free]
		if other != main {
			for int(t.node[other].next-1) != main {
				other = int(t.node[other].next - 1)
			}
			t.node[other].next = int32(free + 1)
			*n = *mp
			mp.next = 0
			mp.value = Nil
		} else {
			n.next = mp.next
			mp.next = int32(free + 1)
			mp = n
		}
	}
	mp.key = key
	return &mp.value
}

func (t *Table) freePosition() int {
	for t.lastFree > 0 {
		t.lastFree--
		if t.node[t.lastFree].key.ref == nil {
			return t.lastFree
		}
	}
	return -1
}

// Next is the field after a key in the order of pairs; the first one after nil.
// more is false after the last one, ok is false if the table has no such key.
func (t *Table) Next(key Value) (k, v Value, more, ok bool) {
	i, ok := t.indexOf(key)
	if !ok {
		return Nil, Nil, false, false
	}
	k, v, _, more = t.nextFrom(i)
	return k, v, more, true
}

// nextFrom is the first field at or after a place in the order of pairs, and the
// place after it.
func (t *Table) nextFrom(i int) (k, v Value, at int, more bool) {
	for ; i < len(t.array); i++ {
		if t.array[i].ref != nil {
			return Int(i + 1), t.array[i], i + 1, true
		}
	}
	for i -= len(t.array); i < len(t.node); i++ {
		if n := &t.node[i]; n.value.ref != nil {
			return n.key, n.value, i + len(t.array) + 1, true
		}
	}
	return Nil, Nil, 0, false
}

// All are the fields in the order of pairs. The table must not get new keys
// meanwhile.
func (t *Table) All(yield func(k, v Value) bool) {
	for i := 0; ; {
		k, v, next, more := t.nextFrom(i)
		if !more || !yield(k, v) {
			return
		}
		i = next
	}
}

// indexOf is the place after a key in the order of pairs.
func (t *Table) indexOf(key Value) (int, bool) {
	if key.ref == nil {
		return 0, true
	}
	if key.isNumber() {
		if i := toInt32(key.num); float64(i) == key.num && uint32(i-1) < uint32(len(t.array)) {
			return int(i), true
		}
	}
	if len(t.node) == 0 {
		return 0, false
	}
	for i := t.mainPosition(key); ; {
		n := &t.node[i]
		if RawEqual(n.key, key) {
			return i + len(t.array) + 1, true
		}
		if n.next == 0 {
			return 0, false
		}
		i = int(n.next - 1)
	}
}

// Len is a border of the table, what # gives: which of several depends on how
// the table grew.
func (t *Table) Len() int {
	j := len(t.array)
	if j > 0 && t.array[j-1].ref == nil {
		i := 0
		for j-i > 1 {
			m := (i + j) / 2
			if t.array[m-1].ref == nil {
				j = m
			} else {
				i = m
			}
		}
		return i
	}
	if len(t.node) == 0 {
		return j
	}
	return t.searchBorder(j)
}

func (t *Table) searchBorder(j int) int {
	i := j
	j++
	for t.GetInt(j).ref != nil {
		i = j
		j *= 2
		if j > math.MaxInt32 {
			for i = 1; t.GetInt(i).ref != nil; {
				i++
			}
			return i - 1
		}
	}
	for j-i > 1 {
		m := (i + j) / 2
		if t.GetInt(m).ref == nil {
			j = m
		} else {
			i = m
		}
	}
	return i
}

// ceilLog2 is the smallest n with 2^n >= x.
func ceilLog2(x int) int { return bits.Len(uint(x - 1)) }
