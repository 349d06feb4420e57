package lua

// all stands for as many results as there are.
const all = -1

type callKind uint8

const (
	calledLua callKind = iota // it is to be run
	calledGo                  // it has run
	calledYield
)

// pushCall makes room for the activation of one more function.
func (L *State) pushCall() *call {
	if L.depth == L.most-1 {
		if L.most > maxCalls {
			L.giveUp()
		}
		L.most *= 2
		if L.most > maxCalls {
			L.errorf("stack overflow")
		}
	}
	L.depth++
	if L.depth == len(L.calls) {
		L.Take(len(L.calls) * sizeOfCall)
		L.calls = append(L.calls, make([]call, len(L.calls))...)
	}
	return &L.calls[L.depth]
}

// precall begins the call of what is at an index of the stack with the arguments
// above it. A function of Go is run.
func (L *State) precall(at, results int) callKind {
	f, ok := L.stack[at].(*Function)
	if !ok {
		f = L.callable(at)
	}
	if p := f.proto; p != nil {
		L.ensure(p.registers + p.params)
		base := at + 1
		if p.vararg != 0 {
			base = L.adjustVarargs(p, at)
		} else {
			L.top = min(L.top, base+p.params)
		}
		c := L.pushCall()
		end := base + p.registers
		*c = call{fn: f, at: at, base: base, top: end, results: results}
		clear(L.stack[L.top:end])
		L.top = end
		return calledLua
	}
	L.ensure(minStack)
	c := L.pushCall()
	*c = call{fn: f, at: at, base: at + 1, top: L.top + minStack, results: results}
	n := f.native(L)
	if n < 0 {
		return calledYield
	}
	L.finish(L.top - n)
	return calledGo
}

// callable is the function that stands for a value that is none: it is put below
// the value, which becomes its first argument.
func (L *State) callable(at int) *Function {
	f, ok := L.metamethod(L.stack[at], "__call").(*Function)
	if !ok {
		L.typeError(L.stack[at], at, "call")
	}
	L.ensure(1)
	copy(L.stack[at+1:L.top+1], L.stack[at:L.top])
	L.top++
	L.stack[at] = f
	return f
}

// adjustVarargs puts the parameters above the other arguments.
func (L *State) adjustVarargs(p *Proto, at int) (base int) {
	actual := L.top - at - 1
	for ; actual < p.params; actual++ {
		L.stack[L.top] = nil
		L.top++
	}
	extra := actual - p.params
	L.Charge(int64(extra / 4))
	var arg *Table
	if p.vararg&needsArg != 0 {
		arg = L.NewTable(extra, 1)
		for i := range extra {
			arg.SetInt(i+1, L.stack[L.top-extra+i])
		}
		arg.SetString("n", Int(extra))
	}
	fixed := L.top - actual
	base = L.top
	L.ensure(p.registers + p.params)
	for i := range p.params {
		L.stack[L.top] = L.stack[fixed+i]
		L.stack[fixed+i] = nil
		L.top++
	}
	if arg != nil {
		L.stack[L.top] = arg
		L.top++
	}
	return base
}

// finish ends the running call. It tells whether so many results were wanted, and
// not all.
func (L *State) finish(first int) (fixed bool) {
	c := &L.calls[L.depth]
	L.depth--
	to, wanted := c.at, c.results
	n := wanted
	for ; n != 0 && first < L.top; n-- {
		L.stack[to] = L.stack[first]
		to++
		first++
	}
	for ; n > 0; n-- {
		L.stack[to] = nil
		to++
	}
	L.top = to
	return wanted != all
}

// callAt calls what is at an index of the stack and runs it to its end.
func (L *State) callAt(at, results int) {
	L.goCalls++
	if L.goCalls >= maxGoCalls {
		if L.goCalls == maxGoCalls {
			L.errorf("C stack overflow")
		}
		if L.goCalls >= maxGoCalls+maxGoCalls>>3 {
			L.giveUp()
		}
	}
	if L.precall(at, results) == calledLua {
		L.execute(1)
	}
	L.goCalls--
}

// Call calls a function that was pushed, and n arguments after it; its results take
// their place.
func (L *State) Call(n, results int) {
	L.callAt(L.top-n-1, results)
	L.adjustTop(results)
}

// CallAll is Call for all results.
func (L *State) CallAll(n int) { L.Call(n, all) }

// adjustTop lets the frame of a function of Go have as many values as it got.
func (L *State) adjustTop(results int) {
	if c := &L.calls[L.depth]; results == all && L.top > c.top {
		c.top = L.top
	}
}
