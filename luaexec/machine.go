package luaexec

import (
	"errors"
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"lockstep/engine/reply"
)

// The sizes of a pooled state. The registry must be allowed to grow in big
// steps, or a long unpack copies it once per value.
const (
	callFrames       = 8192
	registrySize     = 512
	registryMaxSize  = 256 << 10
	registryGrowStep = 8192
)

// Host is the server that a script runs on.
type Host interface {
	// Call answers the command of a redis.call, and says how many instructions the
	// script pays for it. resp3: the script wants replies as RESP3 has them.
	Call(args []string, resp3 bool) (r reply.Reply, cost int64)
	// Knows tells whether there is a command of this name.
	Knows(command string) bool
}

// Invocation is how a script is called.
type Invocation struct {
	Keys, Args []string
	InRESP3    bool         // the reply may be of a kind that only RESP3 has
	Budget     int64        // instructions that the script may run
	Guard      func() error // asked from time to time: an error ends the script; nil: nobody is asked
	Random     *Random      // of the server: math.random goes on where the script before it ended
	JSON       *JSONConfig  // of the server: what scripts have told cjson
}

// Machine is one Lua state that runs scripts, one after the other, for one host.
// Nothing that a script does survives in it.
type Machine struct {
	L       *lua.LState
	sandbox *Sandbox
	budget  *Budget
	handler *lua.LFunction
	host    Host
	call    Invocation // of the running script

	keys, argv   *lua.LTable // KEYS and ARGV, reused while no script can have changed them
	nKeys, nArgv int

	resp3     bool  // the running script was told to see replies as RESP3 has them
	unweighed int64 // instructions until it is weighed again

	args      []string                  // of the running redis.call
	functions [16]*lua.LFunction        // main chunks of programs, by index
	programs  [16]*Program              // whose they are
	failure   struct{ text, at string } // of the last error
}

// NewMachine makes a machine whose scripts call the host. That costs far more than a
// script does: machines are to be kept and used again.
func NewMachine(host Host) *Machine {
	L := lua.NewState(lua.Options{
		CallStackSize:    callFrames,
		RegistrySize:     registrySize,
		RegistryMaxSize:  registryMaxSize,
		RegistryGrowStep: registryGrowStep,
		SkipOpenLibs:     true,
	})
	s := &Machine{L: L, host: host, budget: NewBudget(DefaultBudget)}
	s.sandbox = OpenSafe(L)
	s.openRedis()
	s.openCJSON()
	openLibrary(L, "bit", bitFunctions)
	openCmsgpack(L)
	openLibrary(L, "struct", structFunctions)
	s.freshArguments()
	protectGlobals(L)
	s.handler = L.NewFunction(s.explain)
	s.budget.guard = s.mayGoOn
	s.budget.Apply(L)
	return s
}

// Run runs a program to its end and answers as Redis does. A machine that is not
// healthy afterwards must not run another one.
func (s *Machine) Run(p *Program, i Invocation) (r reply.Reply, healthy bool) {
	s.call, s.resp3 = i, false
	s.sandbox.Random, s.sandbox.sources = *i.Random, p.sources
	s.budget.limit, s.unweighed = i.Budget, 0
	s.budget.Reset()
	s.nKeys = fill(s.keys, s.nKeys, i.Keys)
	s.nArgv = fill(s.argv, s.nArgv, i.Args)
	err := s.protect(s.function(p))
	*i.Random = s.sandbox.Random
	healthy = true
	if err == nil {
		r = s.toReply(s.L.Get(-1), 0)
		s.L.Pop(1)
		if s.budget.Spent() {
			r = reply.OfError(fmt.Sprintf("ERR %v script: %s.", s.budget.Err(), p.SHA))
		}
	} else {
		r, healthy = s.errorReply(p, err)
	}
	s.call = Invocation{}
	if healthy = healthy && s.budget.exceeded == nil; healthy { // else it might hold on to what was too much
		s.clean(p)
	}
	return r, healthy
}

// protect calls a function. gopher-lua recovers what panics in it, but can panic
// again while it draws the error: that is recovered here.
func (s *Machine) protect(fn *lua.LFunction) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &lua.ApiError{Type: lua.ApiErrorPanic, Object: lua.LString(fmt.Sprint(p))}
		}
	}()
	s.L.Push(fn)
	return s.L.PCall(0, 1, s.handler)
}

// function is the main chunk of a program on this state.
func (s *Machine) function(p *Program) *lua.LFunction {
	slot := p.Index % len(s.functions)
	if s.programs[slot] != p {
		s.programs[slot], s.functions[slot] = p, load(s.L, p.proto, p.setsGlobals)
	}
	return s.functions[slot]
}

// clean makes the state as good as new after a program.
func (s *Machine) clean(p *Program) {
	s.sandbox.Reset()
	s.L.G.CurrentThread = s.L
	if p.touchesTables {
		s.freshArguments()
	}
}

