package luaexec

import (
	"strings"

	lua "github.com/yuin/gopher-lua"

	"lockstep/engine/reply"
	"lockstep/luaexec/syntax"
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
		if s.resp3 {
			return lua.LNil
		}
		return lua.LFalse
	case reply.Double, reply.Map, reply.Set, reply.Bool, reply.BigNumber, reply.Verbatim:
		return s.toLuaOfRESP3(L, r)
	}
	return lua.LNil
}

// toLuaOfRESP3 is a reply of a kind that no command answers with in RESP2: a
// table with a field that names the kind.
func (s *Machine) toLuaOfRESP3(L *lua.LState, r reply.Reply) lua.LValue {
	t := L.CreateTable(0, 1)
	elems := L.CreateTable(0, len(r.Elems))
	switch r.Kind {
	case reply.Double:
		f, _ := syntax.NumberPrefix(r.Str)
		t.RawSetString("double", lua.LNumber(f))
	case reply.Map:
		for i := 0; i+1 < len(r.Elems); i += 2 {
			set(L, elems, s.toLua(L, r.Elems[i]), s.toLua(L, r.Elems[i+1]))
		}
		t.RawSetString("map", elems)
	case reply.Set:
		for _, e := range r.Elems {
			set(L, elems, s.toLua(L, e), lua.LTrue)
		}
		t.RawSetString("set", elems)
	default:
		panic("luaexec: no command answers with " + r.String())
	}
	return t
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
	if t, ok := v.(*lua.LTable); ok {
		return s.tableReply(t, depth)
	}
	return s.plainReply(v)
}

// plainReply is a value that is not a table as a client receives it.
func (s *Machine) plainReply(v lua.LValue) reply.Reply {
	switch v := v.(type) {
	case lua.LString:
		return reply.OfBulk(string(v))
	case lua.LNumber:
		return reply.OfInt(toInt64(float64(v)))
	case lua.LBool:
		switch {
		case s.resp3:
			return s.kept(reply.OfBool(bool(v)))
		case bool(v):
			return reply.OfInt(1)
		}
	}
	return reply.Reply{}
}

// kept is a reply in the form that who asks can read.
func (s *Machine) kept(r reply.Reply) reply.Reply {
	if s.call.InRESP3 {
		return r
	}
	return r.Flat()
}

func (s *Machine) tableReply(t *lua.LTable, depth int) reply.Reply {
	if depth > maxReplyDepth || !s.budget.Charge(1) {
		return reply.OfError("ERR reached lua stack limit")
	}
	if r, ok := s.namedReply(t); ok {
		return r
	}
	if m, ok := t.RawGetString("map").(*lua.LTable); ok {
		return s.kept(reply.OfMap(s.pairs(m, depth, true)...))
	}
	if m, ok := t.RawGetString("set").(*lua.LTable); ok {
		return s.kept(reply.OfSet(s.pairs(m, depth, false)...))
	}
	return reply.OfArray(s.elements(t, depth)...)
}

// namedReply is a reply of a kind that a field of a table names and that holds no others.
func (s *Machine) namedReply(t *lua.LTable) (r reply.Reply, ok bool) {
	if text, ok := t.RawGetString("err").(lua.LString); ok {
		message, _, _ := strings.Cut(string(text), "\x00")
		return reply.OfError(oneLine(strings.TrimRight(message, "\r\n"))), true
	}
	if text, ok := t.RawGetString("ok").(lua.LString); ok {
		status, _, _ := strings.Cut(string(text), "\x00")
		return reply.OfStatus(oneLine(status)), true
	}
	if f, ok := t.RawGetString("double").(lua.LNumber); ok {
		return s.kept(reply.OfDouble(formatG(float64(f), 17))), true
	}
	if text, ok := t.RawGetString("big_number").(lua.LString); ok {
		return s.kept(reply.OfBigNumber(oneLine(string(text)))), true
	}
	if verbatim, ok := t.RawGetString("verbatim_string").(*lua.LTable); ok {
		text, ok := verbatim.RawGetString("string").(lua.LString)
		if format, hasFormat := verbatim.RawGetString("format").(lua.LString); ok && hasFormat {
			format, _, _ := strings.Cut(string(format), "\x00")
			return s.kept(reply.OfVerbatim(format, string(text))), true
		}
	}
	return r, false
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

// pairs are the fields of a map, or the keys of a set.
func (s *Machine) pairs(t *lua.LTable, depth int, values bool) []reply.Reply {
	elems := []reply.Reply{}
	for k, v := range s.sandbox.fields(s.L, t) {
		if !s.budget.Charge(1) {
			break
		}
		elems = append(elems, s.toReply(k, depth+1))
		if values {
			elems = append(elems, s.toReply(v, depth+1))
		}
	}
	return elems
}

var lineBreaks = strings.NewReplacer("\r", " ", "\n", " ")

// oneLine is a text that the protocol sends as one line.
func oneLine(text string) string {
	if strings.ContainsAny(text, "\r\n") {
		return lineBreaks.Replace(text)
	}
	return text
}
