package lua

// What a coroutine takes of a script's memory besides its stack.
const coroutineBytes = 1024

// NewThread is a coroutine that will run a Lua function.
func (L *State) NewThread(fn *Function) *State {
	L.world.budget.allocate(coroutineBytes + firstStack*slotBytes)
	t := &State{world: L.world}
	t.initialize()
	t.Push(FunctionValue(fn))
	return t
}

// Status is what coroutine.status says about a thread.
func (L *State) Status(t *State) string {
	switch {
	case L == t:
		return "running"
	case t.status == statusYield:
		return "suspended"
	case t.status != statusOK:
		return "dead"
	case t.depth > 0:
		return "normal"
	case t.top == t.base:
		return "dead"
	}
	return "suspended"
}

// Resume goes on with a suspended coroutine. It gives what it yields or returns;
// after an error ok is false and the one value is the error's.
func (L *State) Resume(t *State, arguments ...Value) (values []Value, ok bool) {
	t.goCalls = L.goCalls
	if t.goCalls >= maxGoCalls {
		return []Value{String("C stack overflow")}, false
	}
	t.ensure(len(arguments))
	for _, v := range arguments {
		t.Push(v)
	}
	t.goCalls++
	t.baseGoCalls = t.goCalls
	t.resumer = L
	s := t.run(len(arguments))
	t.goCalls--
	t.resumer = nil
	L.world.current = L
	if s != statusOK {
		t.status = s
		t.top--
		return []Value{t.stack[t.top]}, false
	}
	values = append([]Value(nil), t.stack[t.base:t.top]...)
	t.top = t.base
	return values, true
}

// run goes on with a thread until it yields, returns or fails. The stack stays as
// the error left it, with the error's value on top: closures may still use it.
func (L *State) run(arguments int) (s status) {
	s = statusRun
	defer func() {
		if s == statusOK {
			return
		}
		r := recover()
		t, ok := r.(*thrown)
		if !ok {
			panic(r)
		}
		s = t.status
		L.stack[L.top] = t.message()
		L.top++
	}()
	L.world.current = L
	L.proceed(L.top - arguments)
	return statusOK
}

func (L *State) proceed(first int) {
	if L.status == statusOK {
		if L.prepare(first-1, multiple) != calledLua {
			return
		}
	} else {
		L.status = statusOK
		if L.leave(first) {
			L.top = L.call.top
		}
	}
	L.execute(L.depth)
}

// Yield suspends the running coroutine with the top n values. A Go function
// returns what it gives.
func (L *State) Yield(n int) int {
	if L.goCalls > L.baseGoCalls {
		L.runError("attempt to yield across metamethod/C-call boundary")
	}
	L.base = L.top - n
	L.status = statusYield
	return -1
}
