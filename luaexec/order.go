package luaexec

import (
	"iter"
	"math"
	"math/bits"
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// gopher-lua's tables are walked in the order in which keys came, Lua 5.1's in the
// order of its hash. So a walk puts the keys into a table as Lua 5.1 would have made
// it, and follows that.

// shape is the size that a constructor makes a table with.
type shape struct{ array, hash int }

// walk is a table with its keys in the order of Lua 5.1.
type walk struct {
	table *lua.LTable
	keys  []lua.LValue
	at    int // of the key that comes next
}

// maxWalks is how many tables are remembered while they are walked.
const maxWalks = 8

// next is the field after a key; k is nil after the last one.
func (s *Sandbox) next(L *lua.LState, t *lua.LTable, key lua.LValue) (k, v lua.LValue) {
	w := s.walkOf(L, t, key)
	if w == nil {
		return t.Next(key)
	}
	for ; w.at < len(w.keys); w.at++ {
		if v := t.RawGet(w.keys[w.at]); v != lua.LNil {
			w.at++
			return w.keys[w.at-1], v
		}
	}
	return lua.LNil, lua.LNil
}

// walkOf is the walk that goes on after a key; nil for a table in which every order
// is that of gopher-lua.
func (s *Sandbox) walkOf(L *lua.LState, t *lua.LTable, key lua.LValue) *walk {
	for _, w := range s.walks {
		if w.table != t {
			continue
		}
		if key == lua.LNil {
			break
		}
		if w.at > 0 && w.keys[w.at-1] == key {
			return w
		}
		for i, k := range w.keys {
			if k == key {
				charge(L, int64(i/4))
				w.at = i + 1
				return w
			}
		}
		return nil
	}
	keys := s.order(L, t)
	if keys == nil {
		return nil
	}
	w := &walk{table: t, keys: keys}
	if key != lua.LNil {
		w.at = 1 + slices.Index(keys, key)
		if w.at == 0 {
			return nil
		}
	}
	for i, old := range s.walks {
		if old.table == t {
			s.walks[i] = w
			return w
		}
	}
	if len(s.walks) == maxWalks {
		s.walks = s.walks[1:]
	}
	s.walks = append(s.walks, w)
	return w
}

// fields are the fields of a table in the order of Lua 5.1.
func (s *Sandbox) fields(L *lua.LState, t *lua.LTable) iter.Seq2[lua.LValue, lua.LValue] {
	return func(yield func(k, v lua.LValue) bool) {
		keys := s.order(L, t)
		if keys == nil {
			k, v := t.Next(lua.LNil)
			for k != lua.LNil && yield(k, v) {
				k, v = t.Next(k)
			}
			return
		}
		for _, k := range keys {
			if v := t.RawGet(k); v != lua.LNil && !yield(k, v) {
				return
			}
		}
	}
}

// order is the keys of a table as Lua 5.1 walks them; nil if they are all in the
// array.
func (s *Sandbox) order(L *lua.LState, t *lua.LTable) []lua.LValue {
	n := t.Len()
	h := &hashOrder{}
	size, sized := s.shapes[t]
	h.resize(size.array, size.hash)
	hashed := 0
	// ForEach would meet the keys in the order of Go's maps.
	for k, _ := t.Next(lua.LNil); k != lua.LNil; k, _ = t.Next(k) {
		charge(L, 1)
		if i, ok := k.(lua.LNumber); !ok || i < 1 || int(i) > n || float64(i) != math.Trunc(float64(i)) {
			hashed++
		}
	}
	if hashed == 0 && !sized {
		return nil
	}
	for k, _ := t.Next(lua.LNil); k != lua.LNil; k, _ = t.Next(k) {
		h.insert(k)
	}
	return h.keys()
}

// hashOrder is a table of Lua 5.1 with nothing but keys.
type hashOrder struct {
	array []bool
	nodes []hashNode
	free  int
}

type hashNode struct {
	key  lua.LValue // nil is a free one
	next int        // 1 + index, 0 at the end of a chain
}

func (h *hashOrder) keys() []lua.LValue {
	keys := []lua.LValue{}
	for i, used := range h.array {
		if used {
			keys = append(keys, lua.LNumber(i+1))
		}
	}
	for _, n := range h.nodes {
		if n.key != nil {
			keys = append(keys, n.key)
		}
	}
	return keys
}

func (h *hashOrder) insert(key lua.LValue) {
	if i := arrayIndex(key); i > 0 && i <= len(h.array) {
		h.array[i-1] = true
		return
	}
	if len(h.nodes) == 0 {
		h.grow(key)
		h.insert(key)
		return
	}
	main := h.position(key)
	at := main
	if h.nodes[main].key != nil {
		free := h.freePosition()
		if free < 0 {
			h.grow(key)
			h.insert(key)
			return
		}
		if other := h.position(h.nodes[main].key); other != main {
			for h.nodes[other].next-1 != main {
				other = h.nodes[other].next - 1
			}
			h.nodes[other].next = free + 1
			h.nodes[free] = h.nodes[main]
			h.nodes[main].next = 0
		} else {
			h.nodes[free].next = h.nodes[main].next
			h.nodes[main].next = free + 1
			at = free
		}
	}
	h.nodes[at].key = key
}

func (h *hashOrder) freePosition() int {
	for h.free > 0 {
		h.free--
		if h.nodes[h.free].key == nil {
			return h.free
		}
	}
	return -1
}

// arrayIndex is a key that could be in the array, else 0.
func arrayIndex(key lua.LValue) int {
	const most = 1 << 26
	n, ok := key.(lua.LNumber)
	if i := int(n); ok && n >= 1 && n <= most && lua.LNumber(i) == n {
		return i
	}
	return 0
}

// grow makes room for one more key: an array that is more than half full and a hash
// for the rest.
func (h *hashOrder) grow(extra lua.LValue) {
	var slices [28]int // keys from 2^(i-1)+1 to 2^i
	integers, total := 0, 1
	count := func(i int) {
		if i > 0 {
			slices[bits.Len(uint(i-1))]++
			integers++
		}
	}
	for i, used := range h.array {
		if used {
			count(i + 1)
			total++
		}
	}
	for _, n := range h.nodes {
		if n.key != nil {
			count(arrayIndex(n.key))
			total++
		}
	}
	count(arrayIndex(extra))
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
	h.resize(size, total-inArray)
}

func (h *hashOrder) resize(array, hash int) {
	oldArray, old := h.array, h.nodes
	h.array = make([]bool, array)
	copy(h.array, oldArray)
	h.nodes, h.free = nil, 0
	if hash > 0 {
		h.free = 1 << bits.Len(uint(hash-1))
		h.nodes = make([]hashNode, h.free)
	}
	for i := array; i < len(oldArray); i++ {
		if oldArray[i] {
			h.insert(lua.LNumber(i + 1))
		}
	}
	for _, n := range slices.Backward(old) {
		if n.key != nil {
			h.insert(n.key)
		}
	}
}

// position is where a key belongs by its hash. Objects belong by their address,
// which tells nothing: all are at one place.
func (h *hashOrder) position(key lua.LValue) int {
	mask := uint32(len(h.nodes) - 1)
	switch key := key.(type) {
	case lua.LString:
		return int(hashOf(string(key)) & mask)
	case lua.LNumber:
		if key == 0 {
			return 0
		}
		b := math.Float64bits(float64(key))
		return int((uint32(b) + uint32(b>>32)) % (mask | 1))
	case lua.LBool:
		if key {
			return int(1 & mask)
		}
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

// sized notes the size that a constructor makes a table with.
func (s *Sandbox) sized(L *lua.LState) int {
	if t, ok := L.Get(1).(*lua.LTable); ok {
		charge(L, 4)
		if s.shapes == nil {
			s.shapes = map[*lua.LTable]shape{}
		}
		s.shapes[t] = shape{roundSize(checkInt(L, 2)), checkInt(L, 3)}
	}
	L.SetTop(1)
	return 1
}

// roundSize is a size as the code of a constructor can hold it: three bits times a
// power of two.
func roundSize(n int) int {
	e := 0
	for n >= 16 {
		n = (n + 1) >> 1
		e++
	}
	return n << e
}
