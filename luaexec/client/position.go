package client

import (
	"lockstep/engine"
	"lockstep/luaexec"
	"lockstep/luaexec/lua"
)

// mostFrames bounds how much of a deep recursion is told: its innermost calls and
// the one that the program began with.
const mostFrames = 16

// Position is where the coroutine stands. Its stack is still there while it waits,
// and when it has failed.
func (c *coroutine) Position() *engine.Position {
	frames := waiting(c.thread)
	if len(frames) == 0 {
		return nil
	}
	return &engine.Position{Frames: frames}
}

// Watch tells the lines that the coroutine runs. The rest of the statement in which
// it waits is no line of its own.
func (c *coroutine) Watch(tell func(*engine.Position) bool) { c.tell = tell }

// watched has the lines told that run until the coroutine waits again.
func (c *coroutine) watched() {
	L := c.machine.state
	if c.tell == nil {
		L.Watch(nil)
		return
	}
	L.Watch(func(thread *lua.State) {
		if thread.Chunk() == preludeName {
			return
		}
		if !c.tell(&engine.Position{Frames: running(thread)}) {
			L.Watch(nil)
		}
	})
}

// waiting are the calls on the stack of a thread that does not run, innermost first.
// What the prelude's pcall runs has a stack of its own.
func waiting(thread *lua.State) []engine.Frame {
	var frames []engine.Frame
	calls := thread.Activations()
	if len(calls) > 0 {
		if inner := protected(thread, calls[0]); inner != nil {
			frames = waiting(inner)
		}
	}
	return add(frames, calls)
}

// running are the calls of a thread that runs, and of those that wait for it.
func running(thread *lua.State) []engine.Frame {
	var frames []engine.Frame
	for ; thread != nil; thread = thread.Resumer() {
		frames = add(frames, thread.Activations())
	}
	return frames
}

// add puts calls behind others, without those of the prelude and those that end.
func add(frames []engine.Frame, calls []lua.Activation) []engine.Frame {
	for _, a := range calls {
		if a.Chunk != preludeName && a.Line > 0 {
			frames = append(frames, frame(a))
		}
	}
	if len(frames) > mostFrames {
		frames = append(frames[:mostFrames-1], frames[len(frames)-1])
	}
	return frames
}

// protected is the coroutine in which the prelude's pcall runs a function, when
// that is what a call waits for.
func protected(thread *lua.State, a lua.Activation) *lua.State {
	if a.Chunk != preludeName {
		return nil
	}
	for _, v := range a.Outer {
		if inner, ok := v.Value.(*lua.State); ok && thread.Status(inner) != "dead" {
			return inner
		}
	}
	return nil
}

func frame(a lua.Activation) engine.Frame {
	f := engine.Frame{Chunk: a.Chunk, First: a.First, Last: a.Last, Line: a.Line}
	for _, v := range a.Locals {
		f.Locals = append(f.Locals, engine.Local{Name: v.Name, Value: luaexec.Describe(v.Value)})
	}
	for _, v := range a.Outer {
		if _, ok := v.Value.(*lua.Function); !ok {
			f.Outer = append(f.Outer, engine.Local{Name: v.Name, Value: luaexec.Describe(v.Value)})
		}
	}
	return f
}
