package client

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"lockstep/engine"
	"lockstep/luaexec/lua"
)

// primitives is the table that the prelude builds a program's functions from.
// Each function checks its arguments and returns a request.
func (m *machine) primitives() *lua.Table {
	L := m.state
	t := L.NewTable(0, 0)
	for name, make := range map[string]func(*lua.State) engine.Request{
		"eval":    m.eval,
		"command": command,
		"subscribe": func(L *lua.State) engine.Request {
			return engine.Subscribe{Node: L.CheckString(1), Channel: L.CheckString(2)}
		},
		"unsubscribe": func(L *lua.State) engine.Request {
			return engine.Unsubscribe{Node: L.CheckString(1), Channel: L.CheckString(2)}
		},
		"receive": receive,
		"sleep":   func(L *lua.State) engine.Request { return engine.Sleep{For: span(L, 1), Label: L.CheckString(2)} },
		"enter":   func(L *lua.State) engine.Request { return engine.Enter{Section: L.CheckString(1)} },
		"leave":   func(L *lua.State) engine.Request { return engine.Leave{Section: L.CheckString(1)} },
		"want":    func(L *lua.State) engine.Request { return engine.Want{Section: L.CheckString(1)} },
		"unwant":  func(L *lua.State) engine.Request { return engine.Unwant{Section: L.CheckString(1)} },
		"say":     func(L *lua.State) engine.Request { return engine.Say{Text: L.CheckString(1)} },
		"cancel":  func(L *lua.State) engine.Request { return engine.Cancel{Name: L.CheckString(1)} },
		"spawn": func(L *lua.State) engine.Request {
			return engine.Spawn{Name: L.CheckString(1), Actor: m.coroutine(L.CheckFunction(2))}
		},
	} {
		t.SetString(name, L.NewFunction(func(L *lua.State) int {
			L.Push(&lua.Userdata{Value: make(L)})
			return 1
		}))
	}
	t.SetString("now", L.NewFunction(func(L *lua.State) int {
		L.Push(lua.Number(float64(engine.EpochMillis(m.now))))
		return 1
	}))
	t.SetString("stamp", L.NewFunction(func(L *lua.State) int {
		var offset time.Duration
		if L.Top() > 0 {
			offset = span(L, 1)
		}
		L.Push(&lua.Userdata{Value: stamp(offset)})
		return 1
	}))
	t.SetString("me", m.name)
	t.SetString("process", m.process)
	t.SetString("default", m.setup.Node)
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

func (m *machine) eval(L *lua.State) engine.Request {
	node, name := L.CheckString(1), L.CheckString(2)
	script, ok := m.setup.Scripts[name]
	if !ok {
		L.Failf("this lesson has no script %q", name)
	}
	keys, stamps := texts(L, L.CheckTable(3), "KEYS")
	if len(stamps) > 0 {
		L.Failf("a stamp is no key")
	}
	args, stamps := texts(L, L.CheckTable(4), "ARGV")
	return engine.Exec{Node: node, Op: engine.Op{Script: script, Keys: keys, Args: args}, Stamps: stamps}
}

func command(L *lua.State) engine.Request {
	args, stamps := texts(L, L.CheckTable(2), "argument")
	if len(args) == 0 {
		L.Failf("redis.call needs the name of a command")
	}
	return engine.Exec{Node: L.CheckString(1), Op: engine.Op{Args: args}, Stamps: stamps}
}

func receive(L *lua.State) engine.Request {
	timeout := time.Duration(-1)
	if L.Get(3) != nil {
		timeout = span(L, 3)
	}
	return engine.Receive{Node: L.CheckString(1), Channel: L.CheckString(2), Timeout: timeout}
}

// texts turns a Lua array into what is sent.
func texts(L *lua.State, t *lua.Table, what string) ([]string, []engine.Stamp) {
	out := make([]string, t.Len())
	var stamps []engine.Stamp
	for i := range out {
		switch v := t.GetInt(i + 1).(type) {
		case string:
			out[i] = v
		case float64:
			out[i] = number(v)
		case *lua.Userdata:
			offset, ok := v.Value.(stamp)
			if !ok {
				L.Failf("%s %d is no text, number or stamp", what, i+1)
			}
			out[i] = "now"
			if offset != 0 {
				out[i] = "now+" + engine.FormatSpan(time.Duration(offset))
			}
			stamps = append(stamps, engine.Stamp{Arg: i, Offset: time.Duration(offset)})
		default:
			L.Failf("%s %d is a %s: write a text, a number or stamp()", what, i+1, lua.TypeName(v))
		}
	}
	return out, stamps
}

func number(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.FormatInt(int64(f), 10)
	}
	return strconv.FormatFloat(f, 'g', 17, 64)
}

// span reads a duration: a number of milliseconds, or text as lessons write it.
func span(L *lua.State, arg int) time.Duration {
	switch v := L.Get(arg).(type) {
	case float64:
		ms := v
		if ms >= 0 && ms <= float64(engine.MaxSpan/time.Millisecond) && ms == math.Trunc(ms) {
			return time.Duration(ms) * time.Millisecond
		}
		L.ArgumentError(arg, fmt.Sprintf("%v is no span: a whole number of milliseconds, not below zero", ms))
	case string:
		d, err := engine.ParseSpan(v)
		if err != nil {
			L.ArgumentError(arg, err.Error())
		}
		return d
	default:
		L.ArgumentError(arg, "a span is needed: milliseconds, or text such as \"10s\"")
	}
	return 0
}
