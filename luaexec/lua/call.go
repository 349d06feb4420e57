package lua

// thrown is an error on its way up the Go stack.
type thrown struct {
	status status
	value  Value
}

func (L *State) throw(s status, v Value) { panic(&thrown{s, v}) }

// enter adds an activation.
func (L *State) enter() *callInfo {
	if L.depth+1 >= L.maxDepth {
		L.growCalls()
	}
	L.depth++
	ci := L.call.next
	if ci == nil {
		ci = &callInfo{previous: L.call}
		L.call.next = ci
	}
	L.call = ci
	return ci
}

// growCalls doubles the array of calls that PUC-Rio's Lua would have: the depth
// at which a script overflows depends on its size.
func (L *State) growCalls() {
	if L.maxDepth > maxCalls {
		L.throw(statusHandler, Nil)
	}
	L.maxDepth *= 2
	if L.maxDepth > maxCalls {
		L.runError("stack overflow")
	}
}

// restoreLimit undoes an overflow once the stack has unwound.
func (L *State) restoreLimit() {
	if L.maxDepth > maxCalls && L.depth+1 < maxCalls {
		L.maxDepth = maxCalls
	}
}

// callKind is what preparing a call came to.
type callKind uint8

const (
	calledLua callKind = iota // the new activation is to be executed
	calledGo                  // it ran
	calledYield
)

// prepare calls the function at a slot with the arguments above it: a Lua
// function gets its activation, a Go function runs.
func (L *State) prepare(index, results int) callKind {
	fn, ok := L.stack[index].ref.(*Function)
	if !ok {
		fn = L.callable(index)
	}
	if fn.native != nil {
		return L.callNative(fn, index, results)
	}
	p := fn.proto
	L.ensure(p.registers + p.params)
	base := index + 1
	if p.vararg == 0 {
		if L.top > base+p.params {
			L.top = base + p.params
		}
	} else {
		base = L.adjustVarargs(p, L.top-index-1)
	}
	ci := L.enter()
	ci.fn, ci.index, ci.base, ci.top = fn, index, base, base+p.registers
	ci.pc, ci.tails, ci.results = 0, 0, results
	L.base = base
	clear(L.stack[L.top:ci.top])
	L.top = ci.top
	return calledLua
}

func (L *State) callNative(fn *Function, index, results int) callKind {
	L.ensure(minFree)
	ci := L.enter()
	ci.fn, ci.index, ci.base, ci.top = fn, index, index+1, L.top+minFree
	ci.tails, ci.results = 0, results
	L.base = ci.base
	n := fn.native(L)
	if n < 0 {
		return calledYield
	}
	L.leave(L.top - n)
	return calledGo
}

// leave ends an activation and moves its results, from a slot on, to where the
// function was. It tells whether the caller wanted a fixed number of them.
func (L *State) leave(first int) bool {
	ci := L.call
	L.call = ci.previous
	L.depth--
	L.base = L.call.base
	to, wanted := ci.index, ci.results
	stack := L.stack
	i := wanted
	for ; i != 0 && first < L.top; i-- {
		stack[to] = stack[first]
		to++
		first++
	}
	for ; i > 0; i-- {
		stack[to] = Nil
		to++
	}
	L.top = to
	return wanted != multiple
}

// adjustVarargs moves the fixed arguments above the others, so that registers
// begin with them.
func (L *State) adjustVarargs(p *Proto, actual int) int {
	for ; actual < p.params; actual++ {
		L.stack[L.top] = Nil
		L.top++
	}
	var arg *Table
	if p.vararg&needsArg != 0 {
		n := actual - p.params
		arg = L.NewTable(n, 1)
		for i := range n {
			arg.SetInt(i+1, L.stack[L.top-n+i])
		}
		arg.SetString("n", Int(n))
	}
	L.ChargeInstructions(int64(actual / 4))
	fixed, base := L.top-actual, L.top
	for i := range p.params {
		L.stack[L.top] = L.stack[fixed+i]
		L.stack[fixed+i] = Nil
		L.top++
	}
	if arg != nil {
		L.stack[L.top] = TableValue(arg)
		L.top++
	}
	return base
}

// callable replaces a value that is called by its __call function, with the value
// as the first argument.
func (L *State) callable(index int) *Function {
	f := L.metamethod(L.stack[index], eventCall)
	fn, ok := f.ref.(*Function)
	if !ok {
		L.typeErrorAt(index, "call")
	}
	L.ensure(1)
	copy(L.stack[index+1:L.top+1], L.stack[index:L.top])
	L.top++
	L.stack[index] = f
	return fn
}

// callAt calls the function at a slot with the arguments above it; its results
// take their place.
func (L *State) callAt(index, results int) {
	L.goCalls++
	if L.goCalls >= maxGoCalls {
		if L.goCalls == maxGoCalls {
			L.runError("C stack overflow")
		}
		if L.goCalls >= maxErrorCalls {
			L.throw(statusHandler, Nil)
		}
	}
	if L.prepare(index, results) == calledLua {
		L.execute(1)
	}
	L.goCalls--
}

// protect runs what may raise an error and unwinds to where it began if it does.
// The error's value is then on top of what was there before.
func (L *State) protect(top, handler int, run func()) (s status) {
	goCalls, ci, depth, oldHandler := L.goCalls, L.call, L.depth, L.errorHandler
	L.errorHandler = handler
	defer func() {
		L.errorHandler = oldHandler
		if s == statusOK {
			return
		}
		r := recover()
		t, ok := r.(*thrown)
		if !ok {
			panic(r)
		}
		s = t.status
		L.world.current = L
		L.closeUpvalues(top)
		L.stack[top] = t.message()
		L.top = top + 1
		L.goCalls, L.call, L.depth, L.base = goCalls, ci, depth, ci.base
		L.restoreLimit()
	}()
	s = statusRun
	run()
	return statusOK
}

func (t *thrown) message() Value {
	switch t.status {
	case statusMemory:
		return String("not enough memory")
	case statusHandler:
		return String("error in error handling")
	default:
		return t.value
	}
}

// Call calls the function below the top n arguments. Its results, or as many as
// wanted, replace them.
func (L *State) Call(arguments, results int) { L.callAt(L.top-arguments-1, results) }

// MultipleResults asks for all results of a call.
const MultipleResults = multiple

// PCall is Call, but ends with false and the error's value on the stack if an
// error is raised. handler is the index of a function that sees the error first,
// 0 for none.
func (L *State) PCall(arguments, results, handler int) bool {
	at := 0
	if handler != 0 {
		at = L.index(handler)
	}
	fn := L.top - arguments - 1
	return L.protect(fn, at, func() { L.callAt(fn, results) }) == statusOK
}
