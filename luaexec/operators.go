package luaexec

import (
	"math"

	lua "github.com/yuin/gopher-lua"
)

// modulo is a % b as Lua 5.1 computes it: by the quotient, so that its last bits
// and its cases without a result are the same.
func modulo(L *lua.LState) int {
	a, b := L.Get(1), L.Get(2)
	x, okX := asNumber(a)
	y, okY := asNumber(b)
	if okX && okY {
		// The conversion keeps the compiler from rounding once only.
		L.Push(lua.LNumber(x - float64(math.Floor(x/y)*y)))
		return 1
	}
	for _, operand := range []lua.LValue{a, b} {
		if f := L.GetMetaField(operand, "__mod"); f != lua.LNil {
			return callOperator(L, f, a, b)
		}
	}
	culprit := a
	if okX {
		culprit = b
	}
	raisef(L, "attempt to perform arithmetic on a %s value", culprit.Type())
	return 0
}

// length is #v: Lua 5.1 asks no metatable of a table.
func length(L *lua.LState) int {
	switch v := L.Get(1).(type) {
	case lua.LString:
		L.Push(lua.LNumber(len(v)))
	case *lua.LTable:
		L.Push(lua.LNumber(lengthOf(L, v)))
	default:
		if f := L.GetMetaField(v, "__len"); f != lua.LNil {
			return callOperator(L, f, v, lua.LNil)
		}
		raisef(L, "attempt to get length of a %s value", v.Type())
	}
	return 1
}

// bound is a limit of a numeric loop: a text that is a number counts as one, and the
// loop itself refuses what is none.
func bound(L *lua.LState) int {
	if n, ok := asNumber(L.Get(1)); ok {
		L.Push(lua.LNumber(n))
	} else {
		L.SetTop(1)
	}
	return 1
}

func callOperator(L *lua.LState, f, a, b lua.LValue) int {
	L.Push(f)
	L.Push(a)
	L.Push(b)
	L.Call(2, 1)
	return 1
}
