package luaexec

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"lockstep/luaexec/syntax"
)

// where is the position of the function at a level of the stack, as Lua puts it
// before a message: "user_script:3: ", or nothing inside a Go function.
func where(L *lua.LState, level int) string {
	source, line := position(L, level)
	if line <= 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d: ", source, line)
}

// position is the source and the current line of the function at a level of the
// stack; the line is -1 inside a Go function and 0 beyond the stack.
func position(L *lua.LState, level int) (string, int) {
	frame, ok := L.GetStack(level)
	if !ok {
		return "", 0
	}
	if _, err := L.GetInfo("Sl", frame, lua.LNil); err != nil {
		return "", 0
	}
	return frame.Source, frame.CurrentLine
}

// raise ends a library function with a message, at the position of its caller.
func raise(L *lua.LState, message string) { L.Error(lua.LString(where(L, 1)+message), 0) }

// raisePlain ends a library function with a message that has no position.
func raisePlain(L *lua.LState, message string) { L.Error(lua.LString(message), 0) }

func raisef(L *lua.LState, format string, args ...any) { raise(L, fmt.Sprintf(format, args...)) }

// argumentError says what is wrong with the nth argument of the running function.
func argumentError(L *lua.LState, n int, problem string) {
	name := "?"
	if frame, ok := L.GetStack(0); ok {
		if _, err := L.GetInfo("n", frame, lua.LNil); err == nil {
			name = frame.Name[strings.LastIndexAny(frame.Name, ".:")+1:]
		}
	}
	if strings.HasPrefix(name, "(") || strings.HasPrefix(name, "<") {
		name = "?"
	}
	if sandboxOf(L).calledAsMethod(L, name) {
		n-- // self does not count
		if n == 0 {
			raisef(L, "calling '%s' on bad self (%s)", name, problem)
		}
	}
	raisef(L, "bad argument #%d to '%s' (%s)", n, name, problem)
}

func typeName(L *lua.LState, n int) string {
	if n > L.GetTop() {
		return "no value"
	}
	return L.Get(n).Type().String()
}

func typeError(L *lua.LState, n int, expected string) {
	argumentError(L, n, expected+" expected, got "+typeName(L, n))
}

func checkAny(L *lua.LState, n int) lua.LValue {
	if n > L.GetTop() {
		argumentError(L, n, "value expected")
	}
	return L.Get(n)
}

func checkTable(L *lua.LState) *lua.LTable { return checkType[*lua.LTable](L, 1, "table") }

func checkType[T lua.LValue](L *lua.LState, n int, name string) T {
	return checkAs(L, n, name, func(v lua.LValue) (T, bool) { is, ok := v.(T); return is, ok })
}

func checkAs[T any](L *lua.LState, n int, name string, as func(lua.LValue) (T, bool)) T {
	v, ok := as(L.Get(n))
	if !ok {
		typeError(L, n, name)
	}
	return v
}

// asString is a string, or a number written as one.
func asString(v lua.LValue) (string, bool) {
	switch v := v.(type) {
	case lua.LString:
		return string(v), true
	case lua.LNumber:
		return formatNumber(float64(v)), true
	}
	return "", false
}

// asNumber is a number, or a string that reads as one.
func asNumber(v lua.LValue) (float64, bool) {
	switch v := v.(type) {
	case lua.LNumber:
		return float64(v), true
	case lua.LString:
		return syntax.Number(string(v))
	}
	return 0, false
}

func checkString(L *lua.LState, n int) string { return checkAs(L, n, "string", asString) }

func checkNumber(L *lua.LState, n int) float64 { return checkAs(L, n, "number", asNumber) }

// checkInt is an argument as C's int, which has the lowest 32 bits of a number.
func checkInt(L *lua.LState, n int) int { return int(int32(toInt64(checkNumber(L, n)))) }

// optional is an argument that may be left out.
func optional[T any](L *lua.LState, n int, otherwise T, check func(*lua.LState, int) T) T {
	if L.Get(n) == lua.LNil {
		return otherwise
	}
	return check(L, n)
}

func optInt(L *lua.LState, n, otherwise int) int { return optional(L, n, otherwise, checkInt) }

func optString(L *lua.LState, n int, otherwise string) string {
	return optional(L, n, otherwise, checkString)
}

func optPosition(L *lua.LState, n, otherwise int) int {
	return optional(L, n, otherwise, checkPosition)
}

// checkInt64 is an argument as C's 64-bit integer.
func checkInt64(L *lua.LState, n int) int64 { return toInt64(checkNumber(L, n)) }

// checkPosition is a place in a string, which has 64 bits, kept where adding to it cannot overflow.
func checkPosition(L *lua.LState, n int) int {
	const limit = 1 << 50
	return int(min(max(checkInt64(L, n), -limit), limit))
}

// push gives a library function its results, and counts them.
func push(L *lua.LState, results ...lua.LValue) int {
	for _, v := range results {
		L.Push(v)
	}
	return len(results)
}

// call is the first result of a function of a script.
func call(L *lua.LState, f lua.LValue, args ...lua.LValue) lua.LValue {
	L.Push(f)
	n := push(L, args...)
	L.Call(n, 1)
	result := L.Get(-1)
	L.Pop(1)
	return result
}

// formatNumber writes a number as Lua 5.1 does: %.14g.
func formatNumber(f float64) string { return formatG(f, 14) }

// formatG is C's %.<precision>g. NaN is always -nan, as x86 makes it from 0/0:
// its sign differs between platforms and traces must not.
func formatG(f float64, precision int) string {
	switch {
	case math.IsNaN(f):
		return "-nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	return strconv.FormatFloat(f, 'g', precision, 64)
}

// toInt64 is C's cast from double to a 64-bit integer as x86 does it: toward
// zero, and the smallest integer for what does not fit.
func toInt64(f float64) int64 {
	if f >= -(1<<63) && f < 1<<63 {
		return int64(f)
	}
	return math.MinInt64
}
