package client

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/reply"
	"lockstep/luaexec"
)

// The limits of a thread together with its tasks: instructions over its whole life, and bytes held at a
// time. Programs of lessons need a few thousand instructions.
const (
	maxInstructions = 2_000_000
	maxMemory       = 2 << 20
)

// Rough estimates in bytes: of a fresh Lua state, and of compiled code per byte of source.
const (
	stateBytes = 64 << 10
	codeBytes  = 24
)

// machine is the Lua state of a thread and all its tasks.
type machine struct {
	setup   Setup
	program *Program
	state   *lua.LState
	budget  *luaexec.Budget
	sandbox *luaexec.Sandbox
	starter *lua.LFunction
	living  []*coroutine // neither ended nor cancelled
	running *coroutine   // the last one that was resumed
	dumper  *luaexec.Dumper
	spawned map[string]bool // names of all tasks, ended ones too

	now        engine.Instant // the clock as last observed
	clockReads int

	name    string
	process string
}

// coroutine is one flow of control in a machine: a thread or a task.
type coroutine struct {
	machine *machine
	name    string // of a task; empty: the thread
	thread  *lua.LState
	fn      *lua.LFunction
	waiting engine.Request // without an outcome yet; nil: not started, or ended
	failed  []engine.Frame // the stack at the error that ended it
	watch   func()         // called before each instruction; nil: nobody follows its lines
}

// Start makes an actor that runs the program from its beginning.
func (p *Program) Start(name, process string) engine.Actor {
	m := &machine{
		setup: p.setup, program: p, name: name, process: process,
		budget: luaexec.NewBudget(maxInstructions), spawned: map[string]bool{},
	}
	m.state = lua.NewState(lua.Options{
		SkipOpenLibs: true, RegistrySize: 1024, RegistryGrowStep: 4096, RegistryMaxSize: 64 * 1024,
		CallStackSize: 200, MinimizeStackMemory: true,
	})
	m.budget.Apply(m.state)
	m.sandbox = luaexec.OpenSafe(m.state)
	m.sandbox.Knows(p.statements...)
	main := m.state.NewFunctionFromProto(p.main)
	library := m.state.NewFunctionFromProto(p.library)
	if err := m.boot(library); err != nil {
		return brokenProgram(err.Error())
	}
	c := m.coroutine("", main)
	m.living = []*coroutine{c}
	m.budget.Keep(maxMemory, m.state, m.threads)
	return c
}

// threads are the Lua threads of living coroutines. Only Go refers to those that wait.
func (m *machine) threads() []*lua.LState {
	all := make([]*lua.LState, len(m.living))
	for i, c := range m.living {
		all[i] = c.thread
	}
	return all
}

// boot runs the prelude and the client library. A library that sends a request while it loads is an error:
// no actor runs yet.
func (m *machine) boot(library *lua.LFunction) error {
	L := m.state
	co := L.GetGlobal(lua.CoroutineLibName).(*lua.LTable)
	L.SetGlobal(lua.CoroutineLibName, lua.LNil)
	L.Push(L.NewFunctionFromProto(prelude))
	if err := L.PCall(0, 1, nil); err != nil {
		return err
	}
	L.Push(m.primitives())
	for _, name := range []string{"yield", "create", "resume", "status"} {
		L.Push(co.RawGetString(name))
	}
	if err := L.PCall(5, 1, nil); err != nil {
		return err
	}
	m.starter = L.Get(-1).(*lua.LFunction)
	L.Pop(1)
	m.dumper = m.newDumper()
	L.Push(library)
	if err := L.PCall(0, 0, nil); err != nil {
		text := message(err)
		if strings.Contains(text, "attempt to yield") {
			text = "it sends a request while it is loaded: a client may only define functions, which programs call later"
		}
		return fmt.Errorf("client %s: %s", m.setup.Library.Name, text)
	}
	return nil
}

func (m *machine) coroutine(name string, fn *lua.LFunction) *coroutine {
	m.state.RemoveContext() // a new thread would derive its own from it, which counts nothing
	thread, _ := m.state.NewThread()
	m.budget.Apply(m.state)
	m.budget.Apply(thread)
	return &coroutine{machine: m, name: name, thread: thread, fn: fn}
}

func (m *machine) spawn(L *lua.LState) engine.Request {
	name := text(L, 1, "spawn", "a name for the task")
	fn, ok := L.Get(2).(*lua.LFunction)
	if !ok {
		L.RaiseError("spawn needs a function after the name, not %s: write spawn(%q, function() … end)", described(L, 2), name)
	}
	c := m.coroutine(name, fn)
	m.living = append(m.living, c)
	m.spawned[name] = true
	return engine.Spawn{Name: c.name, Actor: c}
}

// await refuses a name that no task ever had.
func (m *machine) await(L *lua.LState) engine.Request {
	name := text(L, 1, "await", "a task")
	if !m.spawned[name] {
		L.RaiseError("await: no task %q was spawned", name)
	}
	return engine.Await{Name: name}
}

func (m *machine) cancel(L *lua.LState) engine.Request {
	name := text(L, 1, "cancel", "a task")
	m.living = slices.DeleteFunc(m.living, func(c *coroutine) bool { return c.name == name && name != "" })
	return engine.Cancel{Name: name}
}

// end releases an ended coroutine's stack.
func (m *machine) end(c *coroutine) {
	c.thread, c.fn = nil, nil
	m.living = slices.DeleteFunc(m.living, func(other *coroutine) bool { return other == c })
}

