package lua

import "fmt"

// Error is a value that was raised and that nothing has caught.
type Error struct {
	Value Value
	At    Place // of the function that raised it, or of the code that called that
	kind  errorKind
}

type errorKind uint8

const (
	errorRaised errorKind = iota
	errorInHandler
	errorOfBudget // code cannot catch it
)

func (e *Error) Error() string {
	if text, ok := ToString(e.Value); ok {
		return text
	}
	return fmt.Sprintf("(error object is a %s value)", TypeName(e.Value))
}

// Final tells whether the budget is used up, which code cannot catch.
func (e *Error) Final() bool { return e.kind == errorOfBudget }

// Raise ends the running function with an error. A handler sees it first, where it
// was raised.
func (L *State) Raise(v Value) {
	at := L.origin()
	if L.handler != nil {
		f, ok := L.handler.(*Function)
		if !ok {
			L.giveUp()
		}
		L.Push(f)
		L.Push(v)
		L.callAt(L.top-2, 1)
		v = L.stack[L.top-1]
		L.top--
	}
	panic(&Error{Value: v, At: at})
}

// giveUp ends the running function with an error that no handler sees.
func (L *State) giveUp() {
	panic(&Error{Value: "error in error handling", At: L.origin(), kind: errorInHandler})
}

// errorf raises a message at the place where the code is.
func (L *State) errorf(format string, args ...any) {
	L.Raise(L.Where(0) + fmt.Sprintf(format, args...))
}

// ProtectedCall is Call for all results, in which errors end. A handler that is not
// nil is called where an error is raised; what it returns is the error. After one,
// the stack is as it was below the function.
func (L *State) ProtectedCall(n int, handler Value) (err *Error) {
	at, depth, goCalls, outer, kept := L.top-n-1, L.depth, L.goCalls, L.handler, L.kept
	L.handler = handler
	defer func() {
		L.handler = outer
		if r := recover(); r != nil {
			var ok bool
			if err, ok = r.(*Error); !ok {
				panic(r)
			}
			L.closeUpvalues(at)
			L.depth, L.goCalls, L.top, L.kept = depth, goCalls, at, kept
			if L.most > maxCalls && depth+1 < maxCalls {
				L.most = maxCalls // there was an overflow
			}
		}
	}()
	L.callAt(at, all)
	L.adjustTop(all)
	return nil
}
