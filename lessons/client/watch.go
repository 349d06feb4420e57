package client

import (
	lua "github.com/yuin/gopher-lua"

	"lockstep/engine"
	"lockstep/luaexec"
)

// watch follows the lines that a coroutine runs. The interpreter only has a hook for each
// instruction, so a new line is recognized by the statement that the instruction belongs to.
type watch struct {
	tell func(*engine.Position) bool
	last map[lua.Debug]instruction // by call
}

// instruction is the place of one instruction.
type instruction struct {
	proto     *lua.FunctionProto
	pc        int
	statement *luaexec.Statement
}

// Watch reports the lines that the coroutine runs. The rest of the statement in which it
// waited is not reported as a line.
func (c *coroutine) Watch(tell func(*engine.Position) bool) {
	m := c.machine
	c.watch = nil
	if tell == nil {
		return
	}
	w := &watch{tell, map[lua.Debug]instruction{}}
	for thread := c.thread; thread != nil; {
		calls := callsOf(thread)
		thread = nil
		for i, at := range calls {
			w.last[*at.debug] = instruction{at.fn.Proto, at.pc, m.program.at(at.fn.Proto, at.pc)}
			if i == 0 {
				thread = at.protected()
			}
		}
	}
	c.watch = func() { m.look(w) }
}

// look reports the line that the next instruction begins, if it begins one.
func (m *machine) look(w *watch) {
	thread := m.state.G.CurrentThread
	debug, ok := thread.GetStack(0)
	if !ok {
		return
	}
	key := *debug
	now, ok := m.spot(thread, debug)
	if !ok {
		return
	}
	was, known := w.last[key]
	w.last[key] = now
	if known && was.proto == now.proto && was.statement == now.statement && was.pc < now.pc {
		return
	}
	if !w.tell(&engine.Position{Frames: m.stackOf(thread)}) {
		m.budget.Watch(nil)
	}
}

// spot is where a call stands; ok is false in the prelude and between two statements.
func (m *machine) spot(thread *lua.LState, debug *lua.Debug) (instruction, bool) {
	at, ok := callOf(thread, debug)
	if !ok {
		return instruction{}, false
	}
	s := m.program.at(at.fn.Proto, at.pc)
	if s == nil {
		return instruction{}, false
	}
	switch int(at.fn.Proto.Code[at.pc] >> 26) {
	case lua.OP_JMP, lua.OP_CLOSE:
		return instruction{}, false
	}
	return instruction{at.fn.Proto, at.pc, s}, true
}
