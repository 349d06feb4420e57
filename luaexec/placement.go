package luaexec

import (
	"math"
	"math/bits"
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// placement is the layout of a table in Lua 5.1: which keys are in the array, and which in which
// node of the hash. The values are in the table. A key whose value is gone keeps its node until the
// table grows, as in Lua 5.1.
type placement struct {
	table *lua.LTable
	array int    // size of the array part
	nodes []node // len is 0 or a power of two
	free  int    // Invariant: every node from here on has a key
}

type node struct {
	key  lua.LValue // nil: never used
	next int        // 1 + index of the next node of the chain; 0: the last
}

// placementOf is the placement of a table. One that is not followed has had no deletion and no index out
// of order: its keys came in gopher-lua's order, those of its constructor first.
func (s *Sandbox) placementOf(t *lua.LTable) *placement {
	if p := s.placements[t]; p != nil {
		return p
	}
	p := &placement{table: t}
	size := s.shapes[t]
	p.resize(size.array, size.hash)
	for _, k := range size.written {
		if t.RawGet(k) != lua.LNil {
			p.insert(k)
		}
	}
	for k, _ := t.Next(lua.LNil); k != lua.LNil; k, _ = t.Next(k) {
		if !slices.Contains(size.written, k) {
			p.insert(k)
		}
	}
	return p
}

// follow keeps the placement of a table from now on, because later writes decide its order and length.
func (s *Sandbox) follow(L *lua.LState, t *lua.LTable) *placement {
	charge(L, int64(t.Len()))
	p := s.placementOf(t)
	if s.placements == nil {
		s.placements = map[*lua.LTable]*placement{}
	}
	s.placements[t] = p
	return p
}

// willWrite updates a placement, or begins to follow the table at a deletion or an index out of order. It must
// be called before every write by code.
func (s *Sandbox) willWrite(L *lua.LState, t *lua.LTable, key, value lua.LValue) {
	p := s.placements[t]
	if p == nil {
		if i := arrayIndex(key); value != lua.LNil && (i == 0 || i == 1 && beginsWithOne(t) || i > 1 && t.RawGetInt(i-1) != lua.LNil) {
			return
		}
		p = s.follow(L, t)
	}
	p.insert(key)
}

// beginsWithOne tells whether 1 is a table's first key, or becomes it now. Otherwise gopher-lua's order is wrong:
// it always begins with 1.
func beginsWithOne(t *lua.LTable) bool {
	first, _ := t.Next(lua.LNil)
	return first == lua.LNil || first == lua.LNumber(1)
}

// remembers tells whether a followed table has a place for a key, with or without a value.
func (s *Sandbox) remembers(t *lua.LTable, key lua.LValue) bool {
	p := s.placements[t]
	return p != nil && p.has(key)
}

func lengthOf(L *lua.LState, t *lua.LTable) int {
	if p := sandboxOf(L).placements[t]; p != nil {
		return p.length()
	}
	return t.Len()
}

func (p *placement) live(key lua.LValue) bool { return p.table.RawGet(key) != lua.LNil }

func (p *placement) liveAt(i int) bool { return p.table.RawGetInt(i) != lua.LNil }

// length is #t by Lua 5.1's luaH_getn: of several borders the same one.
func (p *placement) length() int {
	low, high := 0, p.array
	if high == 0 || p.liveAt(high) {
		if len(p.nodes) == 0 {
			return high
		}
		low, high = high, high+1
		for p.liveAt(high) {
			low, high = high, 2*high
		}
	}
	for high-low > 1 {
		if middle := (low + high) / 2; p.liveAt(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// keys are all keys in the order of a walk, with those of no value.
func (p *placement) keys() []lua.LValue {
	keys := []lua.LValue{}
	for i := 1; i <= p.array; i++ {
		keys = append(keys, lua.LNumber(i))
	}
	for _, n := range p.nodes {
		if n.key != nil {
			keys = append(keys, n.key)
		}
	}
	return keys
}

func (p *placement) has(key lua.LValue) bool {
	if i := arrayIndex(key); i > 0 && i <= p.array {
		return true
	}
	if len(p.nodes) == 0 {
		return false
	}
	for at := p.position(key) + 1; at > 0; at = p.nodes[at-1].next {
		if p.nodes[at-1].key == key {
			return true
		}
	}
	return false
}

// insert gives a key its place in Lua 5.1, by luaH_set: a colliding key that is not at home moves to a free node.
func (p *placement) insert(key lua.LValue) {
	if p.has(key) {
		return
	}
	if len(p.nodes) == 0 {
		p.grow(key)
		p.insert(key)
		return
	}
	main := p.position(key)
	at := main
	if in := p.nodes[main].key; in != nil && p.live(in) {
		free := p.freePosition()
		if free < 0 {
			p.grow(key)
			p.insert(key)
			return
		}
		if other := p.position(in); other != main {
			for p.nodes[other].next-1 != main {
				other = p.nodes[other].next - 1
			}
			p.nodes[other].next = free + 1
			p.nodes[free] = p.nodes[main]
			p.nodes[main].next = 0
		} else {
			p.nodes[free].next = p.nodes[main].next
			p.nodes[main].next = free + 1
			at = free
		}
	}
	p.nodes[at].key = key
}

func (p *placement) freePosition() int {
	for p.free > 0 {
		p.free--
		if p.nodes[p.free].key == nil {
			return p.free
		}
	}
	return -1
}

// arrayIndex is the index of a key that could be in the array; 0 for any other.
func arrayIndex(key lua.LValue) int {
	const most = 1 << 26
	n, ok := key.(lua.LNumber)
	if i := int(n); ok && n >= 1 && n <= most && lua.LNumber(i) == n {
		return i
	}
	return 0
}

// grow makes room for one more key, by Lua 5.1's rehash: the largest array that is more than half
// full, and a hash for the rest.
func (p *placement) grow(extra lua.LValue) {
	var counts [28]int // of the keys from 2^(i-1)+1 to 2^i
	integers, total := 0, 1
	count := func(i int) {
		if i > 0 {
			counts[bits.Len(uint(i-1))]++
			integers++
		}
	}
	for i := 1; i <= p.array; i++ {
		if p.liveAt(i) {
			count(i)
			total++
		}
	}
	for _, n := range p.nodes {
		if n.key != nil && p.live(n.key) {
			count(arrayIndex(n.key))
			total++
		}
	}
	count(arrayIndex(extra))
	size, inArray, sum := 0, 0, 0
	for i, power := 0, 1; power/2 < integers; i, power = i+1, power*2 {
		sum += counts[i]
		if counts[i] > 0 && sum > power/2 {
			size, inArray = power, sum
		}
		if sum == integers {
			break
		}
	}
	p.resize(size, total-inArray)
}

func (p *placement) resize(array, hash int) {
	oldArray, old := p.array, p.nodes
	p.array = array
	p.nodes, p.free = nil, 0
	if hash > 0 {
		p.free = 1 << bits.Len(uint(hash-1))
		p.nodes = make([]node, p.free)
	}
	for i := array + 1; i <= oldArray; i++ {
		if p.liveAt(i) {
			p.insert(lua.LNumber(i))
		}
	}
	for _, n := range slices.Backward(old) {
		if n.key != nil && p.live(n.key) {
			p.insert(n.key)
		}
	}
}

// position is a key's home by its hash. Lua hashes objects by address, which no replay repeats: here
// all of them have one home.
func (p *placement) position(key lua.LValue) int {
	mask := uint32(len(p.nodes) - 1)
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

// hashOf is Lua 5.1's hash of a string. It skips bytes of strings of 32 and more.
func hashOf(s string) uint32 {
	h := uint32(len(s))
	step := len(s)>>5 + 1
	for i := len(s); i >= step; i -= step {
		h ^= h<<5 + h>>2 + uint32(s[i-1])
	}
	return h
}
