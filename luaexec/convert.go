package luaexec

import (
	"strings"

	lua "github.com/yuin/gopher-lua"

	"lockstep/engine/reply"
)

// maxReplyDepth is how deep arrays of a reply nest: less than calls do, because whoever
// looks at a reply goes into them in turn.
const maxReplyDepth = 128

// smallNumbers are the integers that most replies are, as values that need no
// allocation.
var smallNumbers = func() [1024]lua.LValue {
	var n [1024]lua.LValue
	for i := range n {
		n[i] = lua.LNumber(i)
	}
	return n
}()

func number(n int64) lua.LValue {
	if n >= 0 && n < int64(len(smallNumbers)) {
		return smallNumbers[n]
	}
	return lua.LNumber(n)
}

// toLua is a command's reply as a script sees it.
func (s *Machine) toLua(L *lua.LState, r reply.Reply) lua.LValue {
	switch r.Kind {
	case reply.Int:
		return number(r.Int)
	case reply.Bulk:
		return lua.LString(r.Str)
	case reply.Status:
		t := L.CreateTable(0, 1)
		t.RawSetString("ok", lua.LString(r.Str))
		return t
	case reply.Error:
		return errorTable(L, r.Str)
	case reply.Array:
		t := L.CreateTable(len(r.Elems), 0)
		for i, e := range r.Elems {
			t.RawSetInt(i+1, s.toLua(L, e))
		}
		return t
	case reply.Nil:
		return lua.LFalse
	case reply.Double, reply.Map, reply.Set, reply.Bool, reply.BigNumber, reply.Verbatim: // only RESP3 has those
	}
	panic("luaexec: no command answers a script with " + r.String())
}

// errorTable is an error as redis.pcall gives it.
func errorTable(L *lua.LState, text string) *lua.LTable {
	t := L.CreateTable(0, 2)
	t.RawSetString("err", lua.LString(text))
	t.RawSetString("ignore_error_stats_update", lua.LTrue)
	return t
}

// toReply is what a script returns as a client receives it.
func (s *Machine) toReply(v lua.LValue, depth int) reply.Reply {
	switch v := v.(type) {
	case *lua.LTable:
		return s.tableReply(v, depth)
	case lua.LString:
		return reply.OfBulk(string(v))
	case lua.LNumber:
		return reply.OfInt(toInt64(float64(v)))
	case lua.LBool:
		if v {
			return reply.OfInt(1)
		}
	}
	return reply.Reply{}
}

func (s *Machine) tableReply(t *lua.LTable, depth int) reply.Reply {
	if depth > maxReplyDepth || !s.budget.Charge(1) {
		return reply.OfError("ERR reached lua stack limit")
	}
	if text, ok := t.RawGetString("err").(lua.LString); ok {
		message, _, _ := strings.Cut(string(text), "\x00")
		return reply.OfError(reply.OneLine(strings.TrimRight(message, "\r\n")))
	}
	if text, ok := t.RawGetString("ok").(lua.LString); ok {
		status, _, _ := strings.Cut(string(text), "\x00")
		return reply.OfStatus(reply.OneLine(status))
	}
	return reply.OfArray(s.elements(t, depth)...)
}

// elements are those of an array.
func (s *Machine) elements(t *lua.LTable, depth int) []reply.Reply {
	elems := []reply.Reply{}
	for i := 1; ; i++ {
		v := t.RawGet(lua.LNumber(i))
		if v == lua.LNil || !s.budget.Charge(1) {
			return elems
		}
		elems = append(elems, s.toReply(v, depth+1))
	}
}