// Bytes is an upper estimate of the memory of a thread with its tasks.
func (c *coroutine) Bytes() int {
	m := c.machine
	return stateBytes + codeBytes*m.program.bytes + int(m.budget.Bytes())
}

// Next resumes the coroutine until its next request.
func (c *coroutine) Next(out engine.Outcome) (next engine.Request) {
	defer func() {
		if r := recover(); r != nil {
			next = engine.Done{Failure: fact.Of("interpreter-gave-up", r)}
		}
	}()
	m := c.machine
	m.now, m.running = out.Now, c
	m.budget.Unwind()
	m.budget.Watch(c.watch)
	results := c.results(out)
	c.waiting = nil
	state, err, values := m.state.Resume(c.thread, m.starter, results...)
	if err != nil || state == lua.ResumeOK {
		m.end(c)
	}
	switch {
	case err != nil && m.budget.Spent():
		return engine.Done{Failure: m.outOfBudget()}
	case err != nil:
		return engine.Done{Failure: fact.Text(c.failure(err))}
	case state == lua.ResumeOK:
		return engine.Done{}
	}
	if len(values) == 1 {
		if data, ok := values[0].(*lua.LUserData); ok {
			c.waiting, _ = data.Value.(engine.Request)
		}
	}
	if c.waiting == nil {
		return engine.Done{Failure: fact.Of("no-request")}
	}
	return c.waiting
}

func (m *machine) outOfBudget() fact.Fact {
	if _, held := errors.AsType[*luaexec.HeldError](m.budget.Err()); held {
		return fact.Of("too-much-memory", maxMemory>>20)
	}
	return fact.Of("too-many-instructions", m.budget.Limit())
}

// results are the arguments for the prelude on resume: true and a value, or false and an error. At the
// start they are the coroutine's function.
func (c *coroutine) results(out engine.Outcome) []lua.LValue {
	switch c.waiting.(type) {
	case nil:
		return []lua.LValue{c.fn}
	case engine.Exec, engine.Subscribe, engine.Unsubscribe, engine.AwaitReplicas, engine.Await, engine.Recall:
		if out.Reply.IsError() {
			return []lua.LValue{lua.LFalse, lua.LString(out.Reply.Str)}
		}
		return []lua.LValue{lua.LTrue, value(c.machine.state, out.Reply)}
	case engine.Receive:
		if !out.TimedOut {
			return []lua.LValue{lua.LTrue, lua.LString(out.Message)}
		}
	}
	return []lua.LValue{lua.LTrue, lua.LNil}
}

// value converts a reply as client libraries do: a status to its text, an array or a row to a table. An
// integer beyond Lua's exact numbers becomes a string of its digits.
func value(L *lua.LState, r reply.Reply) lua.LValue {
	switch r.Kind {
	case reply.Int:
		if r.Int >= maxExactInteger || r.Int <= -maxExactInteger {
			return lua.LString(strconv.FormatInt(r.Int, 10))
		}
		return lua.LNumber(r.Int)
	case reply.Bulk, reply.Status, reply.Error:
		return lua.LString(r.Str)
	case reply.Array:
		t := L.CreateTable(len(r.Elems), 0)
		for i, e := range r.Elems {
			t.RawSetInt(i+1, value(L, e))
		}
		return t
	case reply.Map: // a row of a table, or a ZooKeeper's answer
		t := L.CreateTable(0, len(r.Elems)/2)
		for i := 0; i+1 < len(r.Elems); i += 2 {
			t.RawSetString(r.Elems[i].Str, value(L, r.Elems[i+1]))
		}
		return t
	case reply.Nil, reply.Double, reply.Set, reply.Bool, reply.BigNumber, reply.Verbatim:
		// A lesson's clients speak RESP2, which has only nil of these; a row may have it, too.
	}
	return lua.LNil
}

// failure is the message of an error. For one raised in the prelude, the place is that of the caller: no
// author knows the prelude.
func (c *coroutine) failure(err error) string {
	text := message(err)
	rest, inPrelude := strings.CutPrefix(text, preludeName+":")
	if _, what, ok := strings.Cut(rest, ": "); inPrelude && ok && len(c.failed) > 0 {
		at := c.failed[0]
		text = fmt.Sprintf("%s:%d: %s", at.Chunk, at.Line, what)
	}
	return text
}

// wordErrors adds names of variables to the errors of a thread: gopher-lua leaves them out, Lua does not.
func (m *machine) wordErrors(L *lua.LState) int {
	raise := L.Panic
	L.Panic = func(L *lua.LState) {
		if text, ok := L.Get(-1).(lua.LString); ok {
			L.Push(lua.LString(m.sandbox.Say(L, string(text), 0)))
		}
		raise(L)
	}
	return 0
}

// brokenProgram is an actor that could not start.
type brokenProgram string

func (b brokenProgram) Next(engine.Outcome) engine.Request {
	return engine.Done{Failure: fact.Text(string(b))}
}

// Digest implements engine.Digester: it has already ended.
func (b brokenProgram) Digest() [16]byte { return [16]byte{} }

// ClockReads implements engine.Digester.
func (b brokenProgram) ClockReads() int { return 0 }

// message is the text of an error without a stack trace.
func message(err error) string {
	if e, ok := err.(*lua.ApiError); ok { //nolint:errorlint // gopher-lua returns it unwrapped
		return e.Object.String()
	}
	return err.Error()
}
