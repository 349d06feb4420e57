package luaexec

import (
	"errors"
	"fmt"

	lua "github.com/yuin/gopher-lua"
)

// quietError keeps gopher-lua from drawing the stack of an error that is caught:
// that takes time in the square of its depth.
func quietError(L *lua.LState) {
	raised := L.Get(-1)
	if text, ok := raised.(lua.LString); ok {
		raised = lua.LString(sandboxOf(L).Say(L, string(text), 0))
	}
	panic(&lua.ApiError{Type: lua.ApiErrorRun, Object: raised, StackTrace: "caught"})
}

func callQuietly(L *lua.LState) int {
	L.Panic = quietError
	failed, base := true, registersOf(L)
	defer func() {
		if failed {
			unshare(L, base)
		}
	}()
	L.Call(L.GetTop()-1, lua.MultRet)
	failed = false
	return L.GetTop()
}

// protectedCall runs the function at index 1 of the stack with the arguments
// above it. Its results, or the error, are what is left on the stack.
//
// A handler is called where the error is raised, with the stack as it is there,
// and what it returns is the error.
func (s *Sandbox) protectedCall(L *lua.LState, handler *lua.LFunction) (failure lua.LValue) {
	const cost = 20 // instructions, for the Go stack that it takes
	charge(L, cost)
	n := L.GetTop()
	if f := L.Get(1); f.Type() != lua.LTFunction && L.GetMetaField(f, "__call") == lua.LNil {
		return lua.LString(fmt.Sprintf("attempt to call a %s value", f.Type()))
	}
	L.Insert(s.quietly, 1)
	budget, caught := budgetOf(L), caught(L)
	depth, before := budget.depth, *caught
	budget.depth-- // callQuietly is not of Lua
	*caught = true
	room := len(*segments(L))
	err := L.PCall(n, lua.MultRet, handler)
	*segments(L) = (*segments(L))[:room]
	budget.depth, *caught = depth, before
	if err == nil {
		return nil
	}
	var raised *lua.ApiError
	if errors.As(err, &raised) && raised.Type != lua.ApiErrorPanic {
		if text, ok := raised.Object.(lua.LString); ok {
			return lua.LString(asLuaSays(string(text)))
		}
		return raised.Object
	}
	return lua.LString(goPanicMessage(err))
}

// realLevel is the level of the stack that Lua code means by a number: it does not
// know of callQuietly, nor of what calls the handlers of xpcall.
func (s *Sandbox) realLevel(L *lua.LState, level int) int {
	for i := 1; i <= level; i++ {
		frame, ok := L.GetStack(i)
		if !ok {
			break
		}
		if f, err := L.GetInfo("f", frame, lua.LNil); err == nil && (f == s.quietly || s.isHandling(f)) {
			level++
		}
	}
	return level
}

// pcall is pcall as Redis replaces it: an error table with an err field
// becomes that text.
func (s *Sandbox) pcall(L *lua.LState) int {
	checkAny(L, 1)
	failure := s.protectedCall(L, nil)
	if failure == nil {
		L.Insert(lua.LTrue, 1)
		return L.GetTop()
	}
	if t, ok := failure.(*lua.LTable); ok {
		if text, ok := asString(t.RawGetString("err")); ok {
			failure = lua.LString(text)
		}
	}
	return push(L, lua.LFalse, failure)
}

func (s *Sandbox) xpcall(L *lua.LState) int {
	f, handler := L.Get(1), checkAny(L, 2)
	L.SetTop(0)
	L.Push(f)
	failure := s.protectedCall(L, L.NewClosure(s.handling(handler), s.quietly)) // by which isHandling knows it
	if failure == nil {
		L.Insert(lua.LTrue, 1)
		return L.GetTop()
	}
	L.SetTop(0)
	return push(L, lua.LFalse, failure)
}

// errorInHandling is what comes of a handler that fails with its own errors, too.
const errorInHandling = "error in error handling"

// handling calls a handler with an error; when the handler fails, it is called with its own
// error, until calls are too deep.
func (s *Sandbox) handling(handler lua.LValue) lua.LGFunction {
	return func(L *lua.LState) int {
		v := L.Get(1)
		for depth := budgetOf(L).depth; depth < maxErrorDepth && handler.Type() == lua.LTFunction; depth++ {
			if depth == maxDepth {
				v = lua.LString(depthError)
				continue
			}
			L.SetTop(0)
			L.Push(handler)
			L.Push(v)
			if v = s.protectedCall(L, nil); v == nil {
				L.SetTop(1)
				return 1
			}
		}
		return push(L, lua.LString(errorInHandling))
	}
}

// isHandling tells whether a function is one that xpcall has put before a handler.
func (s *Sandbox) isHandling(f lua.LValue) bool {
	fn, ok := f.(*lua.LFunction)
	return ok && len(fn.Upvalues) == 1 && fn.Upvalues[0].Value() == s.quietly
}
