package luaexec

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

var baseFunctions = map[string]lua.LGFunction{
	"assert":         baseAssert,
	"collectgarbage": baseCollectGarbage,
	"error":          baseError,
	"gcinfo":         baseGCInfo,
	"getmetatable":   baseGetMetatable,
	"ipairs":         baseIpairs,
	"load":           baseLoad,
	"loadstring":     baseLoadString,
	"next":           baseNext,
	"pairs":          basePairs,
	"pcall":          basePcall,
	"rawequal":       baseRawEqual,
	"rawget":         baseRawGet,
	"rawset":         baseRawSet,
	"select":         baseSelect,
	"setmetatable":   baseSetMetatable,
	"tonumber":       baseToNumber,
	"type":           baseType,
	"unpack":         baseUnpack,
	"xpcall":         baseXpcall,
}

func baseAssert(L *lua.LState) int {
	if lua.LVIsFalse(checkAny(L, 1)) {
		raise(L, optString(L, 2, "assertion failed!"))
	}
	return L.GetTop()
}

// baseCollectGarbage answers as if there were nothing to collect: how much
// memory is in use must not show.
func baseCollectGarbage(L *lua.LState) int {
	switch option := optString(L, 1, "collect"); option {
	case "collect", "stop", "restart", "count", "step", "setpause", "setstepmul":
		L.Push(lua.LNumber(0))
		return 1
	default:
		argumentError(L, 1, fmt.Sprintf("invalid option '%s'", option))
		return 0
	}
}

func baseGCInfo(L *lua.LState) int {
	L.Push(lua.LNumber(0))
	return 1
}

func baseError(L *lua.LState) int {
	v, level := L.Get(1), optInt(L, 2, 1)
	if text, ok := asString(v); ok && level > 0 {
		v = lua.LString(where(L, level) + text)
	}
	if text, ok := v.(lua.LString); ok {
		raisePlain(L, string(text))
	}
	L.Error(v, 0)
	return 0
}

func baseGetMetatable(L *lua.LState) int {
	v := checkAny(L, 1)
	if t, ok := v.(*lua.LTable); ok && isFrozen(t) {
		L.Push(lua.LNil)
		return 1
	}
	L.Push(L.GetMetatable(v))
	return 1
}

func baseSetMetatable(L *lua.LState) int {
	t := checkTable(L, 1)
	meta, ok := L.Get(2).(*lua.LTable)
	if !ok && (L.Get(2) != lua.LNil || L.GetTop() < 2) {
		argumentError(L, 2, "nil or table expected")
	}
	if isFrozen(t) {
		raisePlain(L, frozenMessage)
	}
	if L.GetMetaField(t, "__metatable") != lua.LNil {
		raise(L, "cannot change a protected metatable")
	}
	t.Metatable = lua.LNil
	if ok {
		t.Metatable = meta
	}
	L.Push(t)
	return 1
}

func ipairsNext(L *lua.LState) int {
	t, i := checkTable(L, 1), checkInt(L, 2)+1
	v := t.RawGet(lua.LNumber(i))
	if v == lua.LNil {
		L.Push(lua.LNil)
		return 1
	}
	L.Push(lua.LNumber(i))
	L.Push(v)
	return 2
}

func baseIpairs(L *lua.LState) int {
	t := checkTable(L, 1)
	L.Push(L.NewFunction(ipairsNext))
	L.Push(t)
	L.Push(lua.LNumber(0))
	return 3
}

func baseNext(L *lua.LState) int {
	t, key := checkTable(L, 1), L.Get(2)
	if key != lua.LNil && t.RawGet(key) == lua.LNil {
		charge(L, 1)
	}
	k, v := t.Next(key)
	if k == lua.LNil {
		L.Push(lua.LNil)
		return 1
	}
	L.Push(k)
	L.Push(v)
	return 2
}

func basePairs(L *lua.LState) int {
	t := checkTable(L, 1)
	L.Push(L.NewFunction(baseNext))
	L.Push(t)
	L.Push(lua.LNil)
	return 3
}

func baseLoad(L *lua.LState) int {
	f, name := checkFunction(L, 1), optString(L, 2, "=(load)")
	var source strings.Builder
	for {
		L.Push(f)
		L.Call(0, 1)
		piece := L.Get(-1)
		L.Pop(1)
		text, ok := piece.(lua.LString)
		if piece == lua.LNil || ok && text == "" {
			return loadSource(L, source.String(), name)
		}
		if !ok {
			raise(L, "reader function must return a string")
		}
		chargeString(L, source.Len()+len(text))
		source.WriteString(string(text))
	}
}

func baseLoadString(L *lua.LState) int {
	source := checkString(L, 1)
	return loadSource(L, source, optString(L, 2, source))
}

func loadSource(L *lua.LState, source, name string) int {
	// Compiling is far slower per byte than copying.
	charge(L, int64(len(source)))
	proto, err := Compile(displayName(name), source)
	if err != nil {
		L.Push(lua.LNil)
		L.Push(lua.LString(err.Error()))
		return 2
	}
	L.Push(load(L, proto, setsGlobals(proto)))
	return 1
}

// displayName is how Lua shows the name of a chunk in messages.
func displayName(name string) string {
	if rest, ok := strings.CutPrefix(name, "="); ok {
		return rest
	}
	if rest, ok := strings.CutPrefix(name, "@"); ok {
		return rest
	}
	const limit = 45
	line, _, cut := strings.Cut(name, "\n")
	if len(line) > limit {
		line, cut = line[:limit], true
	}
	if cut {
		line += "..."
	}
	return `[string "` + line + `"]`
}

