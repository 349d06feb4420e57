package client

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"lockstep/engine"
)

// primitives is the table that the prelude builds a program's functions from.
// Each function checks its arguments and returns a request.
func (m *machine) primitives() *lua.LTable {
	L := m.state
	t := L.NewTable()
	for name, make := range map[string]func(*lua.LState) engine.Request{
		"eval":    m.eval,
		"command": command,
		"subscribe": func(L *lua.LState) engine.Request {
			return engine.Subscribe{Node: L.CheckString(1), Channel: L.CheckString(2)}
		},
		"unsubscribe": func(L *lua.LState) engine.Request {
			return engine.Unsubscribe{Node: L.CheckString(1), Channel: L.CheckString(2)}
		},
		"receive": receive,
		"sleep":   func(L *lua.LState) engine.Request { return engine.Sleep{For: span(L, 1), Label: L.CheckString(2)} },
		"enter":   func(L *lua.LState) engine.Request { return engine.Enter{Section: L.CheckString(1)} },
		"leave":   func(L *lua.LState) engine.Request { return engine.Leave{Section: L.CheckString(1)} },
		"want":    func(L *lua.LState) engine.Request { return engine.Want{Section: L.CheckString(1)} },
		"unwant":  func(L *lua.LState) engine.Request { return engine.Unwant{Section: L.CheckString(1)} },
		"say":     func(L *lua.LState) engine.Request { return engine.Say{Text: L.CheckString(1)} },
		"cancel":  func(L *lua.LState) engine.Request { return engine.Cancel{Name: L.CheckString(1)} },
		"spawn": func(L *lua.LState) engine.Request {
			return engine.Spawn{Name: L.CheckString(1), Actor: m.coroutine(L.CheckFunction(2))}
		},
	} {
		t.RawSetString(name, L.NewFunction(func(L *lua.LState) int {
			L.Push(&lua.LUserData{Value: make(L)})
			return 1
		}))
	}
	t.RawSetString("begin", L.NewFunction(m.begin))
	t.RawSetString("wordErrors", L.NewFunction(m.wordErrors))
	t.RawSetString("now", L.NewFunction(func(L *lua.LState) int {
		L.Push(lua.LNumber(engine.EpochMillis(m.now)))
		return 1
	}))
	t.RawSetString("stamp", L.NewFunction(func(L *lua.LState) int {
		var offset time.Duration
		if L.GetTop() > 0 {
			offset = span(L, 1)
		}
		L.Push(&lua.LUserData{Value: stamp(offset)})
		return 1
	}))
	t.RawSetString("me", lua.LString(m.name))
	t.RawSetString("process", lua.LString(m.process))
	t.RawSetString("default", lua.LString(m.setup.Node))
	return t
}

// stamp is an argument that is the client's clock at the moment of sending.
type stamp time.Duration

// String is the stamp as a program writes it.
func (s stamp) String() string {
	if s == 0 {
		return "stamp()"
	}
	return fmt.Sprintf("stamp(%q)", engine.FormatSpan(time.Duration(s)))
}

func (m *machine) eval(L *lua.LState) engine.Request {
	node, name := L.CheckString(1), L.CheckString(2)
	script, ok := m.setup.Scripts[name]
	if !ok {
		L.RaiseError("this lesson has no script %q; it has %s", name, strings.Join(slices.Sorted(maps.Keys(m.setup.Scripts)), ", "))
	}
	keys, stamps := texts(L, L.CheckTable(3), "KEYS")
	if len(stamps) > 0 {
		L.RaiseError("a stamp is no key")
	}
	args, stamps := texts(L, L.CheckTable(4), "ARGV")
	return engine.Exec{Node: node, Op: engine.Op{Script: script, Keys: keys, Args: args}, Stamps: stamps}
}

func command(L *lua.LState) engine.Request {
	args, stamps := texts(L, L.CheckTable(2), "argument")
	if len(args) == 0 {
		L.RaiseError("redis.call needs the name of a command")
	}
	return engine.Exec{Node: L.CheckString(1), Op: engine.Op{Args: args}, Stamps: stamps}
}

func receive(L *lua.LState) engine.Request {
	timeout := time.Duration(-1)
	if L.Get(3) != lua.LNil {
		timeout = span(L, 3)
	}
	return engine.Receive{Node: L.CheckString(1), Channel: L.CheckString(2), Timeout: timeout}
}

// texts turns a Lua array into what is sent.
func texts(L *lua.LState, t *lua.LTable, what string) ([]string, []engine.Stamp) {
	out := make([]string, t.Len())
	var stamps []engine.Stamp
	for i := range out {
		switch v := t.RawGetInt(i + 1).(type) {
		case lua.LString:
			out[i] = string(v)
		case lua.LNumber:
			out[i] = number(L, float64(v), what, i+1)
		case *lua.LUserData:
			offset, ok := v.Value.(stamp)
			if !ok {
				L.RaiseError("%s %d is no text, number or stamp", what, i+1)
			}
			out[i] = "now"
			if offset != 0 {
				out[i] = "now+" + engine.FormatSpan(time.Duration(offset))
			}
			stamps = append(stamps, engine.Stamp{Arg: i, Offset: time.Duration(offset)})
		default:
			L.RaiseError("%s %d is a %s: write a text, a number or stamp()", what, i+1, v.Type())
		}
	}
	return out, stamps
}

// number is a number as it is sent. From 2^53 on, what the program says may have lost
// digits already.
func number(L *lua.LState, f float64, what string, i int) string {
	switch {
	case math.Abs(f) >= 1<<53:
		L.RaiseError("%s %d is %.0f: Lua keeps numbers exactly only below 2^53, so write it as a text, \"…\"", what, i, f)
	case f == math.Trunc(f):
		return strconv.FormatInt(int64(f), 10)
	}
	return strconv.FormatFloat(f, 'g', 17, 64)
}

// span reads a duration: a number of milliseconds, or text as lessons write it.
func span(L *lua.LState, arg int) time.Duration {
	switch v := L.Get(arg).(type) {
	case lua.LNumber:
		ms := float64(v)
		if ms >= 0 && ms <= float64(engine.MaxSpan/time.Millisecond) && ms == math.Trunc(ms) {
			return time.Duration(ms) * time.Millisecond
		}
		L.RaiseError("%v is no span: a whole number of milliseconds, not below zero", ms)
	case lua.LString:
		d, err := engine.ParseSpan(string(v))
		if err != nil {
			L.RaiseError("%s", err.Error())
		}
		return d
	default:
		L.RaiseError("a span is needed: milliseconds, or text such as \"10s\"")
	}
	return 0
}
