package client

import (
	"fmt"
	"reflect"

	lua "github.com/yuin/gopher-lua"

	"lockstep/engine"
	"lockstep/luaexec"
)

// maxFrames limits how much of a deep recursion a position reports: the innermost calls
// and the outermost one. The others limit the variables of all frames together.
const (
	maxFrames    = 16
	maxVariables = 100
	maxText      = 16 << 10 // bytes of names and values
)

// Position is where the coroutine stands. A waiting coroutine still has its stack; that of
// a failed one was recorded when the error was raised.
func (c *coroutine) Position() *engine.Position {
	frames := c.failed
	if c.waiting != nil {
		frames = c.machine.frames(c.thread)
	}
	if len(frames) == 0 {
		return nil
	}
	return &engine.Position{Frames: frames}
}

// begin makes the running thread record the stack when an uncaught error is raised,
// because raising it unwinds the stack.
func (m *machine) begin(L *lua.LState) int {
	m.wordErrors(L)
	raise := L.Panic
	L.Panic = func(L *lua.LState) {
		m.running.failed = m.stackOf(L)
		raise(L)
	}
	return 0
}

// frames are the calls on the stack of a waiting thread, innermost first. A function that
// the prelude's pcall runs has a stack of its own.
func (m *machine) frames(thread *lua.LState) []engine.Frame {
	var frames []engine.Frame
	calls := callsOf(thread)
	if len(calls) > 0 {
		if inner := calls[0].protected(); inner != nil {
			frames = m.frames(inner)
		}
	}
	return m.add(frames, thread, calls)
}

// stackOf are the calls of a running thread, followed by those of the threads that wait
// for it.
func (m *machine) stackOf(thread *lua.LState) []engine.Frame {
	var frames []engine.Frame
	for ; thread != nil; thread = thread.Parent {
		frames = m.add(frames, thread, callsOf(thread))
	}
	return frames
}

// add appends the calls of a thread, leaving out those of the prelude.
func (m *machine) add(frames []engine.Frame, thread *lua.LState, calls []call) []engine.Frame {
	r := textBudget{maxVariables, maxText}
	for _, f := range frames {
		r.take(f.Locals)
		r.take(f.Outer)
	}
	for _, c := range calls {
		s := m.program.at(c.fn.Proto, c.pc)
		if s == nil {
			continue
		}
		frames = append(frames, c.frame(thread, s, &r))
		if len(frames) > maxFrames {
			frames = append(frames[:maxFrames-1], frames[len(frames)-1])
		}
	}
	return frames
}

// textBudget is how much more a position may report.
type textBudget struct{ variables, text int }

func (r *textBudget) take(ls []engine.Local) {
	for _, l := range ls {
		r.variables--
		r.text -= len(l.Name) + len(l.Value)
	}
}

// describe adds a variable, or counts it when there is no more room.
func (r *textBudget) describe(ls []engine.Local, omitted *int, name string, v lua.LValue) []engine.Local {
	if r.variables <= 0 || r.text <= 0 {
		*omitted++
		return ls
	}
	l := engine.Local{Name: name, Value: luaexec.Describe(v)}
	r.take([]engine.Local{l})
	return append(ls, l)
}

// call is a call of a function that has not returned.
type call struct {
	debug *lua.Debug
	fn    *lua.LFunction
	pc    int // of the instruction that it is at
}

// callsOf lists the calls on a stack. gopher-lua also counts a level for each call that a
// tail call has replaced, and returns the outermost call for that level.
func callsOf(thread *lua.LState) []call {
	var all []lua.Debug
	for level := 0; ; level++ {
		debug, ok := thread.GetStack(level)
		if !ok {
			break
		}
		all = append(all, *debug)
	}
	var calls []call
	for i, debug := range all {
		if outermost := len(all) - 1; debug == all[outermost] && i < outermost {
			continue
		}
		if c, ok := callOf(thread, &debug); ok {
			calls = append(calls, c)
		}
	}
	return calls
}

func callOf(thread *lua.LState, debug *lua.Debug) (call, bool) {
	v, _ := thread.GetInfo("f", debug, lua.LNil)
	fn, ok := v.(*lua.LFunction)
	return call{debug, fn, pcOf(debug)}, ok
}

// pcOf is the index of the instruction that a call is at. gopher-lua does not export it.
func pcOf(debug *lua.Debug) int {
	frame := reflect.ValueOf(debug).Elem().FieldByName("frame")
	return int(frame.Elem().FieldByName("Pc").Int()) - 1
}

// protected is the coroutine in which the prelude's pcall runs a function, if the call is
// waiting for one.
func (c call) protected() *lua.LState {
	if c.fn.Proto.SourceName != preludeName {
		return nil
	}
	for _, v := range c.fn.Upvalues {
		if inner, ok := v.Value().(*lua.LState); ok && !inner.Dead {
			return inner
		}
	}
	return nil
}

func (c call) frame(thread *lua.LState, s *luaexec.Statement, room *textBudget) engine.Frame {
	p, omitted := c.fn.Proto, 0
	f := engine.Frame{Chunk: p.SourceName, First: p.LineDefined, Last: p.LastLineDefined, Line: s.Line}
	if f.First == 0 {
		f.Last = 0
	}
	for _, r := range s.Locals {
		_, v := thread.GetLocal(c.debug, r.Index+1)
		f.Locals = room.describe(f.Locals, &omitted, r.Name, v)
	}
	for i, v := range c.fn.Upvalues {
		if value := v.Value(); value.Type() != lua.LTFunction && i < len(p.DbgUpvalues) {
			f.Outer = room.describe(f.Outer, &omitted, p.DbgUpvalues[i], value)
		}
	}
	if omitted > 0 {
		f.Outer = append(f.Outer, engine.Local{Name: "…", Value: fmt.Sprintf("%d more", omitted)})
	}
	return f
}
