package luaexec

import (
	"strings"

	"lockstep/engine/reply"
	"lockstep/luaexec/lua"
)

// maxReplyDepth is how deep arrays of a reply nest.
const maxReplyDepth = 1000

// toLua is a command's reply as a script sees it.
func (s *state) toLua(L *lua.State, r reply.Reply) lua.Value {
	switch r.Kind {
	case reply.Int:
		return lua.Number(float64(r.Int))
	case reply.Bulk:
		L.Take(len(r.Str))
		return r.Str
	case reply.Status:
		t := L.NewTable(0, 1)
		t.SetString("ok", r.Str)
		return t
	case reply.Error:
		return errorTable(L, r.Str)
	case reply.Array:
		t := L.NewTable(len(r.Elems), 0)
		for i, e := range r.Elems {
			t.SetInt(i+1, s.toLua(L, e))
		}
		return t
	case reply.Nil:
		if s.resp3 {
			return nil
		}
		return false
	case reply.Double, reply.Map, reply.Set, reply.Bool, reply.BigNumber, reply.Verbatim:
		return s.toLuaOfRESP3(L, r)
	}
	return nil
}

// toLuaOfRESP3 is a reply of a kind that no command answers with in RESP2: a
// table with a field that names the kind.
func (s *state) toLuaOfRESP3(L *lua.State, r reply.Reply) lua.Value {
	t := L.NewTable(0, 1)
	elems := L.NewTable(0, len(r.Elems))
	switch r.Kind {
	case reply.Double:
		f, _ := lua.NumberPrefix(r.Str)
		t.SetString("double", lua.Number(f))
	case reply.Map:
		for i := 0; i+1 < len(r.Elems); i += 2 {
			L.Set(elems, s.toLua(L, r.Elems[i]), s.toLua(L, r.Elems[i+1]))
		}
		t.SetString("map", elems)
	case reply.Set:
		for _, e := range r.Elems {
			L.Set(elems, s.toLua(L, e), true)
		}
		t.SetString("set", elems)
	default:
		panic("luaexec: no command answers with " + r.String())
	}
	return t
}

// errorTable is an error as redis.pcall gives it.
func errorTable(L *lua.State, text string) *lua.Table {
	t := plainErrorTable(L, text)
	t.SetString("ignore_error_stats_update", true)
	return t
}

// toReply is what a script returns as a client receives it.
func (s *state) toReply(v lua.Value, depth int) reply.Reply {
	switch v := v.(type) {
	case string:
		return reply.OfBulk(v)
	case float64:
		return reply.OfInt(lua.Int64(v))
	case bool:
		switch {
		case s.resp3:
			return s.kept(reply.OfBool(v))
		case v:
			return reply.OfInt(1)
		}
	case *lua.Table:
		return s.tableReply(v, depth)
	}
	return reply.Reply{}
}

// kept is a reply in the form that who asks can read.
func (s *state) kept(r reply.Reply) reply.Reply {
	if s.inRESP3 {
		return r
	}
	return r.Flat()
}

func (s *state) tableReply(t *lua.Table, depth int) reply.Reply {
	if depth > maxReplyDepth || !s.L.Spend(1) {
		return reply.OfError("ERR reached lua stack limit")
	}
	if text, ok := t.GetString("err").(string); ok {
		message, _, _ := strings.Cut(text, "\x00")
		return reply.OfError(oneLine(message))
	}
	if text, ok := t.GetString("ok").(string); ok {
		status, _, _ := strings.Cut(text, "\x00")
		return reply.OfStatus(oneLine(status))
	}
	if f, ok := t.GetString("double").(float64); ok {
		return s.kept(reply.OfDouble(lua.FormatG(f, 17)))
	}
	if text, ok := t.GetString("big_number").(string); ok {
		return s.kept(reply.OfBigNumber(oneLine(text)))
	}
	if verbatim, ok := t.GetString("verbatim_string").(*lua.Table); ok {
		text, ok := verbatim.GetString("string").(string)
		if format, hasFormat := verbatim.GetString("format").(string); ok && hasFormat {
			format, _, _ := strings.Cut(format, "\x00")
			return s.kept(reply.OfVerbatim(format, text))
		}
	}
	if m, ok := t.GetString("map").(*lua.Table); ok {
		return s.kept(reply.OfMap(s.pairs(m, depth, true)...))
	}
	if m, ok := t.GetString("set").(*lua.Table); ok {
		return s.kept(reply.OfSet(s.pairs(m, depth, false)...))
	}
	elems := []reply.Reply{}
	for i := 1; ; i++ {
		v := t.GetInt(i)
		if v == nil || !s.L.Spend(1) {
			return reply.OfArray(elems...)
		}
		elems = append(elems, s.toReply(v, depth+1))
	}
}

// pairs are the fields of a map, or the keys of a set.
func (s *state) pairs(t *lua.Table, depth int, values bool) []reply.Reply {
	elems := []reply.Reply{}
	for k, v := range t.Fields {
		if !s.L.Spend(1) {
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
