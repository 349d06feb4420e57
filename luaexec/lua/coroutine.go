package lua

// NewThread makes a coroutine of a function.
func (L *State) NewThread(f *Function) *State {
	thread := newState(L.shared)
	thread.Push(f)
	return thread
}

// Status is what coroutine.status answers to code that runs on L.
func (L *State) Status(thread *State) string {
	switch {
	case thread == L:
		return "running"
	case thread.status == statusYielded:
		return "suspended"
	case thread.status == statusFailed:
		return "dead"
	case thread.depth > 0:
		return "normal"
	case thread.top == 1:
		return "dead"
	}
	return "suspended"
}

// Resume runs a coroutine with some arguments until it yields or ends. The results
// are what it yields or returns.
func (L *State) Resume(thread *State, args ...Value) (results []Value, err *Error) {
	if status := L.Status(thread); status != "suspended" {
		return nil, &Error{Value: "cannot resume " + status + " coroutine"}
	}
	if L.goCalls >= maxGoCalls {
		return nil, &Error{Value: "C stack overflow"}
	}
	thread.goCalls = L.goCalls
	L.Charge(int64(len(args) / 4))
	thread.ensure(len(args))
	for _, v := range args {
		thread.stack[thread.top] = v
		thread.top++
	}
	err = thread.resume(L, len(args))
	if err != nil {
		return nil, err
	}
	from := thread.calls[thread.depth].base
	results = append(results, thread.stack[from:thread.top]...)
	thread.top = from
	return results, nil
}

func (L *State) resume(from *State, n int) (err *Error) {
	outer, kept := from.running, from.kept
	L.running, L.resumer = L, from
	L.goCalls++
	L.resumeGoCalls = L.goCalls
	defer func() {
		L.running, L.resumer = outer, nil
		if r := recover(); r != nil {
			var ok bool
			if err, ok = r.(*Error); !ok {
				panic(r)
			}
			L.status, L.kept = statusFailed, kept
		}
	}()
	first := L.top - n
	if L.status == statusYielded {
		L.status = statusReady
		// The call that yielded ends, and what it yielded becomes what it answers.
		if L.finish(first) {
			L.top = L.calls[L.depth].top
		}
	} else if L.precall(first-1, all) != calledLua {
		return nil
	}
	L.execute(L.depth)
	return nil
}

// Resumer is the thread that waits for this one, nil if none does.
func (L *State) Resumer() *State { return L.resumer }

// Yield suspends the running coroutine with its last n values: a function of Go
// ends with return L.Yield(n).
func (L *State) Yield(n int) int {
	if L.goCalls > L.resumeGoCalls {
		L.errorf("attempt to yield across metamethod/C-call boundary")
	}
	L.calls[L.depth].base = L.top - n
	L.status = statusYielded
	return -1
}
