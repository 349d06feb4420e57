package lua

import (
	"math"
	"math/bits"
	"slices"
)

// Table is a table as Lua 5.1 keeps it: an array, and a hash whose collisions are
// chained inside of it (Brent's variation). What # answers and the order of pairs
// follow from it, so it is the same to the last step.
type Table struct {
	array []Value
	nodes []node
	free  int // nodes from here on are taken

	meta     *Table
	readOnly bool
	identity
	bounds *shared // of the state that made it
}

type node struct {
	key, value Value // a key whose value is nil is not there, but keeps its place
	next       int   // 1 + the index of the next node of the chain
}

// The sizes in bytes of what a table is made of.
const (
	sizeOfTable = 128
	sizeOfValue = 24 // a number takes 8 of its own
	sizeOfNode  = 56
)

// Metatable is the table's metatable, nil without one.
func (t *Table) Metatable() *Table { return t.meta }

// SetMetatable changes the metatable; nil takes it away.
func (t *Table) SetMetatable(meta *Table) { t.meta = meta }

// ReadOnly tells whether code can change the table.
func (t *Table) ReadOnly() bool { return t.readOnly }

// SetReadOnly makes code able to change the table, or not.
func (t *Table) SetReadOnly(readOnly bool) { t.readOnly = readOnly }

// IsArray tells whether the table is nothing but an array for n values.
func (t *Table) IsArray(n int) bool {
	return len(t.array) == n && len(t.nodes) == 0 && t.meta == nil && !t.readOnly
}

// Get reads a field. Metatables are not asked, as with all methods of a table.
func (t *Table) Get(key Value) Value {
	switch key := key.(type) {
	case string:
		return t.getString(key, hashOf(key))
	case float64:
		if i := int(key); float64(i) == key {
			return t.GetInt(i)
		}
	case nil:
		return nil
	}
	return t.getAny(key)
}

// GetInt reads the field of a whole number.
func (t *Table) GetInt(i int) Value {
	if uint(i-1) < uint(len(t.array)) {
		return t.array[i-1]
	}
	if len(t.nodes) == 0 {
		return nil
	}
	return t.getAny(float64(i))
}

// GetString reads the field of a string.
func (t *Table) GetString(key string) Value { return t.getString(key, hashOf(key)) }

func (t *Table) getString(key string, hash uint32) Value {
	if len(t.nodes) == 0 {
		return nil
	}
	i := int(hash) & (len(t.nodes) - 1)
	for steps := 0; ; steps++ {
		n := &t.nodes[i]
		if s, ok := n.key.(string); ok && s == key {
			t.walked(steps)
			return n.value
		}
		if n.next == 0 {
			t.walked(steps)
			return nil
		}
		i = n.next - 1
	}
}

func (t *Table) getAny(key Value) Value {
	if i := t.find(key); i >= 0 {
		return t.nodes[i].value
	}
	return nil
}

// find is the index of the node of a key, -1 if there is none.
func (t *Table) find(key Value) int {
	if len(t.nodes) == 0 {
		return -1
	}
	i := t.position(key)
	for steps := 0; ; steps++ {
		if t.nodes[i].key == key {
			t.walked(steps)
			return i
		}
		if t.nodes[i].next == 0 {
			t.walked(steps)
			return -1
		}
		i = t.nodes[i].next - 1
	}
}

// walked charges for a chain, which is long only if code took care that it is.
func (t *Table) walked(steps int) {
	if steps > 16 && t.bounds != nil {
		t.bounds.Charge(int64(steps))
	}
}

// Set writes a field. The key is neither nil nor NaN.
func (t *Table) Set(key, value Value) { *t.slot(key) = value }

// SetInt writes the field of a whole number.
func (t *Table) SetInt(i int, value Value) {
	if uint(i-1) < uint(len(t.array)) {
		t.array[i-1] = value
		return
	}
	*t.slot(Int(i)) = value
}

// SetString writes the field of a string.
func (t *Table) SetString(key string, value Value) { *t.slot(key) = value }

// slot is where the value of a key is, which is made for it if need be. It is
// there until the next key is new.
func (t *Table) slot(key Value) *Value {
	if f, ok := key.(float64); ok {
		if i := arrayIndex(f); i > 0 && i <= len(t.array) {
			return &t.array[i-1]
		}
	}
	if i := t.find(key); i >= 0 {
		return &t.nodes[i].value
	}
	return t.newKey(key)
}

// newKey makes a node for a key that has none. If its place is taken by a key that
// does not belong there, that one moves; if it does, the new one goes elsewhere.
func (t *Table) newKey(key Value) *Value {
	if len(t.nodes) == 0 {
		t.rehash(key)
		return t.slot(key)
	}
	at := t.position(key)
	if t.nodes[at].value != nil {
		free := t.freeNode()
		if free < 0 {
			t.rehash(key)
			return t.slot(key)
		}
		if other := t.position(t.nodes[at].key); other != at {
			for t.nodes[other].next-1 != at {
				other = t.nodes[other].next - 1
			}
			t.nodes[other].next = free + 1
			t.nodes[free] = t.nodes[at]
			t.nodes[at] = node{}
		} else {
			t.nodes[free].next = t.nodes[at].next
			t.nodes[at].next = free + 1
			at = free
		}
	}
	t.nodes[at].key = key
	return &t.nodes[at].value
}

func (t *Table) freeNode() int {
	for t.free > 0 {
		t.free--
		if t.nodes[t.free].key == nil {
			return t.free
		}
	}
	return -1
}

