package luaexec

import (
	lua "github.com/yuin/gopher-lua"
)

// What a coroutine takes.
const (
	coroutineCost      = 500 // instructions, for its memory
	coroutineFrames    = 2000
	coroutineRegisters = 64
)

// maxNested is how many calls of pcall and resume may wait for one another, as
// in Redis's Lua: each takes a piece of the Go stack.
const (
	maxNested   = 198
	nestedError = "C stack overflow"
)

// openCoroutine opens gopher-lua's library and replaces what would lose the
// budget: a new thread gets a context of its own, which does not count.
func (s *Sandbox) openCoroutine(L *lua.LState) *lua.LTable {
	L.Push(L.NewFunction(lua.OpenCoroutine))
	L.Call(0, 1)
	theirs, ok := L.Get(-1).(*lua.LTable)
	L.Pop(1)
	if !ok {
		panic("luaexec: gopher-lua opened no coroutine library")
	}
	create, resume := original(theirs, "create"), original(theirs, "resume")
	lib := L.CreateTable(0, 8)
	register(L, lib, map[string]lua.LGFunction{
		"create": func(L *lua.LState) int {
			L.Push(s.spawn(L, create))
			return 1
		},
		"wrap": func(L *lua.LState) int {
			thread := s.spawn(L, create)
			L.Push(L.NewClosure(func(L *lua.LState) int {
				L.Insert(thread, 1)
				return s.resumeOrRaise(L, resume)
			}, thread)) // as an upvalue, weigh finds it
			return 1
		},
		"resume": func(L *lua.LState) int {
			if _, ok := L.Get(1).(*lua.LState); !ok {
				argumentError(L, 1, "coroutine expected")
			}
			return s.resume(L, resume)
		},
		"running": coroutineRunning,
		"status":  coroutineStatus,
		"yield":   coroutineYield,
	})
	return lib
}

func original(lib *lua.LTable, name string) lua.LGFunction {
	f, ok := lib.RawGetString(name).(*lua.LFunction)
	if !ok {
		panic("luaexec: gopher-lua has no coroutine." + name)
	}
	return f.GFunction
}

// spawn makes a thread of the function at index 1, small and under the same
// budget.
func (s *Sandbox) spawn(L *lua.LState, create lua.LGFunction) *lua.LState {
	if f, ok := L.Get(1).(*lua.LFunction); !ok || f.IsG {
		argumentError(L, 1, "Lua function expected")
	}
	charge(L, coroutineCost)
	options, ctx := L.Options, L.Context()
	L.Options.CallStackSize, L.Options.MinimizeStackMemory = coroutineFrames, true
	L.Options.RegistrySize = coroutineRegisters
	if ctx != nil {
		L.RemoveContext()
	}
	create(L)
	L.Options = options
	thread := L.ToThread(-1)
	L.Pop(1)
	if ctx != nil {
		L.SetContext(ctx)
		thread.SetContext(ctx)
	}
	return thread
}

// resume runs the thread at index 1 one level deeper. The level is right again
// after an error too, unless all unwinds: then Reset says so.
func (s *Sandbox) resume(L *lua.LState, resume lua.LGFunction) int {
	if s.nested >= maxNested {
		raisePlain(L, nestedError)
	}
	if status := threadStatus(L, L.ToThread(1)); status != "suspended" {
		L.Push(lua.LFalse)
		L.Push(lua.LString("cannot resume " + status + " coroutine"))
		return 2
	}
	s.nested++
	n := resume(L)
	s.nested--
	return n
}

// resumeOrRaise is a call of what wrap made: an error goes on in the caller.
func (s *Sandbox) resumeOrRaise(L *lua.LState, with lua.LGFunction) int {
	n := s.resume(L, with)
	if lua.LVAsBool(L.Get(-n)) {
		return n - 1
	}
	v := L.Get(-1)
	if text, ok := asString(v); ok {
		raise(L, text)
	}
	L.Error(v, 0)
	return 0
}

// coroutineYield refuses where gopher-lua would lose its way: outside of a
// coroutine and below a Go function, such as pcall.
func coroutineYield(L *lua.LState) int {
	const refused = "attempt to yield across metamethod/C-call boundary"
	if L.Parent == nil {
		raisePlain(L, refused)
	}
	for level := 1; ; level++ {
		charge(L, int64(level/8)) // finding a level takes as many steps
		_, line := position(L, level)
		switch line {
		case 0:
			return -1
		case -1:
			raisePlain(L, refused)
		}
	}
}

func coroutineStatus(L *lua.LState) int {
	thread, ok := L.Get(1).(*lua.LState)
	if !ok {
		argumentError(L, 1, "coroutine expected")
	}
	L.Push(lua.LString(threadStatus(L, thread)))
	return 1
}

// threadStatus is the status of a thread as the running one, L, sees it.
func threadStatus(L, thread *lua.LState) string {
	if thread == L {
		return "running"
	}
	if thread.Dead {
		return "dead"
	}
	for p := L.Parent; p != nil; p = p.Parent {
		if p == thread {
			return "normal"
		}
	}
	return "suspended"
}

func coroutineRunning(L *lua.LState) int {
	if L.Parent == nil {
		L.Push(lua.LNil)
	} else {
		L.Push(L)
	}
	return 1
}
