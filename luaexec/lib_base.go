package luaexec

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"lockstep/luaexec/lua"
)

var baseFunctions = map[string]lua.GoFunction{
	"assert":         baseAssert,
	"collectgarbage": baseCollectGarbage,
	"error":          baseError,
	"gcinfo":         baseGCInfo,
	"getmetatable":   baseGetMetatable,
	"load":           baseLoad,
	"loadstring":     baseLoadString,
	"next":           baseNext,
	"pcall":          basePCall,
	"rawequal":       baseRawEqual,
	"rawget":         baseRawGet,
	"rawset":         baseRawSet,
	"select":         baseSelect,
	"setmetatable":   baseSetMetatable,
	"tonumber":       baseToNumber,
	"tostring":       baseToString,
	"type":           baseType,
	"unpack":         baseUnpack,
	"xpcall":         baseXPCall,
}

// openBase makes the base functions global.
func openBase(L *lua.State) {
	register(L, L.Globals(), baseFunctions)
	// These two hand out a function of their own, the same each time.
	L.Globals().SetString("ipairs", L.NewFunction(baseIpairs, L.NewFunction(ipairsNext)))
	L.Globals().SetString("pairs", L.NewFunction(basePairs, L.NewFunction(baseNext)))
	L.Globals().SetString("_VERSION", "Lua 5.1")
}

func baseAssert(L *lua.State) int {
	if !lua.Truth(L.CheckAny(1)) {
		message, _, _ := strings.Cut(L.OptString(2, "assertion failed!"), "\x00")
		L.Fail(message)
	}
	return L.Top()
}

// baseCollectGarbage answers as if there were nothing to collect: how much
// memory is in use must not show.
func baseCollectGarbage(L *lua.State) int {
	switch option := L.OptString(1, "collect"); option {
	case "collect", "stop", "restart":
		L.Push(lua.Int(0))
	case "count":
		L.Push(lua.Int(kilobytes))
	case "setpause", "setstepmul":
		const usual = 200 // per cent
		L.Push(lua.Int(usual))
	case "step":
		L.Push(false)
	default:
		L.ArgumentError(1, fmt.Sprintf("invalid option '%s'", option))
	}
	return 1
}

// kilobytes is what scripts hear of the memory in use.
const kilobytes = 64

func baseGCInfo(L *lua.State) int {
	L.Push(lua.Int(kilobytes))
	return 1
}

func baseError(L *lua.State) int {
	v, level := L.Get(1), L.OptInt(2, 1)
	if text, ok := lua.ToString(v); ok && level > 0 {
		v = L.Where(level) + text
	}
	L.Raise(v)
	return 0
}

func baseGetMetatable(L *lua.State) int {
	v := L.CheckAny(1)
	if locked := L.Metafield(v, "__metatable"); locked != nil {
		L.Push(locked)
	} else if meta := L.Metatable(v); meta != nil {
		L.Push(meta)
	} else {
		L.Push(nil)
	}
	return 1
}

func baseSetMetatable(L *lua.State) int {
	t := L.CheckTable(1)
	meta, ok := L.Get(2).(*lua.Table)
	if !ok && (L.Get(2) != nil || L.Top() < 2) {
		L.ArgumentError(2, "nil or table expected")
	}
	if L.Metafield(t, "__metatable") != nil {
		L.Fail("cannot change a protected metatable")
	}
	if t.ReadOnly() {
		L.Raise(lua.ReadOnlyMessage)
	}
	t.SetMetatable(meta)
	L.Push(t)
	return 1
}

func ipairsNext(L *lua.State) int {
	i := L.CheckInt(2) + 1
	v := L.CheckTable(1).GetInt(i)
	if v == nil {
		return 0
	}
	L.Push(lua.Int(i))
	L.Push(v)
	return 2
}

func baseIpairs(L *lua.State) int {
	t := L.CheckTable(1)
	L.Push(L.Own(1))
	L.Push(t)
	L.Push(lua.Int(0))
	return 3
}

func baseNext(L *lua.State) int {
	k, v, ok := L.CheckTable(1).Next(L.Get(2))
	if !ok {
		L.Raise("invalid key to 'next'")
	}
	L.Push(k)
	if k == nil {
		return 1
	}
	L.Push(v)
	return 2
}

