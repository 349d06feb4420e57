package luaexec

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// maxDepth is how many calls may wait for one another that Go's code makes of Lua's, as
// C's may in Lua 5.1: those of metamethods, of iterators, of what pcall, gsub and the
// like call. What libraries nest counts as well. Each level takes a piece of Go's stack,
// of which browsers have little, and a module that overflows it is gone.
const (
	maxDepth      = 200
	maxErrorDepth = maxDepth + maxDepth/8 // while an error is handled
	depthError    = "C stack overflow"
)

// Apply has a state run under the budget, or a thread of a state. It counts the calls
// that wait for one another, too.
func (b *Budget) Apply(L *lua.LState) {
	L.SetContext(b)
	run := *loop(L)
	*loop(L) = func(L *lua.LState, frame unsafe.Pointer) {
		defer overflow(L)
		b.depth++ // whoever catches an error sets it back
		switch resumed := frame == nil; {
		case b.depth == maxDepth && !resumed: // resume itself has looked
			raise(L, depthError)
		case b.depth >= maxErrorDepth:
			raisePlain(L, errorInHandling)
		}
		run(L, frame)
		b.depth--
	}
}

// instructionCalls is called where a function stands for an instruction of Lua that calls
// another: if that goes too deep, the instruction fails and not the function.
func instructionCalls(L *lua.LState) {
	if b := budgetOf(L); b.depth == maxDepth-1 {
		b.depth++
		raise(L, depthError)
	}
}

// tooDeep tells whether a library must not go so many levels into a table or a text.
func tooDeep(L *lua.LState, levels int) bool { return budgetOf(L).depth+levels > maxDepth }

// Unwind forgets the calls that ended with an error.
func (b *Budget) Unwind() { b.depth = 0 }

// budgetOf is the budget that a state runs under; a new one if it has none.
func budgetOf(L *lua.LState) *Budget {
	if b, ok := L.Context().(*Budget); ok {
		return b
	}
	return &Budget{}
}
