package luaexec

import (
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

var tableFunctions = map[string]lua.LGFunction{
	"concat": tableConcat,
	"getn":   func(L *lua.LState) int { return push(L, lua.LNumber(lengthOf(L, checkTable(L)))) },
	"insert": tableInsert,
	"remove": tableRemove,
	"sort":   tableSort,
}

// checkOpenTable is the first argument, a table that may be changed.
func checkOpenTable(L *lua.LState) *lua.LTable {
	t := checkTable(L)
	if isFrozen(t) {
		raisePlain(L, frozenMessage)
	}
	return t
}

// set writes a field after paying for the array that it may stretch: a single
// write far past the end of an array fills everything between.
func set(L *lua.LState, t *lua.LTable, key, value lua.LValue) {
	chargeKey(L, t, key)
	sandboxOf(L).willWrite(L, t, key, value)
	t.RawSet(key, value)
}

func chargeKey(L *lua.LState, t *lua.LTable, key lua.LValue) {
	const near = 64
	n, ok := key.(lua.LNumber)
	if !ok || n < near || n >= lua.LNumber(lua.MaxArrayIndex) {
		return
	}
	i := int(n)
	if t != nil && (t.RawGetInt(i-1) != lua.LNil || t.RawGetInt(i) != lua.LNil || t.RawGetInt(i+1) != lua.LNil) {
		return
	}
	charge(L, int64(i))
}

func tableInsert(L *lua.LState) int {
	t := checkOpenTable(L)
	n := lengthOf(L, t)
	switch L.GetTop() {
	case 2:
		set(L, t, lua.LNumber(n+1), L.Get(2))
	case 3:
		at := checkInt(L, 2)
		n = max(n+1, at)
		charge(L, int64(n-at)/4)
		for i := n; i > at; i-- {
			set(L, t, lua.LNumber(i), t.RawGet(lua.LNumber(i-1)))
		}
		set(L, t, lua.LNumber(at), L.Get(3))
	default:
		raise(L, "wrong number of arguments to 'insert'")
	}
	return 0
}

func tableRemove(L *lua.LState) int {
	t := checkTable(L)
	n := lengthOf(L, t)
	at := optInt(L, 2, n)
	if at < 1 || at > n {
		return 0
	}
	checkOpenTable(L)
	charge(L, int64(n-at)/4)
	L.Push(t.RawGetInt(at))
	for ; at < n; at++ {
		t.RawSetInt(at, t.RawGetInt(at+1))
	}
	set(L, t, lua.LNumber(n), lua.LNil)
	return 1
}

func tableConcat(L *lua.LState) int {
	t, separator := checkTable(L), optString(L, 2, "")
	from, to := optInt(L, 3, 1), optInt(L, 4, lengthOf(L, t))
	var b strings.Builder
	for i := from; i <= to; i++ {
		charge(L, 1)
		v := t.RawGet(lua.LNumber(i))
		s, ok := asString(v)
		if !ok {
			raise(L, fmt.Sprintf("invalid value (%s) at index %d in table for 'concat'", v.Type(), i))
		}
		if b.Len()+len(s)+len(separator) > maxString {
			chargeString(L, b.Len()+len(s)+len(separator))
		}
		chargeBytes(L, len(s)+len(separator))
		b.WriteString(s)
		if i != to {
			b.WriteString(separator)
		}
	}
	return push(L, lua.LString(b.String()))
}
