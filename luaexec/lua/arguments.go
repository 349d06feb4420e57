package lua

import (
	"fmt"
	"math"
)

// Fail ends a function of Go with a message, at the position of its caller.
func (L *State) Fail(message string) { L.Raise(L.Where(1) + message) }

// Failf is Fail with a format.
func (L *State) Failf(format string, args ...any) { L.Fail(fmt.Sprintf(format, args...)) }

func (L *State) expected(n int, what string) {
	got := "no value"
	if n <= L.Top() {
		got = TypeName(L.Get(n))
	}
	L.ArgumentError(n, what+" expected, got "+got)
}

// CheckAny is the nth argument, which must be there.
func (L *State) CheckAny(n int) Value {
	if n > L.Top() {
		L.ArgumentError(n, "value expected")
	}
	return L.Get(n)
}

// CheckTable is the nth argument, which must be a table.
func (L *State) CheckTable(n int) *Table {
	t, ok := L.Get(n).(*Table)
	if !ok {
		L.expected(n, "table")
	}
	return t
}

// CheckFunction is the nth argument, which must be a function.
func (L *State) CheckFunction(n int) *Function {
	f, ok := L.Get(n).(*Function)
	if !ok {
		L.expected(n, "function")
	}
	return f
}

// CheckString is the nth argument, which must be a string or a number.
func (L *State) CheckString(n int) string {
	s, ok := ToString(L.Get(n))
	if !ok {
		L.expected(n, "string")
	}
	return s
}

// OptString is CheckString for an argument that may be nil.
func (L *State) OptString(n int, otherwise string) string {
	if L.Get(n) == nil {
		return otherwise
	}
	return L.CheckString(n)
}

// CheckNumber is the nth argument, which must be a number or read as one.
func (L *State) CheckNumber(n int) float64 {
	f, ok := ToNumber(L.Get(n))
	if !ok {
		L.expected(n, "number")
	}
	return f
}

// CheckInt is the nth argument where C takes an int: of a larger number it sees the
// low 32 bits.
func (L *State) CheckInt(n int) int { return int(int32(Int64(L.CheckNumber(n)))) }

// OptInt is CheckInt for an argument that may be nil.
func (L *State) OptInt(n, otherwise int) int {
	if L.Get(n) == nil {
		return otherwise
	}
	return L.CheckInt(n)
}

// CheckPosition is the nth argument where C takes a long, kept where adding to it
// cannot overflow.
func (L *State) CheckPosition(n int) int {
	const limit = 1 << 50
	return int(min(max(Int64(L.CheckNumber(n)), -limit), limit))
}

// OptPosition is CheckPosition for an argument that may be nil.
func (L *State) OptPosition(n, otherwise int) int {
	if L.Get(n) == nil {
		return otherwise
	}
	return L.CheckPosition(n)
}

// Int64 is C's cast from double to a 64-bit integer as x86 does it: toward zero, and
// the smallest integer for what does not fit.
func Int64(f float64) int64 {
	if f >= -(1<<63) && f < 1<<63 {
		return int64(f)
	}
	return math.MinInt64
}

// Int32 is C's cast to a 32-bit integer.
func Int32(f float64) int32 {
	if f > math.MinInt32-1 && f < math.MaxInt32+1 {
		return int32(f)
	}
	return math.MinInt32
}
