package luaexec

import lua "github.com/yuin/gopher-lua"

// What a coroutine takes.
const (
	coroutineCost      = 500 // instructions, for its memory
	coroutineCalls     = 2000
	coroutineRegisters = 64
)

// openCoroutine opens gopher-lua's library and replaces what would lose the
// budget: a new thread gets a context of its own, which does not count.
func (s *Sandbox) openCoroutine(L *lua.LState) *lua.LTable {
	theirs := call(L, L.NewFunction(lua.OpenCoroutine)).(*lua.LTable)
	create := theirs.RawGetString("create").(*lua.LFunction).GFunction
	resume := theirs.RawGetString("resume").(*lua.LFunction).GFunction
	lib := L.CreateTable(0, 8)
	register(L, lib, map[string]lua.LGFunction{
		"create": func(L *lua.LState) int {
			return push(L, s.spawn(L, create))
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

// spawn makes a thread of the function at index 1, small and under the same
// budget.
func (s *Sandbox) spawn(L *lua.LState, create lua.LGFunction) *lua.LState {
	if f, ok := L.Get(1).(*lua.LFunction); !ok || f.IsG {
		argumentError(L, 1, "Lua function expected")
	}
	charge(L, coroutineCost)
	options := L.Options
	budget, bounded := L.Context().(*Budget)
	L.Options.CallStackSize, L.Options.MinimizeStackMemory = coroutineCalls+handlerCalls, true
	L.Options.RegistrySize = coroutineRegisters
	L.RemoveContext()
	create(L)
	L.Options = options
	thread := L.ToThread(-1)
	L.Pop(1)
	leaveRoom(thread)
	if bounded {
		budget.Apply(L)
		budget.Apply(thread)
	}
	return thread
}

// resume is coroutine.resume for the thread at index 1. It catches the errors of the thread, and so
// sets the depth of calls back that they leave.
func (s *Sandbox) resume(L *lua.LState, resume lua.LGFunction) int {
	refused, budget := "", budgetOf(L)
	if status := threadStatus(L, L.ToThread(1)); status != "suspended" {
		refused = "cannot resume " + status + " coroutine"
	} else if budget.depth >= maxDepth {
		refused = depthError
	}
	if refused != "" {
		return push(L, lua.LFalse, lua.LString(refused))
	}
	depth := budget.depth
	n := resume(L)
	budget.depth = depth
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
	return push(L, lua.LString(threadStatus(L, thread)))
}

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
		return push(L, lua.LNil)
	}
	return push(L, L)
}
