package client

import (
	"strconv"

	lua "github.com/yuin/gopher-lua"

	"lockstep/engine"
	"lockstep/node/sql"
)

// statement is a statement of SQL with a value for each question mark in it.
func statement(L *lua.LState) engine.Request {
	statement := text(L, 2, "query", "a statement")
	var values []string
	shared := ""
	if L.Get(4) != lua.LNil {
		shared = text(L, 4, "node", "the name of a connection")
	}
	for arg := 5; arg <= L.GetTop(); arg++ {
		values = append(values, bound(L, arg))
	}
	whole, ok := sql.Bind(statement, values)
	if !ok {
		L.RaiseError("each ? of a statement needs a value, and %s has another number of them than the %d given", strconv.Quote(statement), len(values))
	}
	return engine.Exec{Node: server(L), Op: engine.Op{Args: []string{whole}, Shared: shared}, Timeout: patience(L, 3)}
}

// bound is a value as a statement has it.
func bound(L *lua.LState, arg int) string {
	switch v := L.Get(arg).(type) {
	case *lua.LNilType:
		return "NULL"
	case lua.LString:
		return sql.Quote(string(v))
	case lua.LNumber:
		return number(L, float64(v), "value", arg-4)
	case *lua.LUserData:
		if n, whole := v.Value.(integer); whole {
			return n.String()
		}
	}
	L.RaiseError("a value of a statement is a text, a number or nil, not %s", described(L, arg))
	return ""
}