func basePairs(L *lua.State) int {
	t := L.CheckTable(1)
	L.Push(L.Own(1))
	L.Push(t)
	L.Push(nil)
	return 3
}

func baseRawEqual(L *lua.State) int {
	L.Push(L.CheckAny(1) == L.CheckAny(2))
	return 1
}

func baseRawGet(L *lua.State) int {
	L.Push(L.CheckTable(1).Get(L.CheckAny(2)))
	return 1
}

func baseRawSet(L *lua.State) int {
	t, key, value := L.CheckTable(1), L.CheckAny(2), L.CheckAny(3)
	write(L, t, key, value)
	L.Push(t)
	return 1
}

// write changes a field of a table that can be changed.
func write(L *lua.State, t *lua.Table, key, value lua.Value) {
	if t.ReadOnly() {
		L.Raise(lua.ReadOnlyMessage)
	}
	L.Set(t, key, value)
}

func baseSelect(L *lua.State) int {
	n := L.Top()
	if text, ok := L.Get(1).(string); ok && strings.HasPrefix(text, "#") {
		L.Push(lua.Int(n - 1))
		return 1
	}
	i := L.CheckInt(1)
	switch {
	case i < 0:
		i += n
	case i > n:
		i = n
	}
	if i < 1 {
		L.ArgumentError(1, "index out of range")
	}
	return n - i
}

func baseToNumber(L *lua.State) int {
	base := L.OptInt(2, 10)
	if base == 10 {
		if f, ok := lua.ToNumber(L.CheckAny(1)); ok {
			L.Push(lua.Number(f))
		} else {
			L.Push(nil)
		}
		return 1
	}
	text, _, _ := strings.Cut(L.CheckString(1), "\x00")
	if base < 2 || base > 36 {
		L.ArgumentError(2, "base out of range")
	}
	const blanks = " \t\n\v\f\r"
	text = strings.Trim(text, blanks)
	negative := strings.HasPrefix(text, "-")
	if negative || strings.HasPrefix(text, "+") {
		text = text[1:]
	}
	if base == 16 && len(text) > 2 && text[0] == '0' && text[1]|0x20 == 'x' {
		text = text[2:]
	}
	n, err := strconv.ParseUint(text, base, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		n, negative = math.MaxUint64, false
	case err != nil:
		L.Push(nil)
		return 1
	}
	if negative {
		n = -n
	}
	L.Push(lua.Number(float64(n)))
	return 1
}

func baseToString(L *lua.State) int {
	v := L.CheckAny(1)
	if f := L.Metafield(v, "__tostring"); f != nil {
		L.Push(f)
		L.Push(v)
		L.Call(1, 1)
		return 1
	}
	L.Push(display(v))
	return 1
}

// display is what tostring answers. Tables, functions and threads are named by the
// order in which they were made: an address would differ from run to run.
func display(v lua.Value) string {
	if text, ok := lua.ToString(v); ok {
		return text
	}
	switch v := v.(type) {
	case nil:
		return "nil"
	case bool:
		return strconv.FormatBool(v)
	case *lua.Userdata: // the only one of a script is cjson.null
		return "userdata: (nil)"
	}
	return fmt.Sprintf("%s: 0x%012x", lua.TypeName(v), 16*lua.ID(v))
}

func baseType(L *lua.State) int {
	L.Push(lua.TypeName(L.CheckAny(1)))
	return 1
}

func baseUnpack(L *lua.State) int {
	t := L.CheckTable(1)
	from := L.OptInt(2, 1)
	var to int
	if L.Get(3) == nil {
		to = t.Len()
	} else {
		to = L.CheckInt(3)
	}
	if from > to {
		return 0
	}
	n := to - from + 1
	if n > math.MaxInt32 || !room(L, n) {
		L.Fail("too many results to unpack")
	}
	L.Charge(int64(n / 4))
	for i := from; i <= to; i++ {
		L.Push(t.GetInt(i))
	}
	return n
}

// room tells whether a library function may have n values more.
func room(L *lua.State, n int) bool { return L.Top()+n <= lua.MaxStack }
