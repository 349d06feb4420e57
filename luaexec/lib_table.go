package luaexec

import "lockstep/luaexec/lua"

var tableFunctions = map[string]lua.GoFunction{
	"concat":   tableConcat,
	"foreach":  tableForeach,
	"foreachi": tableForeachi,
	"getn":     tableLen,
	"insert":   tableInsert,
	"maxn":     tableMaxN,
	"remove":   tableRemove,
	"setn":     tableSetN,
	"sort":     tableSort,
}

// writeInt changes a field of a whole number.
func writeInt(L *lua.State, t *lua.Table, i int, value lua.Value) {
	if t.ReadOnly() {
		L.Raise(lua.ReadOnlyMessage)
	}
	t.SetInt(i, value)
}

func tableLen(L *lua.State) int {
	L.Push(lua.Int(L.CheckTable(1).Len()))
	return 1
}

func tableSetN(L *lua.State) int {
	L.CheckTable(1)
	L.Fail("'setn' is obsolete")
	return 0
}

func tableMaxN(L *lua.State) int {
	highest := 0.0
	for k := range L.CheckTable(1).Fields {
		L.Charge(1)
		if n, ok := k.(float64); ok {
			highest = max(highest, n)
		}
	}
	L.Push(lua.Number(highest))
	return 1
}

func tableForeach(L *lua.State) int {
	t, f := L.CheckTable(1), L.CheckFunction(2)
	for k, v, ok := t.Next(nil); k != nil; k, v, ok = t.Next(k) {
		if !ok {
			L.Raise("invalid key to 'next'")
		}
		if callEach(L, f, k, v) {
			return 1
		}
	}
	return 0
}

func tableForeachi(L *lua.State) int {
	t := L.CheckTable(1)
	n, f := t.Len(), L.CheckFunction(2)
	for i := 1; i <= n; i++ {
		if callEach(L, f, lua.Int(i), t.GetInt(i)) {
			return 1
		}
	}
	return 0
}

// callEach tells whether a function answers anything, and leaves that on the stack.
func callEach(L *lua.State, f *lua.Function, k, v lua.Value) bool {
	L.Charge(1)
	L.Push(f)
	L.Push(k)
	L.Push(v)
	L.Call(2, 1)
	if L.Get(-1) != nil {
		return true
	}
	L.Pop(1)
	return false
}

func tableInsert(L *lua.State) int {
	t := L.CheckTable(1)
	end := t.Len() + 1
	at := end
	switch L.Top() {
	case 2:
	case 3:
		at = L.CheckInt(2)
		end = max(end, at)
		for i := end; i > at; i-- {
			chargeSome(L, i)
			writeInt(L, t, i, t.GetInt(i-1))
		}
	default:
		L.Fail("wrong number of arguments to 'insert'")
	}
	writeInt(L, t, at, L.Get(-1))
	return 0
}

// chargeSome charges for one step of many that are short.
func chargeSome(L *lua.State, i int) {
	if i&3 == 0 {
		L.Charge(1)
	}
}

func tableRemove(L *lua.State) int {
	t := L.CheckTable(1)
	n := t.Len()
	at := L.OptInt(2, n)
	if at < 1 || at > n {
		return 0
	}
	L.Push(t.GetInt(at))
	for ; at < n; at++ {
		chargeSome(L, at)
		writeInt(L, t, at, t.GetInt(at+1))
	}
	writeInt(L, t, n, nil)
	return 1
}

func tableConcat(L *lua.State) int {
	separator, t := L.OptString(2, ""), L.CheckTable(1)
	from := L.OptInt(3, 1)
	var to int
	if L.Get(4) == nil {
		to = t.Len()
	} else {
		to = L.CheckInt(4)
	}
	b := growing{L: L}
	for i := from; i <= to; i++ {
		v := t.GetInt(i)
		s, ok := lua.ToString(v)
		if !ok {
			L.Failf("invalid value (%s) at index %d in table for 'concat'", lua.TypeName(v), i)
		}
		b.addString(s)
		if i != to {
			b.addString(separator)
		}
	}
	b.push()
	return 1
}
