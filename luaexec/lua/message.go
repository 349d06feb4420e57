package lua

import "fmt"

// raise ends what runs with an error whose value the handler sees first.
func (L *State) raise(v Value) {
	if L.errorHandler != 0 {
		handler := L.stack[L.errorHandler]
		if _, ok := handler.ref.(*Function); !ok {
			L.throw(statusHandler, Nil)
		}
		L.ensure(2)
		L.stack[L.top], L.stack[L.top+1] = handler, v
		L.top += 2
		L.callAt(L.top-2, 1)
		v = L.stack[L.top-1]
	}
	L.throw(statusRun, v)
}

// runError raises a message with the position of the running Lua function.
func (L *State) runError(message string) {
	if p := L.call.proto(); p != nil {
		message = fmt.Sprintf("%s:%d: %s", p.chunk, L.call.line(), message)
	}
	L.raise(String(message))
}

func (ci *callInfo) proto() *Proto {
	if ci.fn == nil {
		return nil
	}
	return ci.fn.proto
}

// currentPC is the instruction that runs, or waits for a call to end.
func (ci *callInfo) currentPC() int { return max(ci.pc-1, 0) }

// line is the current line, -1 outside of Lua code.
func (ci *callInfo) line() int {
	if p := ci.proto(); p != nil {
		return int(p.lines[ci.currentPC()])
	}
	return -1
}

// typeErrorAt raises "attempt to index local 'a' (a nil value)" and the like for
// the value in a stack slot.
func (L *State) typeErrorAt(index int, operation string) {
	kind, name := "", ""
	if index >= L.base && index < L.call.top {
		kind, name = L.call.nameOf(index - L.base)
	}
	t := L.stack[index].Kind()
	if kind == "" {
		L.runError(fmt.Sprintf("attempt to %s a %v value", operation, t))
	}
	L.runError(fmt.Sprintf("attempt to %s %s '%s' (a %v value)", operation, kind, name, t))
}

// operand is a value with the stack slot that it is in, -1 for none.
type operand struct {
	value Value
	index int
}

func (L *State) typeError(o operand, operation string) {
	if o.index >= 0 {
		L.typeErrorAt(o.index, operation)
	}
	L.runError(fmt.Sprintf("attempt to %s a %v value", operation, o.value.Kind()))
}

func (L *State) arithmeticError(a, b operand) {
	if _, ok := a.value.ToNumber(); !ok {
		b = a
	}
	L.typeError(b, "perform arithmetic on")
}

func (L *State) concatError(a, b int) {
	if _, ok := L.stack[a].ToString(); ok {
		a = b
	}
	L.typeErrorAt(a, "concatenate")
}

// orderError compares the third letters of the types' names, as Lua 5.1 does.
func (L *State) orderError(a, b Value) {
	s, t := a.Kind().String(), b.Kind().String()
	if s[2] == t[2] {
		L.runError("attempt to compare two " + s + " values")
	}
	L.runError("attempt to compare " + s + " with " + t)
}

// level finds the activation at a level: 0 is the running one, 1 its caller; nil
// for one that was lost to a tail call. ok is false beyond the stack.
func (L *State) level(n int) (ci *callInfo, ok bool) {
	ci = L.call
	for n > 0 && ci.previous != nil {
		n--
		if ci.proto() != nil {
			n -= ci.tails
		}
		ci = ci.previous
	}
	switch {
	case n == 0 && ci.previous != nil:
		return ci, true
	case n < 0:
		return nil, true
	}
	return nil, false
}

// Position is the source as it was named and the current line of the function at
// a level: 0 is the running one, 1 its caller. The line is -1 in Go code, and ok
// is false beyond the stack.
func (L *State) Position(level int) (source string, line int, ok bool) {
	ci, ok := L.level(level)
	switch {
	case !ok:
		return "", 0, false
	case ci == nil:
		return "=(tail call)", -1, true
	case ci.proto() == nil:
		return "=[C]", -1, true
	}
	return ci.proto().source, ci.line(), true
}

// Where is the position of the function at a level as Lua puts it before a
// message: "user_script:3: ", or nothing in Go code.
func (L *State) Where(level int) string {
	if ci, ok := L.level(level); ok && ci != nil && ci.proto() != nil {
		return fmt.Sprintf("%s:%d: ", ci.proto().chunk, ci.line())
	}
	return ""
}

// Error ends a Go function with an error value.
func (L *State) Error(v Value) { L.raise(v) }

// Errorf ends a Go function with a message at the position of its caller.
func (L *State) Errorf(format string, args ...any) {
	L.raise(String(L.Where(1) + fmt.Sprintf(format, args...)))
}

// callerName is how the running function was called: kind and name, or nothing.
func (L *State) callerName() (kind, name string) {
	ci := L.call
	if ci.proto() != nil && ci.tails > 0 || ci.previous == nil {
		return "", ""
	}
	caller := ci.previous
	p := caller.proto()
	if p == nil {
		return "", ""
	}
	switch i := p.code[caller.currentPC()]; i.op() {
	case opCall, opTailCall, opTForLoop:
		return caller.nameOf(i.a())
	default:
		return "", ""
	}
}

// ArgError says what is wrong with the nth argument of the running Go function.
func (L *State) ArgError(n int, problem string) {
	kind, name := L.callerName()
	if kind == "method" {
		n--
		if n == 0 {
			L.Errorf("calling '%s' on bad self (%s)", name, problem)
		}
	}
	if kind == "" {
		name = "?"
	}
	L.Errorf("bad argument #%d to '%s' (%s)", n, name, problem)
}
