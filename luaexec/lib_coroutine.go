package luaexec

import "lockstep/luaexec/lua"

var coroutineFunctions = map[string]lua.GoFunction{
	"create":  coroutineCreate,
	"resume":  coroutineResume,
	"running": coroutineRunning,
	"status":  coroutineStatus,
	"wrap":    coroutineWrap,
	"yield":   func(L *lua.State) int { return L.Yield(L.Top()) },
}

func newThread(L *lua.State) *lua.State {
	const cost = 100 // instructions, for its stack
	f, ok := L.Get(1).(*lua.Function)
	if !ok || f.IsGo() {
		L.ArgumentError(1, "Lua function expected")
	}
	L.Charge(cost)
	return L.NewThread(f)
}

func coroutineCreate(L *lua.State) int {
	L.Push(newThread(L))
	return 1
}

func coroutineWrap(L *lua.State) int {
	L.Push(L.NewFunction(resumeOrRaise, newThread(L)))
	return 1
}

func checkThread(L *lua.State) *lua.State {
	thread, ok := L.Get(1).(*lua.State)
	if !ok {
		L.ArgumentError(1, "coroutine expected")
	}
	return thread
}

func coroutineResume(L *lua.State) int {
	thread := checkThread(L)
	failure := resume(L, thread, 2)
	if failure != nil {
		L.SetTop(0)
		L.Push(false)
		L.Push(failure.Value)
		return 2
	}
	L.Insert(true, 1)
	return L.Top()
}

// resumeOrRaise is what wrap makes: an error goes on in the caller.
func resumeOrRaise(L *lua.State) int {
	thread, _ := L.Own(1).(*lua.State)
	failure := resume(L, thread, 1)
	if failure == nil {
		return L.Top()
	}
	v := failure.Value
	if text, ok := lua.ToString(v); ok {
		v = L.Where(1) + text
	}
	L.Raise(v)
	return 0
}

// resume passes the arguments from the nth on to a thread: what it yields or returns
// takes the place of all arguments.
func resume(L, thread *lua.State, n int) *lua.Error {
	const cost = 20 // instructions, for what Go takes to unwind its stack
	L.Charge(cost)
	count := max(L.Top()-n+1, 0)
	if thread.Top()+count > lua.MaxStack {
		L.Fail("too many arguments to resume")
	}
	args := make([]lua.Value, count)
	for i := range args {
		args[i] = L.Get(n + i)
	}
	results, failure := L.Resume(thread, args...)
	if failure != nil && failure.Final() {
		panic(failure)
	}
	L.SetTop(0)
	if len(results) >= lua.MaxStack {
		L.Fail("too many results to resume")
	}
	for _, v := range results {
		L.Push(v)
	}
	return failure
}

func coroutineStatus(L *lua.State) int {
	L.Push(L.Status(checkThread(L)))
	return 1
}

func coroutineRunning(L *lua.State) int {
	if L == L.Main() {
		L.Push(nil)
	} else {
		L.Push(L)
	}
	return 1
}
