package client

import (
	"errors"
	"fmt"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/luaexec"
	"lockstep/luaexec/lua"
)

// What a thread and its tasks may use in their whole life: a lesson's need a few
// thousand instructions.
const (
	mostInstructions = 2_000_000
	mostMemory       = 16 << 20 // bytes that they hold
)

// machine is the Lua state that a thread and the tasks that it spawned share.
type machine struct {
	setup   Setup
	state   *lua.State
	now     engine.Instant // the clock as last observed
	name    string
	process string
}

// coroutine is one flow of control in a machine: a thread or a task.
type coroutine struct {
	machine *machine
	thread  *lua.State
	waiting engine.Request // whose outcome comes next; nil before the start and at the end
	tell    func(*engine.Position) bool
}

// Start makes an actor that runs the program from its beginning.
func (p *Program) Start(name, process string) engine.Actor {
	m := &machine{
		setup: p.setup, name: name, process: process,
		state: lua.New(lua.NewBudget(mostInstructions, mostMemory)),
	}
	luaexec.OpenSafe(m.state)
	main, library := m.state.Load(p.main), m.state.Load(p.library)
	if err := m.boot(library); err != nil {
		return broken(err.Error())
	}
	return m.coroutine(main)
}

// boot runs the prelude and the client library, which define functions and ask
// for nothing.
func (m *machine) boot(library *lua.Function) error {
	L := m.state
	co, ok := L.Globals().GetString("coroutine").(*lua.Table)
	if !ok {
		return fmt.Errorf("the interpreter has no coroutines")
	}
	L.Globals().SetString("coroutine", nil)
	L.Push(L.Load(prelude))
	if err := L.ProtectedCall(0, nil); err != nil {
		return err
	}
	L.Push(m.primitives())
	for _, name := range []string{"yield", "create", "resume", "status"} {
		L.Push(co.GetString(name))
	}
	if err := L.ProtectedCall(5, nil); err != nil {
		return err
	}
	L.Push(library)
	if err := L.ProtectedCall(0, nil); err != nil {
		return fmt.Errorf("client %s: %w", m.setup.Library.Name, err)
	}
	return nil
}

func (m *machine) coroutine(fn *lua.Function) *coroutine {
	return &coroutine{machine: m, thread: m.state.NewThread(fn)}
}

// Next resumes the coroutine until its next request.
func (c *coroutine) Next(out engine.Outcome) (next engine.Request) {
	defer func() {
		if r := recover(); r != nil {
			next = engine.Done{Failure: fmt.Sprintf("the interpreter gave up: %v", r)}
		}
	}()
	m := c.machine
	m.now = out.Now
	c.watched()
	results := c.results(out)
	c.waiting = nil
	values, err := m.state.Resume(c.thread, results...)
	if spent, ok := errors.AsType[*lua.BudgetError](m.state.Err()); ok {
		return engine.Done{Failure: fmt.Sprintf("ran more than the %d instructions that a program may run", spent.Limit)}
	}
	switch {
	case err != nil:
		return engine.Done{Failure: err.Error()}
	case m.state.Status(c.thread) == "dead":
		return engine.Done{}
	}
	if len(values) == 1 {
		if data, ok := values[0].(*lua.Userdata); ok {
			c.waiting, _ = data.Value.(engine.Request)
		}
	}
	if c.waiting == nil {
		return engine.Done{Failure: "the program yielded something that is no request"}
	}
	return c.waiting
}

// results is what the request that the coroutine waits for returns in Lua: true
// with a value, or false with an error.
func (c *coroutine) results(out engine.Outcome) []lua.Value {
	switch c.waiting.(type) {
	case nil:
		return nil
	case engine.Exec:
		if out.Reply.IsError() {
			return []lua.Value{false, out.Reply.Str}
		}
		return []lua.Value{true, value(c.machine.state, out.Reply)}
	case engine.Receive:
		if !out.TimedOut {
			return []lua.Value{true, out.Message}
		}
	}
	return []lua.Value{true, nil}
}

// value is a reply as client libraries return it: a status is its text, an
// array a table.
func value(L *lua.State, r reply.Reply) lua.Value {
	switch r.Kind {
	case reply.Int:
		return lua.Number(float64(r.Int))
	case reply.Bulk, reply.Status, reply.Error:
		return r.Str
	case reply.Array:
		t := L.NewTable(len(r.Elems), 0)
		for i, e := range r.Elems {
			t.SetInt(i+1, value(L, e))
		}
		return t
	case reply.Nil, reply.Double, reply.Map, reply.Set, reply.Bool, reply.BigNumber, reply.Verbatim:
		// A lesson's clients speak RESP2, which has only nil of these.
	}
	return nil
}

// broken is an actor that could not start.
type broken string

func (b broken) Next(engine.Outcome) engine.Request { return engine.Done{Failure: string(b)} }
