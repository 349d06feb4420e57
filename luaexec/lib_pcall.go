package luaexec

import "lockstep/luaexec/lua"

// basePCall is pcall as Redis replaces it: an error table with an err field becomes
// that text, and one without is followed by the nil that was found there.
func basePCall(L *lua.State) int {
	n := L.Top()
	if n == 0 {
		L.ArgumentError(1, "value expected") // Redis calls what lies below its stack
	}
	failure := protect(L, n-1, nil)
	if failure == nil {
		L.Insert(true, 1)
		return L.Top()
	}
	L.SetTop(0)
	L.Push(false)
	L.Push(failure.Value)
	if t, ok := failure.Value.(*lua.Table); ok {
		text := L.Index(t, "err")
		if _, ok := lua.ToString(text); ok {
			L.Pop(1)
		}
		L.Push(text)
	}
	return L.Top()
}

// baseXPCall calls its handler where an error is raised, with the stack as it is
// there.
func baseXPCall(L *lua.State) int {
	handler := L.CheckAny(2)
	L.SetTop(1)
	failure := protect(L, 0, handler)
	if failure == nil {
		L.Insert(true, 1)
		return L.Top()
	}
	L.SetTop(0)
	L.Push(false)
	L.Push(failure.Value)
	return 2
}

// protect calls the function below n arguments. That the budget is used up is not
// caught.
func protect(L *lua.State, n int, handler lua.Value) *lua.Error {
	const cost = 20 // instructions, for what Go takes to unwind its stack
	L.Charge(cost)
	failure := L.ProtectedCall(n, handler)
	if failure != nil && failure.Final() {
		panic(failure)
	}
	return failure
}
