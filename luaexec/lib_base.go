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
	"assert":       baseAssert,
	"error":        baseError,
	"getmetatable": baseGetMetatable,
	"ipairs": func(L *lua.LState) int {
		return push(L, sandboxOf(L).ipairs, checkTable(L), lua.LNumber(0))
	},
	"next":         baseNext,
	"pairs":        func(L *lua.LState) int { return push(L, sandboxOf(L).pairs, checkTable(L), lua.LNil) },
	"rawequal":     func(L *lua.LState) int { return push(L, lua.LBool(L.RawEqual(checkAny(L, 1), checkAny(L, 2)))) },
	"rawget":       func(L *lua.LState) int { return push(L, checkTable(L).RawGet(checkAny(L, 2))) },
	"rawset":       baseRawSet,
	"select":       baseSelect,
	"setmetatable": baseSetMetatable,
	"tonumber":     baseToNumber,
	"type":         func(L *lua.LState) int { return push(L, lua.LString(checkAny(L, 1).Type().String())) },
	"unpack":       baseUnpack,
}

func baseAssert(L *lua.LState) int {
	if lua.LVIsFalse(checkAny(L, 1)) {
		raise(L, optString(L, 2, "assertion failed!"))
	}
	return L.GetTop()
}

func baseError(L *lua.LState) int {
	v, level := L.Get(1), optInt(L, 2, 1)
	if text, ok := asString(v); ok && level > 0 {
		v = lua.LString(where(L, sandboxOf(L).realLevel(L, level)) + text)
	}
	if text, ok := v.(lua.LString); ok {
		raisePlain(L, string(text))
	}
	L.Error(v, 0)
	return 0
}

func baseGetMetatable(L *lua.LState) int {
	v := checkAny(L, 1)
	meta := L.GetMetatable(v)
	switch {
	case meta == frozen:
		meta = lua.LNil // it only marks the table
	case v.Type() == lua.LTString:
		meta = sandboxOf(L).shownStringMeta
	}
	return push(L, meta)
}

func baseSetMetatable(L *lua.LState) int {
	t := checkTable(L)
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
	return push(L, t)
}

func ipairsNext(L *lua.LState) int {
	t, i := checkTable(L), checkInt(L, 2)+1
	v := t.RawGet(lua.LNumber(i))
	if v == lua.LNil {
		return push(L, lua.LNil)
	}
	return push(L, lua.LNumber(i), v)
}

func baseNext(L *lua.LState) int {
	t, key := checkTable(L), L.Get(2)
	if key != lua.LNil && t.RawGet(key) == lua.LNil {
		charge(L, 1)
	}
	k, v := sandboxOf(L).next(L, t, key)
	if k == lua.LNil {
		return push(L, lua.LNil)
	}
	return push(L, k, v)
}

func baseRawSet(L *lua.LState) int {
	t, key, value := checkOpenTable(L), checkAny(L, 2), checkAny(L, 3)
	if key == lua.LNil {
		raisePlain(L, "table index is nil")
	}
	checkKey(L, key)
	set(L, t, key, value)
	return push(L, t)
}

func baseSelect(L *lua.LState) int {
	n := L.GetTop()
	if text, ok := L.Get(1).(lua.LString); ok && text == "#" {
		return push(L, lua.LNumber(n-1))
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
			return push(L, lua.LNumber(f))
		}
		return push(L, lua.LNil)
	}
	const blanks = " \t\n\v\f\r"
	text, _, _ := strings.Cut(checkString(L, 1), "\x00")
	text = strings.Trim(text, blanks)
	if base < 2 || base > 36 {
		argumentError(L, 2, "base out of range")
	}
	text, negative := strings.CutPrefix(text, "-")
	if !negative {
		text = strings.TrimPrefix(text, "+")
	}
	if base == 16 && (strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0X")) {
		text = text[2:]
	}
	n, err := strconv.ParseUint(text, base, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		n, negative = math.MaxUint64, false
	case err != nil:
		return push(L, lua.LNil)
	}
	if negative {
		n = -n
	}
	return push(L, lua.LNumber(n))
}

// tostring names tables, functions and threads by the order in which they were
// first printed: an address would differ from run to run.
func (s *Sandbox) tostring(L *lua.LState) int {
	v := checkAny(L, 1)
	if f := L.GetMetaField(v, "__tostring"); f != lua.LNil {
		return push(L, call(L, f, v))
	}
	text, ok := asString(v)
	if !ok {
		text = s.name(v)
	}
	return push(L, lua.LString(text))
}

func (s *Sandbox) name(v lua.LValue) string {
	switch v.(type) {
	case *lua.LNilType, lua.LBool:
		return v.String()
	case *lua.LUserData: // the only one is cjson.null
		return "userdata: (nil)"
	}
	n, ok := s.addresses[v]
	if !ok {
		n = len(s.addresses) + 1
		s.addresses[v] = n
	}
	return fmt.Sprintf("%s: 0x%012x", v.Type(), n*16)
}

func baseUnpack(L *lua.LState) int {
	t := checkTable(L)
	from := optInt(L, 2, 1)
	to := optInt(L, 3, lengthOf(L, t))
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
