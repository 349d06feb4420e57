package luaexec

import (
	lua "github.com/yuin/gopher-lua"

	"lockstep/luaexec/libm"
	"lockstep/luaexec/syntax"
)

func times(a, b float64) float64 { return a * b }
func over(a, b float64) float64  { return a / b }

// operatorNames are what rewritten code calls for an operator. The virtual machine of
// gopher-lua loses the sign of a zero, has a power and a remainder of its own, and
// reads texts as Go's numbers: what is left to it, + and -, gives no new zero with a
// sign, and the metatable of strings has it ask us for texts.
var operatorNames = map[string]string{"*": "(times)", "/": "(over)", "%": "(modulo)", "^": "(power)"}

// operators are the functions behind them.
var operators = map[string]lua.LGFunction{
	operatorNames["*"]: operator("mul", times),
	operatorNames["/"]: operator("div", over),
	operatorNames["%"]: operator("mod", syntax.Modulo),
	operatorNames["^"]: operator("pow", libm.Pow),
}

// stringOperators are the operators in the metatable of strings.
var stringOperators = map[string]lua.LGFunction{
	"__add": operator("add", func(a, b float64) float64 { return a + b }),
	"__sub": operator("sub", func(a, b float64) float64 { return a - b }),
	"__unm": func(L *lua.LState) int {
		n, ok := asNumber(L.Get(1))
		if !ok {
			raise(L, "__unm undefined") // as gopher-lua says it of other values
		}
		return push(L, lua.LNumber(-n))
	},
}

// operator is a binary operator: of numbers and of texts that are numbers, or what a
// metatable of another value says. It fails in the words of gopher-lua.
func operator(name string, of func(a, b float64) float64) lua.LGFunction {
	return func(L *lua.LState) int {
		a, b := L.Get(1), L.Get(2)
		x, okX := asNumber(a)
		y, okY := asNumber(b)
		if okX && okY {
			return push(L, lua.LNumber(of(x, y)))
		}
		types := [2]lua.LValueType{lua.LTNumber, lua.LTNumber}
		for i, operand := range []lua.LValue{a, b} {
			if ok := [2]bool{okX, okY}; !ok[i] {
				types[i] = operand.Type()
			}
			if _, text := operand.(lua.LString); text {
				continue // its metatable is what may have brought us here
			}
			if f := L.GetMetaField(operand, "__"+name); f != lua.LNil {
				return callOperator(L, f, a, b)
			}
		}
		raisef(L, "cannot perform %s operation between %s and %s", name, types[0], types[1])
		return 0
	}
}

// length is #v: Lua 5.1 asks no metatable of a table.
func length(L *lua.LState) int {
	switch v := L.Get(1).(type) {
	case lua.LString:
		return push(L, lua.LNumber(len(v)))
	case *lua.LTable:
		return push(L, lua.LNumber(lengthOf(L, v)))
	default:
		if f := L.GetMetaField(v, "__len"); f != lua.LNil {
			return callOperator(L, f, v, lua.LNil)
		}
		raisef(L, "attempt to get length of a %s value", v.Type())
	}
	return 0
}

// bound is a limit of a numeric loop: text that reads as a number counts as one, and the
// loop itself refuses anything else.
func bound(L *lua.LState) int {
	if n, ok := asNumber(L.Get(1)); ok {
		return push(L, lua.LNumber(n))
	}
	L.SetTop(1)
	return 1
}

func callOperator(L *lua.LState, f, a, b lua.LValue) int {
	instructionCalls(L)
	return push(L, call(L, f, a, b))
}