func (s *Machine) freshArguments() {
	s.keys, s.argv = s.L.CreateTable(4, 0), s.L.CreateTable(4, 0)
	s.nKeys, s.nArgv = 0, 0
	s.L.G.Global.RawSetString("KEYS", s.keys)
	s.L.G.Global.RawSetString("ARGV", s.argv)
}

// fill makes an array of n values hold the texts, and no more. What is there
// already is kept: a call often has the arguments of the one before.
func fill(t *lua.LTable, n int, texts []string) int {
	for ; n > len(texts); n-- {
		t.Remove(-1)
	}
	for i, text := range texts {
		if i < n {
			if old, ok := t.RawGetInt(i + 1).(lua.LString); ok && string(old) == text {
				continue
			}
		}
		t.RawSetInt(i+1, lua.LString(text))
	}
	return len(texts)
}

// explain runs where an error was raised, before the stack unwinds: it notes the
// text and the line that the reply names.
func (s *Machine) explain(L *lua.LState) int {
	v := L.Get(1)
	level := 1
	source, line := position(L, level)
	if line == 0 { // of a call that went too deep, which has not begun
		level++
		source, line = position(L, level)
	}
	if line == -1 {
		source, line = position(L, level+1)
	}
	if text, ok := v.(lua.LString); ok {
		said := s.sandbox.say(L, string(text), 1)
		_, from, _, _ := s.sandbox.cutPosition(string(text))
		if _, to, _, ok := s.sandbox.cutPosition(said); ok && from == line {
			line = to // Lua 5.1 may take another line of the same statement
		}
		v = lua.LString(said)
	}
	s.failure.text = failureText(s.sandbox, v)
	if s.budget.exceeded != nil { // nothing is wrong where the script was ended
		s.failure.text = "ERR " + s.budget.exceeded.Error()
	}
	s.failure.at = ""
	loaded, isLoaded := s.sandbox.chunks[source]
	switch {
	case line > 0 && isLoaded:
		s.failure.at = fmt.Sprintf("%s:%d", loaded, line)
	case line > 0:
		s.failure.at = fmt.Sprintf("@%s:%d", source, line)
	case line == -1:
		s.failure.at = "=[C]:-1"
	}
	return push(L, v)
}

func failureText(s *Sandbox, v lua.LValue) string {
	t, ok := v.(*lua.LTable)
	if !ok {
		if text, ok := asString(v); ok {
			return "ERR " + text
		}
		return "ERR " + s.name(v)
	}
	if text, ok := asString(t.RawGetString("err")); ok {
		return text
	}
	return "ERR the script raised a table without an err field"
}

// errorReply is what a client receives for an error that a script did not catch. A state in which Go itself panicked,
// or in which closures may still look at a stack that is gone, is not healthy.
func (s *Machine) errorReply(p *Program, err error) (r reply.Reply, healthy bool) {
	var raised *lua.ApiError
	if !errors.As(err, &raised) || raised.Type == lua.ApiErrorPanic || s.failure.text == "" {
		if raised != nil && raised.Type == lua.ApiErrorRun {
			// There was no room left to call explain.
			return reply.OfError(oneLine(s.withPosition(p, raised.Object))), false
		}
		text := "ERR " + goPanicMessage(err)
		return reply.OfError(oneLine(fmt.Sprintf("%s script: %s.", text, p.SHA))), false
	}
	text := s.failure.text
	if s.failure.at != "" {
		text = fmt.Sprintf("%s script: %s, on %s.", text, p.SHA, s.failure.at)
	}
	s.failure.text, s.failure.at = "", ""
	return reply.OfError(oneLine(text)), len(p.proto.FunctionPrototypes) == 0
}

// withPosition is an error that explain could not see: its text alone tells the line.
func (s *Machine) withPosition(p *Program, v lua.LValue) string {
	text := failureText(s.sandbox, v)
	source, rest, _ := strings.Cut(strings.TrimPrefix(text, "ERR "), ":")
	line, _, ok := strings.Cut(rest, ":")
	if !ok {
		return fmt.Sprintf("%s script: %s.", text, p.SHA)
	}
	return fmt.Sprintf("%s script: %s, on @%s:%s.", text, p.SHA, source, line)
}

// goPanicMessage says in one line that the virtual machine itself failed.
func goPanicMessage(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	switch {
	case strings.Contains(line, "stack overflow"), strings.Contains(line, "registry overflow"),
		strings.Contains(line, "index out of range [-1]"): // it looks for the line of a call that did not fit
		return "stack overflow"
	case strings.Contains(line, "nil pointer dereference"):
		return "attempt to call a value that is not a function"
	}
	return "the script failed in the Lua engine: " + line
}
