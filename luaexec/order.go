package luaexec

import (
	"iter"
	"math"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// gopher-lua's tables are walked in the order in which keys came, Lua 5.1's in the
// order of its hash. So a walk puts the keys into a table as Lua 5.1 would have made
// it, and follows that.

// shape is the size that a constructor makes a table with, and, when numbers are among them, the keys that
// it writes.
type shape struct {
	array, hash int
	written     []lua.LValue
}

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
		if key != lua.LNil && t.RawGet(key) == lua.LNil && !s.remembers(t, key) {
			raisePlain(L, "invalid key to 'next'")
		}
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
	known := slices.IndexFunc(s.walks, func(w *walk) bool { return w.table == t })
	if known >= 0 && key != lua.LNil {
		w := s.walks[known]
		if w.at > 0 && w.keys[w.at-1] == key {
			return w
		}
		i := slices.Index(w.keys, key)
		if i < 0 {
			return nil
		}
		charge(L, int64(i/4))
		w.at = i + 1
		return w
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
	if known >= 0 {
		s.walks[known] = w
		return w
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
	hashed := 0
	// ForEach would meet the keys in the order of Go's maps.
	for k, _ := t.Next(lua.LNil); k != lua.LNil; k, _ = t.Next(k) {
		charge(L, 1)
		if i, ok := k.(lua.LNumber); !ok || i < 1 || int(i) > n || float64(i) != math.Trunc(float64(i)) {
			hashed++
		}
	}
	if _, sized := s.shapes[t]; hashed == 0 && !sized && s.placements[t] == nil {
		return nil
	}
	keys := s.placementOf(t).keys()
	if t == L.G.Global { // no script knows the names of our helpers
		keys = slices.DeleteFunc(keys, func(k lua.LValue) bool {
			name, ok := k.(lua.LString)
			return ok && strings.HasPrefix(string(name), "(")
		})
	}
	return keys
}

// sized notes the size that a constructor makes a table with.
func (s *Sandbox) sized(L *lua.LState) int {
	if t, ok := L.Get(1).(*lua.LTable); ok {
		charge(L, 4)
		if s.shapes == nil {
			s.shapes = map[*lua.LTable]shape{}
		}
		made := shape{array: roundSize(checkInt(L, 2)), hash: checkInt(L, 3)}
		for i := 4; i <= L.GetTop(); i++ {
			made.written = append(made.written, L.Get(i))
		}
		s.shapes[t] = made
		if len(made.written) > 0 || t.Len() > 0 {
			s.follow(L, t)
		}
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