// quietError keeps gopher-lua from drawing the stack of an error that is caught:
// that takes time in the square of its depth.
func quietError(L *lua.LState) {
	panic(&lua.ApiError{Type: lua.ApiErrorRun, Object: L.Get(-1), StackTrace: "caught"})
}

func callQuietly(L *lua.LState) int {
	L.Panic = quietError
	L.Call(L.GetTop()-1, lua.MultRet)
	return L.GetTop()
}

// protectedCall runs the function at index 1 of the stack with the arguments
// above it. Its results, or the error, are what is left on the stack.
func protectedCall(L *lua.LState) (failure lua.LValue) {
	n := L.GetTop()
	if f := L.Get(1); f.Type() != lua.LTFunction && L.GetMetaField(f, "__call") == lua.LNil {
		return lua.LString(fmt.Sprintf("attempt to call a %s value", f.Type()))
	}
	L.Insert(L.NewFunction(callQuietly), 1)
	err := L.PCall(n, lua.MultRet, nil)
	if err == nil {
		return nil
	}
	var raised *lua.ApiError
	if errors.As(err, &raised) && raised.Type != lua.ApiErrorPanic {
		if text, ok := raised.Object.(lua.LString); ok {
			return lua.LString(asLuaSays(string(text)))
		}
		return raised.Object
	}
	return lua.LString(goPanicMessage(err))
}

// basePcall is pcall as Redis replaces it: an error table with an err field
// becomes that text.
func basePcall(L *lua.LState) int {
	checkAny(L, 1)
	failure := protectedCall(L)
	if failure == nil {
		L.Insert(lua.LTrue, 1)
		return L.GetTop()
	}
	if t, ok := failure.(*lua.LTable); ok {
		if text, ok := asString(t.RawGetString("err")); ok {
			failure = lua.LString(text)
		}
	}
	L.Push(lua.LFalse)
	L.Push(failure)
	return 2
}

func baseXpcall(L *lua.LState) int {
	f, handler := L.Get(1), checkAny(L, 2)
	L.SetTop(0)
	L.Push(f)
	failure := protectedCall(L)
	if failure == nil {
		L.Insert(lua.LTrue, 1)
		return L.GetTop()
	}
	L.SetTop(0)
	L.Push(handler)
	L.Push(failure)
	if protectedCall(L) != nil {
		L.SetTop(0)
		L.Push(lua.LString("error in error handling"))
	}
	L.SetTop(1)
	L.Insert(lua.LFalse, 1)
	return 2
}

func baseRawEqual(L *lua.LState) int {
	L.Push(lua.LBool(L.RawEqual(checkAny(L, 1), checkAny(L, 2))))
	return 1
}

func baseRawGet(L *lua.LState) int {
	L.Push(checkTable(L, 1).RawGet(checkAny(L, 2)))
	return 1
}

func baseRawSet(L *lua.LState) int {
	t, key, value := checkOpenTable(L, 1), checkAny(L, 2), checkAny(L, 3)
	checkKey(L, key)
	set(L, t, key, value)
	L.Push(t)
	return 1
}

func baseSelect(L *lua.LState) int {
	n := L.GetTop()
	if text, ok := L.Get(1).(lua.LString); ok && text == "#" {
		L.Push(lua.LNumber(n - 1))
		return 1
	}
	i := checkInt(L, 1)
	switch {
	case i < 0:
		i += n
	case i > n:
		i = n
	}
	if i < 1 {
		argumentError(L, 1, "index out of range")
	}
	return n - i
}

func baseToNumber(L *lua.LState) int {
	v, base := checkAny(L, 1), optInt(L, 2, 10)
	if base == 10 {
		if f, ok := asNumber(v); ok {
			L.Push(lua.LNumber(f))
		} else {
			L.Push(lua.LNil)
		}
		return 1
	}
	text := strings.TrimSpace(checkString(L, 1))
	if base < 2 || base > 36 {
		argumentError(L, 2, "base out of range")
	}
	negative := strings.HasPrefix(text, "-")
	text = strings.TrimPrefix(strings.TrimPrefix(text, "-"), "+")
	if base == 16 && (strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0X")) {
		text = text[2:]
	}
	n, err := strconv.ParseUint(text, base, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		n, negative = math.MaxUint64, false
	case err != nil:
		L.Push(lua.LNil)
		return 1
	}
	if negative {
		n = -n
	}
	L.Push(lua.LNumber(n))
	return 1
}

// tostring names tables, functions and threads by the order in which they were
// first printed: an address would differ from run to run.
func (s *Sandbox) tostring(L *lua.LState) int {
	v := checkAny(L, 1)
	if f := L.GetMetaField(v, "__tostring"); f != lua.LNil {
		L.Push(f)
		L.Push(v)
		L.Call(1, 1)
		return 1
	}
	text, ok := asString(v)
	if !ok {
		text = s.name(v)
	}
	L.Push(lua.LString(text))
	return 1
}

func (s *Sandbox) name(v lua.LValue) string {
	switch v.(type) {
	case *lua.LNilType, lua.LBool:
		return v.String()
	}
	n, ok := s.names[v]
	if !ok {
		n = len(s.names) + 1
		s.names[v] = n
	}
	return fmt.Sprintf("%s: 0x%012x", v.Type(), n*16)
}

func baseType(L *lua.LState) int {
	L.Push(lua.LString(checkAny(L, 1).Type().String()))
	return 1
}

func baseUnpack(L *lua.LState) int {
	t := checkTable(L, 1)
	from := optInt(L, 2, 1)
	to := optInt(L, 3, t.Len())
	if from > to {
		return 0
	}
	if to-from+1 > maxResults {
		raise(L, "too many results to unpack")
	}
	charge(L, int64(to-from))
	for i := from; i <= to; i++ {
		L.Push(t.RawGet(lua.LNumber(i)))
	}
	return to - from + 1
}
