package client

import (
	"math"
	"strconv"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"lockstep/engine"
)

// dates are what a format of date may have, as strftime does.
var dates = map[byte]string{'Y': "2006", 'm': "01", 'd': "02", 'H': "15", 'M': "04", 'S': "05", 'j': "002"}

// date writes what the process's clock shows, in UTC.
func (m *machine) date(L *lua.LState) int {
	format := text(L, 1, "date", "a format")
	m.clockReads++
	now := time.UnixMilli(engine.EpochMillis(m.now)).UTC()
	var out strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			out.WriteByte(format[i])
			continue
		}
		i++
		layout := ""
		if i < len(format) {
			layout = dates[format[i]]
		}
		if layout == "" {
			L.RaiseError("date knows %%Y, %%m, %%d, %%H, %%M, %%S and %%j, and not what %q has", format)
		}
		out.WriteString(now.Format(layout))
	}
	L.Push(lua.LString(out.String()))
	return 1
}

// integer is what int64 makes.
type integer int64

func (i integer) String() string { return strconv.FormatInt(int64(i), 10) }

// wholeNumbers is int64(number or text): a whole number of 64 bits, whose arithmetic wraps
// around as that of Java and Go does.
func (m *machine) wholeNumbers() *lua.LFunction {
	L := m.state
	meta := L.NewTable()
	push := func(L *lua.LState, n int64) int {
		L.Push(&lua.LUserData{Value: integer(n), Metatable: meta})
		return 1
	}
	two := func(do func(L *lua.LState, a, b int64) int64) *lua.LFunction {
		return L.NewFunction(func(L *lua.LState) int { return push(L, do(L, whole(L, 1), whole(L, 2))) })
	}
	compare := func(holds func(a, b int64) bool) *lua.LFunction {
		return L.NewFunction(func(L *lua.LState) int {
			L.Push(lua.LBool(holds(whole(L, 1), whole(L, 2))))
			return 1
		})
	}
	divide := func(do func(a, b int64) int64) func(*lua.LState, int64, int64) int64 {
		return func(L *lua.LState, a, b int64) int64 {
			if b == 0 {
				L.RaiseError("an int64 cannot be divided by zero")
			}
			return do(a, b)
		}
	}
	set := func(t *lua.LTable, name string, fn lua.LValue) { t.RawSetString(name, fn) }
	set(meta, "__add", two(func(_ *lua.LState, a, b int64) int64 { return a + b }))
	set(meta, "__sub", two(func(_ *lua.LState, a, b int64) int64 { return a - b }))
	set(meta, "__mul", two(func(_ *lua.LState, a, b int64) int64 { return a * b }))
	set(meta, "__div", two(divide(func(a, b int64) int64 { return a / b })))
	set(meta, "__mod", two(divide(func(a, b int64) int64 { return a % b })))
	set(meta, "__unm", L.NewFunction(func(L *lua.LState) int { return push(L, -whole(L, 1)) }))
	set(meta, "__eq", compare(func(a, b int64) bool { return a == b }))
	set(meta, "__lt", compare(func(a, b int64) bool { return a < b }))
	set(meta, "__le", compare(func(a, b int64) bool { return a <= b }))
	written := L.NewFunction(func(L *lua.LState) int {
		L.Push(lua.LString(strconv.FormatInt(whole(L, 1), 10)))
		return 1
	})
	set(meta, "__tostring", written)
	set(meta, "__concat", L.NewFunction(func(L *lua.LState) int {
		L.Push(lua.LString(text(L, 1, "..", "a number") + text(L, 2, "..", "a number")))
		return 1
	}))
	methods := L.NewTable()
	set(methods, "shl", two(func(L *lua.LState, a, b int64) int64 { return a << bits(L, b) }))
	set(methods, "shr", two(func(L *lua.LState, a, b int64) int64 { return a >> bits(L, b) }))
	set(methods, "band", two(func(_ *lua.LState, a, b int64) int64 { return a & b }))
	set(methods, "bor", two(func(_ *lua.LState, a, b int64) int64 { return a | b }))
	set(meta, "__index", methods)
	set(meta, "__metatable", lua.LFalse)
	return L.NewFunction(func(L *lua.LState) int { return push(L, whole(L, 1)) })
}

// whole is an argument that is a whole number of 64 bits.
func whole(L *lua.LState, arg int) int64 {
	switch v := L.Get(arg).(type) {
	case *lua.LUserData:
		if n, ok := v.Value.(integer); ok {
			return int64(n)
		}
	case lua.LNumber:
		if f := float64(v); f == math.Trunc(f) && math.Abs(f) < maxExactInteger {
			return int64(f)
		}
		L.RaiseError("%v is not a whole number below 2^53: write it in quotes, as text", float64(v))
	case lua.LString:
		if n, err := strconv.ParseInt(string(v), 10, 64); err == nil {
			return n
		}
	}
	L.RaiseError("int64 needs a whole number of 64 bits, not %s", described(L, arg))
	return 0
}

// bits is how far a number is shifted.
func bits(L *lua.LState, n int64) uint64 {
	if n < 0 || n > 63 {
		L.RaiseError("an int64 is shifted by 0 to 63 bits, not by %d", n)
	}
	return uint64(n)
}
