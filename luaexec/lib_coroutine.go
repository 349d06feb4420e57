package luaexec

import (
	lua "github.com/yuin/gopher-lua"
)

// What coroutines may take: each costs memory, and each that resumes another
// takes a piece of the Go stack.
const (
	coroutineCost        = 500 // instructions
	coroutineFrames      = 2000
	coroutineRegisters   = 64
	maxNestedCoroutines  = 100
	nestedCoroutineError = "C stack overflow"
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
	create, wrap := original(theirs, "create"), original(theirs, "wrap")
	resume := original(theirs, "resume")
	lib := L.CreateTable(0, 8)
	register(L, lib, map[string]lua.LGFunction{
		"create": func(L *lua.LState) int {
			checkFunction(L, 1)
			return s.spawn(L, create)
		},
		"wrap": func(L *lua.LState) int {
			checkFunction(L, 1)
			s.spawn(L, wrap)
			call, _ := L.Get(-1).(*lua.LFunction)
			L.Pop(1)
			inner := call.GFunction
			call.GFunction = func(L *lua.LState) int { return s.nest(L, inner) }
			L.Push(call)
			return 1
		},
		"resume": func(L *lua.LState) int {
			if _, ok := L.Get(1).(*lua.LState); !ok {
				typeError(L, 1, "coroutine")
			}
			return s.nest(L, resume)
		},
		"running": coroutineRunning,
		"status":  original(theirs, "status"),
		"yield":   original(theirs, "yield"),
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

// spawn makes a thread with create or wrap, small and under the same budget.
func (s *Sandbox) spawn(L *lua.LState, with lua.LGFunction) int {
	charge(L, coroutineCost)
	options := L.Options
	L.Options.CallStackSize, L.Options.MinimizeStackMemory = coroutineFrames, true
	L.Options.RegistrySize = coroutineRegisters
	ctx := L.Context()
	if ctx != nil {
		L.RemoveContext()
	}
	n := with(L)
	L.Options = options
	if ctx == nil {
		return n
	}
	L.SetContext(ctx)
	switch made := L.Get(-1).(type) {
	case *lua.LState:
		made.SetContext(ctx)
	case *lua.LFunction:
		if thread, ok := made.Upvalues[0].Value().(*lua.LState); ok {
			thread.SetContext(ctx)
		}
	}
	return n
}

// nest runs a resume one level deeper. After an error the sandbox is told by
// Reset that all is unwound.
func (s *Sandbox) nest(L *lua.LState, resume lua.LGFunction) int {
	if s.nested >= maxNestedCoroutines {
		raise(L, nestedCoroutineError)
	}
	s.nested++
	defer func() { s.nested-- }()
	return resume(L)
}

func coroutineRunning(L *lua.LState) int {
	if L.Parent == nil {
		L.Push(lua.LNil)
	} else {
		L.Push(L)
	}
	return 1
}
