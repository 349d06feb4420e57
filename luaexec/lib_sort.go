package luaexec

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"
)

// sorter sorts the first elements of a table in the steps that Lua's quicksort
// takes: a comparison function sees them, and what is not ordered ends up where
// they leave it.
type sorter struct {
	L    *lua.LState
	t    *lua.LTable
	less *lua.LFunction
}

func tableSort(L *lua.LState) int {
	s := &sorter{L: L, t: checkTable(L)}
	n := s.t.Len()
	if L.Get(2) != lua.LNil {
		s.less = checkType[*lua.LFunction](L, 2, "function")
	}
	if n > 1 {
		checkOpenTable(L)
		s.sort(1, n)
	}
	return 0
}

func (s *sorter) before(a, b lua.LValue) bool {
	charge(s.L, 1)
	if s.less == nil {
		return s.lessThan(a, b)
	}
	return lua.LVAsBool(call(s.L, s.less, a, b))
}

// lessThan is a < b; its error has no position, as no line of code compares.
func (s *sorter) lessThan(a, b lua.LValue) bool {
	sameType := a.Type() == b.Type()
	switch a.(type) {
	case lua.LNumber, lua.LString:
		if sameType {
			return s.L.LessThan(a, b)
		}
	default:
		if sameType && s.L.GetMetaField(a, "__lt") != lua.LNil {
			return s.L.LessThan(a, b)
		}
	}
	if sameType {
		raisePlain(s.L, fmt.Sprintf("attempt to compare two %s values", a.Type()))
	}
	raisePlain(s.L, fmt.Sprintf("attempt to compare %s with %s", a.Type(), b.Type()))
	return false
}

func (s *sorter) get(i int) lua.LValue { return s.t.RawGet(lua.LNumber(i)) }

func (s *sorter) set(i int, a lua.LValue, j int, b lua.LValue) {
	set(s.L, s.t, lua.LNumber(i), a)
	set(s.L, s.t, lua.LNumber(j), b)
}

// order swaps two elements if the second is before the first.
func (s *sorter) order(i, j int) {
	a, b := s.get(i), s.get(j)
	if s.before(b, a) {
		s.set(i, b, j, a)
	}
}

func (s *sorter) sort(low, high int) {
	for low < high {
		s.order(low, high)
		if high-low == 1 {
			return
		}
		middle := (low + high) / 2
		if m, l := s.get(middle), s.get(low); s.before(m, l) {
			s.set(middle, l, low, m)
		} else {
			s.order(middle, high)
		}
		if high-low == 2 {
			return
		}
		pivot := s.get(middle)
		s.set(middle, s.get(high-1), high-1, pivot)
		i := s.partition(low, high, pivot)
		u, v := s.get(high-1), s.get(i)
		s.set(high-1, v, i, u)
		// The smaller half by recursion, the larger one in this loop.
		if i-low < high-i {
			s.sort(low, i-1)
			low = i + 1
		} else {
			s.sort(i+1, high)
			high = i - 1
		}
	}
}

// partition moves what is before the pivot to the left of what is after it, and
// gives where the pivot belongs.
func (s *sorter) partition(low, high int, pivot lua.LValue) int {
	const invalid = "invalid order function for sorting"
	i, j := low, high-1
	for {
		for i++; s.before(s.get(i), pivot); i++ {
			if i > high {
				raise(s.L, invalid)
			}
		}
		for j--; s.before(pivot, s.get(j)); j-- {
			if j < low {
				raise(s.L, invalid)
			}
		}
		if j < i {
			return i
		}
		a, b := s.get(i), s.get(j)
		s.set(i, b, j, a)
	}
}
