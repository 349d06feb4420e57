package lua

import "fmt"

// index is the stack slot of an argument, from 1, or of a value counted from the
// top, from -1.
func (L *State) index(i int) int {
	if i > 0 {
		return L.base + i - 1
	}
	return L.top + i
}

// GetTop is how many arguments and values the running Go function has.
func (L *State) GetTop() int { return L.top - L.base }

// SetTop drops values, or adds nils.
func (L *State) SetTop(n int) {
	top := L.base + n
	if top > L.top {
		L.ensure(top - L.top)
		clear(L.stack[L.top:top])
	}
	L.top = top
}

// Get is an argument, or nil if there is none.
func (L *State) Get(i int) Value {
	if at := L.index(i); at < L.top {
		return L.stack[at]
	}
	return Nil
}

// Push adds a value on top.
func (L *State) Push(v Value) {
	if L.top+1 >= len(L.stack) {
		L.growStack(1)
	}
	L.stack[L.top] = v
	L.top++
}

// Pop drops values.
func (L *State) Pop(n int) { L.top -= n }

// Insert puts a value before an argument.
func (L *State) Insert(v Value, i int) {
	L.Push(Nil)
	at := L.index(i)
	copy(L.stack[at+1:L.top], L.stack[at:L.top-1])
	L.stack[at] = v
}

// CheckStack makes room for n more values and tells whether a function may have
// that many.
func (L *State) CheckStack(n int) bool {
	if n > maxFree || L.top-L.base+n > maxFree {
		return false
	}
	L.ensure(n)
	return true
}

// TypeName is the type of an argument as messages say it.
func (L *State) TypeName(n int) string {
	if n > L.GetTop() {
		return "no value"
	}
	return L.Get(n).Kind().String()
}

// TypeError says that an argument is of the wrong type.
func (L *State) TypeError(n int, expected string) {
	L.ArgError(n, expected+" expected, got "+L.TypeName(n))
}

// CheckAny is an argument that must be there.
func (L *State) CheckAny(n int) Value {
	if n > L.GetTop() {
		L.ArgError(n, "value expected")
	}
	return L.Get(n)
}

// CheckTable is an argument that must be a table.
func (L *State) CheckTable(n int) *Table {
	t, ok := L.Get(n).AsTable()
	if !ok {
		L.TypeError(n, "table")
	}
	return t
}

// CheckFunction is an argument that must be a function.
func (L *State) CheckFunction(n int) *Function {
	f, ok := L.Get(n).AsFunction()
	if !ok {
		L.TypeError(n, "function")
	}
	return f
}

// CheckString is an argument that must be a string or a number.
func (L *State) CheckString(n int) string {
	s, ok := L.Get(n).ToString()
	if !ok {
		L.TypeError(n, "string")
	}
	return s
}

// CheckNumber is an argument that must be a number or read as one.
func (L *State) CheckNumber(n int) float64 {
	f, ok := L.Get(n).ToNumber()
	if !ok {
		L.TypeError(n, "number")
	}
	return f
}

// CheckInteger is CheckNumber cut to a 64-bit integer as C does it.
func (L *State) CheckInteger(n int) int64 { return ToInt64(L.CheckNumber(n)) }

// CheckInt is CheckInteger cut to its low 32 bits.
func (L *State) CheckInt(n int) int { return int(int32(L.CheckInteger(n))) }

// OptInteger is CheckInteger of an argument that may be left out.
func (L *State) OptInteger(n int, otherwise int64) int64 {
	if L.Get(n).IsNil() {
		return otherwise
	}
	return L.CheckInteger(n)
}

// OptInt is CheckInt of an argument that may be left out.
func (L *State) OptInt(n, otherwise int) int {
	if L.Get(n).IsNil() {
		return otherwise
	}
	return L.CheckInt(n)
}

// OptString is CheckString of an argument that may be left out.
func (L *State) OptString(n int, otherwise string) string {
	if L.Get(n).IsNil() {
		return otherwise
	}
	return L.CheckString(n)
}

// CheckOption is the place of a string argument in a list of them.
func (L *State) CheckOption(n int, options ...string) int {
	given := L.CheckString(n)
	for i, option := range options {
		if option == given {
			return i
		}
	}
	L.ArgError(n, fmt.Sprintf("invalid option '%s'", given))
	return 0
}
