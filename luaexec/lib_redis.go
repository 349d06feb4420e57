package luaexec

import (
	"strings"

	lua "github.com/yuin/gopher-lua"

	"lockstep/engine"
	"lockstep/engine/reply"
)

func (s *Machine) openRedis() {
	lib := s.L.CreateTable(0, 32)
	register(s.L, lib, map[string]lua.LGFunction{
		"call":               s.redisCall,
		"pcall":              s.redisPcall,
		"error_reply":        redisErrorReply,
		"status_reply":       redisStatusReply,
		"sha1hex":            redisSHA1,
		"log":                redisLog,
		"replicate_commands": func(L *lua.LState) int { return push(L, lua.LTrue) },
		"set_repl":           redisSetRepl,
		"breakpoint":         func(L *lua.LState) int { return push(L, lua.LFalse) },
		"debug":              func(*lua.LState) int { return 0 },
	})
	for _, c := range redisConstants {
		lib.RawSetString(c.name, lua.LNumber(c.value))
	}
	lib.RawSetString("REDIS_VERSION", lua.LString("7.0.15"))
	addLibrary(s.L, "redis", lib)
}

var redisConstants = []struct {
	name  string
	value int
}{
	{"LOG_DEBUG", 0},
	{"LOG_VERBOSE", 1},
	{"LOG_NOTICE", 2},
	{"LOG_WARNING", 3},
	{"REPL_NONE", 0},
	{"REPL_AOF", 1},
	{"REPL_SLAVE", 2},
	{"REPL_REPLICA", 2},
	{"REPL_ALL", 3},
	{"REDIS_VERSION_NUM", 0x0007000f},
}

// What redis.call answers before it asks the host.
const (
	noArgumentsText = "ERR Please specify at least one argument for this redis lib call"
	badArgumentText = "ERR Lua redis lib command arguments must be strings or integers"
)

// redisCall is redis.call: an error ends the script.
func (s *Machine) redisCall(L *lua.LState) int {
	r := s.command(L)
	if r.Kind == reply.Error {
		L.Error(errorTable(L, r.Str), 0)
	}
	return push(L, s.toLua(L, r))
}

// redisPcall is redis.pcall: an error is a table with an err field.
func (s *Machine) redisPcall(L *lua.LState) int { return push(L, s.toLua(L, s.command(L))) }

func (s *Machine) command(L *lua.LState) reply.Reply {
	n := L.GetTop()
	if n == 0 {
		return reply.OfError(noArgumentsText)
	}
	args := s.args[:0]
	for i := 1; i <= n; i++ {
		switch v := L.Get(i).(type) {
		case lua.LString:
			args = append(args, string(v))
		case lua.LNumber:
			args = append(args, formatG(float64(v), 17))
		default:
			return reply.OfError(badArgumentText)
		}
	}
	s.args = args
	r, cost := s.host.Call(args)
	if cost > 0 {
		charge(L, cost)
	}
	if len(r.Elems) > 8 {
		charge(L, values(r))
	}
	return r
}

func values(r reply.Reply) int64 {
	n := int64(len(r.Elems))
	for _, e := range r.Elems {
		if len(e.Elems) > 0 {
			n += values(e)
		}
	}
	return n
}

// redisErrorReply makes the table of an error. A text of one word gets
// the code ERR; a longer one is taken to begin with its code.
func redisErrorReply(L *lua.LState) int {
	text, ok := L.Get(1).(lua.LString)
	if L.GetTop() != 1 || !ok {
		return push(L, plainErrorTable(L, "ERR wrong number or type of arguments"))
	}
	given, _, _ := strings.Cut(strings.TrimPrefix(string(text), "-"), "\x00")
	code, message, ok := strings.Cut(given, " ")
	if !ok {
		code, message = "ERR", given
	}
	return push(L, plainErrorTable(L, code+" "+strings.Trim(message, "\r\n")))
}

func redisStatusReply(L *lua.LState) int {
	text, ok := L.Get(1).(lua.LString)
	if L.GetTop() != 1 || !ok {
		return push(L, plainErrorTable(L, "ERR wrong number or type of arguments"))
	}
	t := L.CreateTable(0, 1)
	t.RawSetString("ok", text)
	return push(L, t)
}

// plainErrorTable is an error that no command has answered.
func plainErrorTable(L *lua.LState, text string) *lua.LTable {
	t := L.CreateTable(0, 1)
	t.RawSetString("err", lua.LString(text))
	return t
}

// fail ends a redis function as Redis does: with an error table, whose text has
// no position.
func fail(L *lua.LState, text string) { L.Error(plainErrorTable(L, text), 0) }

func redisSHA1(L *lua.LState) int {
	if L.GetTop() != 1 {
		fail(L, "ERR wrong number of arguments")
	}
	text, _ := asString(L.Get(1))
	charge(L, int64(len(text)))
	return push(L, lua.LString(engine.SHA1(text)))
}

// redisLog checks its arguments; there is no log to write to.
func redisLog(L *lua.LState) int {
	if L.GetTop() < 2 {
		fail(L, "ERR redis.log() requires two arguments or more.")
	}
	level, ok := asNumber(L.Get(1))
	if !ok {
		fail(L, "ERR First argument must be a number (log level).")
	}
	if level := toInt32(level); level < 0 || level > 3 {
		fail(L, "ERR Invalid debug level.")
	}
	return 0
}

// redisSetRepl checks its argument; there are no replicas.
func redisSetRepl(L *lua.LState) int {
	if L.GetTop() != 1 {
		fail(L, "ERR redis.set_repl() requires two arguments.")
	}
	if flags, _ := asNumber(L.Get(1)); toInt32(flags)&^3 != 0 {
		fail(L, "ERR Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.")
	}
	return 0
}