const maxArrayBits = 26

// arrayIndex is a number that could be an index of the array, else 0.
func arrayIndex(f float64) int {
	if i := int(f); i > 0 && i <= 1<<maxArrayBits && float64(i) == f {
		return i
	}
	return 0
}

// rehash makes room for one more key: an array that is more than half full, and a
// hash for the rest.
func (t *Table) rehash(extra Value) {
	var slices [maxArrayBits + 1]int // of the keys, those from 2^(i-1)+1 to 2^i
	integers, total := 0, 1
	count := func(i int) {
		if i > 0 {
			slices[bits.Len(uint(i-1))]++
			integers++
		}
	}
	for i, v := range t.array {
		if v != nil {
			count(i + 1)
			total++
		}
	}
	for i := range t.nodes {
		if t.nodes[i].value == nil {
			continue
		}
		total++
		if f, ok := t.nodes[i].key.(float64); ok {
			count(arrayIndex(f))
		}
	}
	if f, ok := extra.(float64); ok {
		count(arrayIndex(f))
	}
	size, inArray, sum := 0, 0, 0
	for i, power := 0, 1; power/2 < integers; i, power = i+1, power*2 {
		sum += slices[i]
		if slices[i] > 0 && sum > power/2 {
			size, inArray = power, sum
		}
		if sum == integers {
			break
		}
	}
	t.resize(size, total-inArray)
}

// resize makes the array and the hash for so many keys.
func (t *Table) resize(array, hash int) {
	oldArray, oldNodes := t.array, t.nodes
	size := 0
	if hash > 0 {
		size = 1 << bits.Len(uint(hash-1))
	}
	if t.bounds != nil {
		t.bounds.Take(max(array-len(oldArray), 0)*sizeOfValue + size*sizeOfNode)
		t.bounds.Charge(int64(len(oldNodes)+len(oldArray)+array+size) / 8)
	}
	if array > len(oldArray) {
		t.array = make([]Value, array)
		copy(t.array, oldArray)
	}
	t.nodes, t.free = nil, 0
	if size > 0 {
		t.nodes, t.free = make([]node, size), size
	}
	if array < len(oldArray) {
		t.array = append([]Value(nil), oldArray[:array]...)
		for i, v := range oldArray[array:] {
			if v != nil {
				*t.slot(Int(array + i + 1)) = v
			}
		}
	}
	for _, n := range slices.Backward(oldNodes) {
		if n.value != nil {
			*t.slot(n.key) = n.value
		}
	}
}

// position is where a key belongs by its hash. Objects belong by their address in
// Lua 5.1, which changes from run to run: here by the order in which they were made.
func (t *Table) position(key Value) int {
	mask := len(t.nodes) - 1
	switch key := key.(type) {
	case string:
		return int(hashOf(key)) & mask
	case float64:
		if key == 0 {
			return 0
		}
		b := math.Float64bits(key)
		return int((uint32(b) + uint32(b>>32)) % (uint32(mask) | 1))
	case bool:
		if key {
			return 1 & mask
		}
	case *Table:
		return int(key.id) % (mask | 1)
	case *Function:
		return int(key.id) % (mask | 1)
	case *State:
		return int(key.id) % (mask | 1)
	}
	return 0
}

// hashOf is Lua 5.1's hash of a string: of a long one it reads only some bytes.
func hashOf(s string) uint32 {
	h := uint32(len(s))
	step := len(s)>>5 + 1
	for i := len(s); i >= step; i -= step {
		h ^= h<<5 + h>>2 + uint32(s[i-1])
	}
	return h
}

// Len is #t: some index whose value is not nil before one whose value is.
func (t *Table) Len() int {
	j := len(t.array)
	if j > 0 && t.array[j-1] == nil {
		return border(0, j, t)
	}
	if len(t.nodes) == 0 {
		return j
	}
	i := j
	for j++; t.GetInt(j) != nil; j *= 2 {
		i = j
	}
	return border(i, j, t)
}

// border is between an index with a value, or 0, and one without.
func border(i, j int, t *Table) int {
	for j-i > 1 {
		if m := (i + j) / 2; t.GetInt(m) == nil {
			j = m
		} else {
			i = m
		}
	}
	return i
}

// Next is the field after a key, of nil the first one; a nil key is after the last
// one. There is no next of a key that the table never had: ok is false.
func (t *Table) Next(after Value) (key, value Value, ok bool) {
	i := 0
	switch f, isNumber := after.(float64); {
	case after == nil:
	case isNumber && arrayIndex(f) > 0 && arrayIndex(f) <= len(t.array):
		i = arrayIndex(f)
	default:
		n := t.find(after)
		if n < 0 {
			return nil, nil, false
		}
		i = len(t.array) + n + 1
	}
	for ; i < len(t.array); i++ {
		if t.array[i] != nil {
			return Int(i + 1), t.array[i], true
		}
	}
	for i -= len(t.array); i < len(t.nodes); i++ {
		if t.nodes[i].value != nil {
			return t.nodes[i].key, t.nodes[i].value, true
		}
	}
	return nil, nil, true
}

// Fields calls a function with each field, in order, until it answers false. It may
// change values, but set no new keys.
func (t *Table) Fields(yield func(key, value Value) bool) {
	for i, v := range t.array {
		if v != nil && !yield(Int(i+1), v) {
			return
		}
	}
	for i := range t.nodes {
		if n := &t.nodes[i]; n.value != nil && !yield(n.key, n.value) {
			return
		}
	}
}
