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
		raised = lua.LString(sandboxOf(L).say(L, string(text), 0))
	}
	panic(&lua.ApiError{Type: lua.ApiErrorRun, Object: raised, StackTrace: "caught"})
}

func callQuietly(L *lua.LState) int {
	L.Panic = quietError
	L.Call(L.GetTop()-1, lua.MultRet)
	return L.GetTop()
}

// protectedCall runs the function at index 1 of the stack with the arguments
// above it. Its results, or the error, are what is left on the stack.
//
// A handler is called where the error is raised, with the stack as it is there,
// and what it returns is the error.
func (s *Sandbox) protectedCall(L *lua.LState, handler *lua.LFunction) (failure lua.LValue) {
	if s.nested >= maxNested {
		raisePlain(L, nestedError)
	}
	const cost = 20 // instructions, for the Go stack that it takes
	charge(L, cost)
	n := L.GetTop()
	if f := L.Get(1); f.Type() != lua.LTFunction && L.GetMetaField(f, "__call") == lua.LNil {
		return lua.LString(fmt.Sprintf("attempt to call a %s value", f.Type()))
	}
	L.Insert(s.quietly, 1)
	s.nested++
	err := L.PCall(n, lua.MultRet, handler)
	s.nested--
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
// know of callQuietly.
func (s *Sandbox) realLevel(L *lua.LState, level int) int {
	for i := 1; i <= level; i++ {
		frame, ok := L.GetStack(i)
		if !ok {
			break
		}
		if f, err := L.GetInfo("f", frame, lua.LNil); err == nil && f == s.quietly {
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
	L.Push(lua.LFalse)
	L.Push(failure)
	return 2
}

func (s *Sandbox) xpcall(L *lua.LState) int {
	f, handler := L.Get(1), checkAny(L, 2)
	L.SetTop(0)
	L.Push(f)
	fn, ok := handler.(*lua.LFunction)
	if !ok {
		fn = L.NewFunction(errorInHandling)
	}
	failure := s.protectedCall(L, fn)
	if failure == nil {
		L.Insert(lua.LTrue, 1)
		return L.GetTop()
	}
	L.SetTop(0)
	L.Push(lua.LFalse)
	L.Push(failure)
	return 2
}

func errorInHandling(L *lua.LState) int {
	L.Push(lua.LString("error in error handling"))
	return 1
}
