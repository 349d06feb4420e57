package luaexec

import "lockstep/luaexec/lua"

// sorter sorts the first elements of a table in the steps that Lua's quicksort
// takes: a comparison function sees them, and what is not ordered ends up where
// they leave it.
type sorter struct {
	L    *lua.State
	t    *lua.Table
	less *lua.Function
}

func tableSort(L *lua.State) int {
	s := &sorter{L: L, t: L.CheckTable(1)}
	n := s.t.Len()
	if L.Get(2) != nil {
		s.less = L.CheckFunction(2)
	}
	s.sort(1, n)
	return 0
}

// before is a < b.
func (s *sorter) before(a, b lua.Value) bool {
	s.L.Charge(1)
	if s.less == nil {
		return s.L.Less(a, b)
	}
	s.L.Push(s.less)
	s.L.Push(a)
	s.L.Push(b)
	s.L.Call(2, 1)
	result := lua.Truth(s.L.Get(-1))
	s.L.Pop(1)
	return result
}

func (s *sorter) set(i int, a lua.Value, j int, b lua.Value) {
	writeInt(s.L, s.t, i, a)
	writeInt(s.L, s.t, j, b)
}

// order swaps two elements if the second is before the first.
func (s *sorter) order(i, j int) {
	a, b := s.t.GetInt(i), s.t.GetInt(j)
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
		if m, l := s.t.GetInt(middle), s.t.GetInt(low); s.before(m, l) {
			s.set(middle, l, low, m)
		} else {
			s.order(middle, high)
		}
		if high-low == 2 {
			return
		}
		pivot := s.t.GetInt(middle)
		s.set(middle, s.t.GetInt(high-1), high-1, pivot)
		i := s.partition(low, high, pivot)
		u, v := s.t.GetInt(high-1), s.t.GetInt(i)
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
func (s *sorter) partition(low, high int, pivot lua.Value) int {
	const invalid = "invalid order function for sorting"
	i, j := low, high-1
	for {
		for i++; s.before(s.t.GetInt(i), pivot); i++ {
			if i > high {
				s.L.Fail(invalid)
			}
		}
		for j--; s.before(pivot, s.t.GetInt(j)); j-- {
			if j < low {
				s.L.Fail(invalid)
			}
		}
		if j < i {
			return i
		}
		a, b := s.t.GetInt(i), s.t.GetInt(j)
		s.set(i, b, j, a)
	}
}
