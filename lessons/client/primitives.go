package client

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"lockstep/engine"
	"lockstep/node/redis/cluster"
)

// primitives is the table of Go functions below the prelude. Most check their arguments and return a request
// for the prelude to yield.
func (m *machine) primitives() *lua.LTable {
	L := m.state
	t := L.NewTable()
	for name, request := range map[string]func(*lua.LState) engine.Request{
		"eval":      m.eval,
		"command":   command,
		"statement": statement,
		"watch":     watchKeys,
		"multi":     multi,
		"subscribe": func(L *lua.LState) engine.Request {
			return engine.Subscribe{Node: server(L), Channel: text(L, 2, "subscribe", "a channel")}
		},
		"unsubscribe": func(L *lua.LState) engine.Request {
			return engine.Unsubscribe{Node: server(L), Channel: text(L, 2, "unsubscribe", "a channel")}
		},
		"receive": receive,
		"sleep":   func(L *lua.LState) engine.Request { return engine.Sleep{For: span(L, 1), Label: L.CheckString(2)} },
		"enter":   func(L *lua.LState) engine.Request { return engine.Enter{Section: text(L, 1, "enter", "a section")} },
		"leave":   func(L *lua.LState) engine.Request { return engine.Leave{Section: text(L, 1, "leave", "a section")} },
		"refused": func(L *lua.LState) engine.Request { return engine.Refused{Section: text(L, 1, "refused", "a section")} },
		"want":    func(L *lua.LState) engine.Request { return engine.Want{Section: text(L, 1, "want", "a section")} },
		"unwant":  func(L *lua.LState) engine.Request { return engine.Unwant{Section: text(L, 1, "unwant", "a section")} },
		"say":     func(L *lua.LState) engine.Request { return engine.Say{Text: text(L, 1, "say", "a sentence")} },
		"await":   m.await,
		"recall":  func(L *lua.LState) engine.Request { return engine.Recall{Name: text(L, 1, "shared.get", "a name")} },
		"remember": func(L *lua.LState) engine.Request {
			name, kept := text(L, 1, "shared.set", "a name"), ""
			if L.Get(2) != lua.LNil {
				kept = text(L, 2, "shared.set", "a value")
			}
			return engine.Remember{Name: name, Text: kept}
		},
		"cancel": m.cancel,
		"spawn":  m.spawn,
	} {
		t.RawSetString(name, L.NewFunction(func(L *lua.LState) int {
			L.Push(&lua.LUserData{Value: request(L)})
			return 1
		}))
	}
	t.RawSetString("open", L.NewFunction(func(L *lua.LState) int {
		if open := m.program.opens[text(L, 1, "node", "the name of a server")]; open != nil {
			L.Push(L.NewFunctionFromProto(open))
			return 1
		}
		return 0
	}))
	t.RawSetString("begin", L.NewFunction(m.begin))
	t.RawSetString("wordErrors", L.NewFunction(m.wordErrors))
	t.RawSetString("now", L.NewFunction(func(L *lua.LState) int {
		m.clockReads++
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
	t.RawSetString("date", L.NewFunction(m.date))
	t.RawSetString("int64", m.wholeNumbers())
	t.RawSetString("slot", L.NewFunction(func(L *lua.LState) int {
		L.Push(lua.LNumber(cluster.Slot(text(L, 1, "slot", "a key"))))
		return 1
	}))
	t.RawSetString("me", lua.LString(m.name))
	t.RawSetString("process", lua.LString(m.process))
	t.RawSetString("default", lua.LString(m.setup.Node))
	return t
}

// stamp is an argument with the client's clock at the moment of sending, plus an offset.
type stamp time.Duration

// String is the stamp as a program writes it.
func (s stamp) String() string {
	if s == 0 {
		return "stamp()"
	}
	return fmt.Sprintf("stamp(%q)", engine.FormatSpan(time.Duration(s)))
}

func (m *machine) eval(L *lua.LState) engine.Request {
	node, name := server(L), text(L, 2, "redis.eval", "the name of a script")
	script, ok := m.setup.Scripts[name]
	if !ok {
		L.RaiseError("this lesson has no script %q; it has %s", name, strings.Join(slices.Sorted(maps.Keys(m.setup.Scripts)), ", "))
	}
	keys, stamps := texts(L, list(L, 3, name, "keys"), "KEYS")
	if len(stamps) > 0 {
		L.RaiseError("a stamp is not a key")
	}
	args, stamps := texts(L, list(L, 4, name, "arguments"), "ARGV")
	return engine.Exec{Node: node, Op: engine.Op{Script: script, Keys: keys, Args: args, Asking: yes(L, 7)}, Stamps: stamps, ToLeader: yes(L, 6), Timeout: patience(L, 5)}
}

func command(L *lua.LState) engine.Request {
	t := L.CheckTable(2) // from the prelude
	args, stamps := texts(L, t, "argument")
	switch {
	case len(args) == 0:
		L.RaiseError("redis.call needs the name of a command")
	case strings.EqualFold(args[0], "wait"):
		return awaitReplicas(L, args)
	}
	return engine.Exec{Node: server(L), Op: engine.Op{Args: args, Asking: yes(L, 5)}, Stamps: stamps, ToLeader: yes(L, 4), Timeout: patience(L, 3)}
}

// awaitReplicas is WAIT. The engine answers it, because replication is the engine's and no node's.
func awaitReplicas(L *lua.LState, args []string) engine.Request {
	var replicas, ms uint64
	err := errors.New("not two numbers")
	if len(args) == 3 {
		replicas, err = strconv.ParseUint(args[1], 10, 31)
		if err == nil {
			ms, err = strconv.ParseUint(args[2], 10, 41)
		}
	}
	if err != nil {
		L.RaiseError("WAIT takes a number of replicas and milliseconds: write redis.call(\"WAIT\", 1, 1000)")
	}
	timeout := cmp.Or(time.Duration(ms)*time.Millisecond, -1)
	return engine.AwaitReplicas{Node: server(L), ToLeader: yes(L, 4), Replicas: int(replicas), Timeout: timeout}
}

// yes reads an option: send to the leader of the node's group, or send with ASKING.
func yes(L *lua.LState, arg int) bool { return L.Get(arg) == lua.LTrue }

// patience is the time after which the client gives up on a reply; 0: that of all clients.
func patience(L *lua.LState, arg int) time.Duration {
	if L.Get(arg) == lua.LNil {
		return 0
	}
	return span(L, arg)
}

func receive(L *lua.LState) engine.Request {
	timeout := time.Duration(-1)
	if L.Get(3) != lua.LNil {
		timeout = span(L, 3)
	}
	forAll := ""
	if L.Get(4) != lua.LNil {
		forAll = text(L, 4, "receive", "a message")
	}
	return engine.Receive{Node: server(L), Channel: text(L, 2, "receive", "a channel"), Timeout: timeout, ForAll: forAll}
}

// server is the node of a request, from the prelude.
func server(L *lua.LState) string { return text(L, 1, "node", "the name of a server") }

// text is an argument that must be a string, a number or an int64. In its error, call is the name of the
// function and what a description of the argument.
func text(L *lua.LState, arg int, call, what string) string {
	switch v := L.Get(arg).(type) {
	case lua.LString:
		return string(v)
	case lua.LNumber:
		return number(L, float64(v), call+": argument", arg)
	case *lua.LUserData:
		if n, whole := v.Value.(integer); whole {
			return n.String()
		}
	}
	L.RaiseError("%s needs %s as text, not %s", call, what, described(L, arg))
	return ""
}

func list(L *lua.LState, arg int, script, what string) *lua.LTable {
	t, ok := L.Get(arg).(*lua.LTable)
	if !ok {
		L.RaiseError("redis.eval takes the %s in { }, not %s: write redis.eval(%q, {key}, {argument})", what, described(L, arg), script)
	}
	return t
}

// described is an argument's value or type in an error.
func described(L *lua.LState, arg int) string {
	switch v := L.Get(arg); v.Type() {
	case lua.LTNil:
		return "nil"
	case lua.LTString:
		return "the text " + strconv.Quote(v.String())
	case lua.LTUserData:
		if _, whole := v.(*lua.LUserData).Value.(integer); whole {
			return "an int64"
		}
		return "a stamp"
	default:
		return "a " + v.Type().String()
	}
}

// texts converts a Lua array to arguments of a request, with the stamps among them.
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
			if n, whole := v.Value.(integer); whole {
				out[i] = n.String()
				continue
			}
			offset, _ := v.Value.(stamp)
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

// maxExactInteger is 2^53: from there on, Lua's numbers lose digits.
const maxExactInteger = 1 << 53

// number formats an argument like Lua's %.17g. It refuses numbers from 2^53 on: the compiler may have lost
// digits of them already.
func number(L *lua.LState, f float64, what string, i int) string {
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case math.Abs(f) >= maxExactInteger:
		L.RaiseError("%s %d is %.0f: Lua's numbers are exact only below 2^53, so write it in quotes, as text", what, i, f)
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
		L.RaiseError("%v is not a span: use a whole number of milliseconds, zero or more", ms)
	case lua.LString:
		d, err := engine.ParseSpan(string(v))
		if err != nil {
			L.RaiseError("%s", err.Error())
		}
		return d
	default:
		L.RaiseError("this needs a span: milliseconds, or text such as \"10s\"")
	}
	return 0
}
