package luaexec

import (
	"errors"
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"lockstep/engine/reply"
)

// Sizes of a state. The registry grows in big steps: in small ones, a long unpack would copy it once
// per value.
const (
	registrySize     = 512
	registryMaxSize  = 512 << 10
	registryGrowStep = 32 << 10
)

// Host is the server that a script runs on.
type Host interface {
	// Call answers the command of a redis.call. cost is its price in instructions.
	Call(args []string) (r reply.Reply, cost int64)
	// Lacks is told of a global that a script has asked for and that is not there, as its pcall may hide that.
	Lacks(global, message string)
}

// Invocation is one call of a script.
type Invocation struct {
	Keys, Args []string
	Budget     int64        // instructions that the script may run
	Guard      func() error // called from time to time; its error ends the script. nil: no guard
	Random     *Random      // of the server: math.random goes on where the last script ended
}

// Machine is one Lua state that runs scripts, one after the other, for one host.
// Invariant: between two runs of a healthy machine nothing of a script is left in it.
type Machine struct {
	L       *lua.LState
	sandbox *Sandbox
	budget  *Budget
	handler *lua.LFunction
	host    Host
	call    Invocation // of the running script

	unweighed int64 // instructions until its memory is measured again

	args      []string                  // of the running redis.call
	functions [16]*lua.LFunction        // a cache: functions[i] is the main chunk of programs[i]
	programs  [16]*Program              // at Index modulo the length
	failure   struct{ text, at string } // of the last error
}

// NewMachine makes a machine whose scripts call the host. It costs far more than a run: keep
// machines, and use them again.
func NewMachine(host Host) *Machine {
	L := lua.NewState(lua.Options{
		CallStackSize:       maxCalls + handlerCalls,
		MinimizeStackMemory: true,
		RegistrySize:        registrySize,
		RegistryMaxSize:     registryMaxSize,
		RegistryGrowStep:    registryGrowStep,
		SkipOpenLibs:        true,
	})
	leaveRoom(L)
	s := &Machine{L: L, host: host, budget: NewBudget(DefaultBudget)}
	s.sandbox = OpenSafe(L)
	s.openRedis()
	s.openCJSON()
	openCmsgpack(L)
	openLibrary(L, "struct", structFunctions)
	s.protectGlobals()
	s.handler = L.NewFunction(s.explain)
	s.budget.guard = s.mayGoOn
	s.budget.Apply(L)
	return s
}

// Run runs a program to its end and answers as Redis does. An unhealthy machine must not run again.
func (s *Machine) Run(p *Program, i Invocation) (r reply.Reply, healthy bool) {
	s.call = i
	s.sandbox.Random, s.sandbox.sources = *i.Random, p.sources
	s.budget.limit, s.unweighed = i.Budget, 0
	s.budget.Reset()
	s.texts("KEYS", i.Keys)
	s.texts("ARGV", i.Args)
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
	if healthy = healthy && s.budget.exceeded == nil; healthy { // a script that was ended may hold too much memory
		s.sandbox.Reset()
		s.L.G.CurrentThread = s.L
	}
	return r, healthy
}

// protect calls a function and never panics. gopher-lua recovers panics of the function, but can
// panic again while it words the error.
func (s *Machine) protect(fn *lua.LFunction) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &lua.ApiError{Type: lua.ApiErrorPanic, Object: lua.LString(fmt.Sprint(p))}
		}
	}()
	s.L.Push(fn)
	defer leaveRoom(s.L)
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

func (s *Machine) texts(name string, texts []string) {
	t := s.L.CreateTable(len(texts), 0)
	for _, text := range texts {
		t.Append(lua.LString(text))
	}
	s.L.G.Global.RawSetString(name, t)
}

// explain is the error handler: it runs before the stack unwinds, and keeps text and line for the reply.
func (s *Machine) explain(L *lua.LState) int {
	v := L.Get(1)
	level := 1
	source, line := position(L, level)
	if line == 0 { // a call that was too deep, and has not begun
		level++
		source, line = position(L, level)
	}
	if line == -1 {
		source, line = position(L, level+1)
	}
	if text, ok := v.(lua.LString); ok {
		said := s.sandbox.Say(L, string(text), 1)
		_, from, _, _ := s.sandbox.cutPosition(string(text))
		if _, to, _, ok := s.sandbox.cutPosition(said); ok && from == line {
			line = to // Lua 5.1 may take another line of the same statement
		}
		v = lua.LString(said)
	}
	s.failure.text = failureText(s.sandbox, v)
	if s.budget.exceeded != nil { // the guard ended the script: its own error is not the cause
		s.failure.text = "ERR " + s.budget.exceeded.Error()
	}
	s.failure.at = ""
	switch {
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

// errorReply is the reply to an error that a script did not catch. The state is unhealthy after a panic of Go, and
// after an error in a program with inner functions: their closures may refer to the unwound stack.
func (s *Machine) errorReply(p *Program, err error) (r reply.Reply, healthy bool) {
	var raised *lua.ApiError
	if !errors.As(err, &raised) || raised.Type == lua.ApiErrorPanic || s.failure.text == "" {
		text := "ERR " + goPanicMessage(err)
		return reply.OfError(reply.OneLine(fmt.Sprintf("%s script: %s.", text, p.SHA))), false
	}
	text := s.failure.text
	if s.failure.at != "" {
		text = fmt.Sprintf("%s script: %s, on %s.", text, p.SHA, s.failure.at)
	}
	s.failure.text, s.failure.at = "", ""
	return reply.OfError(reply.OneLine(text)), len(p.proto.FunctionPrototypes) == 0
}

// goPanicMessage words a failure of the virtual machine in one line.
func goPanicMessage(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	switch {
	case strings.Contains(line, "stack overflow"):
		return "stack overflow"
	case strings.Contains(line, "nil pointer dereference"):
		return "attempt to call a value that is not a function"
	}
	return "the script failed in the Lua engine: " + line
}
