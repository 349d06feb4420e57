package luaexec

import (
	"context"
	"fmt"
	"time"

	lua "github.com/yuin/gopher-lua"
)

// DefaultBudget is how many instructions one script call may run.
const DefaultBudget = 1_000_000

// maxString is the length in bytes that one string of a script may reach.
const maxString = 16 << 20

// BytesPerInstruction is how much memory one instruction pays for: what a
// library function allocates or walks through is charged at this rate. Code whose
// state stays pays more for the strings that it makes.
const (
	BytesPerInstruction     = 16
	keptBytesPerInstruction = 2
)

// Budget bounds how many instructions Lua code may run. It is a context whose
// Done counts calls, because gopher-lua asks it once per instruction: the same
// code always ends at the same instruction, on every platform and at any speed.
//
// Apply sets it on a state. It is not for concurrent use.
type Budget struct {
	limit int64
	left  int64 // of what guard has allowed; below 0: the code was stopped
	depth int   // of calls that wait for one another: see Apply

	watch func() // before each instruction; nil: nobody looks

	guard    func() error // nil: nobody looks at what else the code takes
	every    int64        // instructions that code runs before the guard looks again
	reserve  int64        // instructions that guard has yet to allow
	exceeded error        // what guard said when it allowed no more
	perByte  int64        // bytes of strings that an instruction pays for
	strings  int64        // instructions that were paid for those
	scale    *scale       // of code whose state stays
}

// guarded is how many instructions a script runs before the guard looks again, and
// keptGuarded how many code whose state stays.
const (
	guarded     = 1 << 16
	keptGuarded = 1 << 10
)

var _ context.Context = (*Budget)(nil)

// NewBudget makes a full budget of so many instructions.
func NewBudget(limit int64) *Budget {
	return &Budget{limit: limit, left: limit, every: guarded, perByte: BytesPerInstruction}
}

// Reset fills the budget again.
func (b *Budget) Reset() {
	b.left, b.reserve, b.exceeded, b.strings, b.depth = b.limit, 0, nil, 0, 0
	if b.guard != nil && b.limit > b.every {
		b.left, b.reserve = b.every, b.limit-b.every
	}
}

// Watch has a function called before each instruction that is counted; nil ends that.
func (b *Budget) Watch(watch func()) { b.watch = watch }

// Limit is how many instructions a full budget holds.
func (b *Budget) Limit() int64 { return b.limit }

// Spent tells whether code was stopped by this budget.
func (b *Budget) Spent() bool { return b.left < 0 }

// Charge takes n instructions off the budget, for work that a library function
// does outside the virtual machine, and tells whether there were so many left.
func (b *Budget) Charge(n int64) bool {
	for n > b.left && b.more() {
		continue
	}
	if n < 0 || n > b.left {
		b.left = -1
		return false
	}
	b.left -= n
	return true
}

// more asks the guard for more of the budget, and tells whether there is any.
func (b *Budget) more() bool {
	if b.reserve == 0 || b.exceeded != nil {
		return false
	}
	if b.exceeded = b.guard(); b.exceeded != nil {
		return false
	}
	n := min(b.reserve, b.every)
	b.left, b.reserve = max(b.left, 0)+n, b.reserve-n
	return true
}

var spent = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// Done counts one instruction. What it returns is closed, which stops the code, when none is left.
func (b *Budget) Done() <-chan struct{} {
	b.left--
	if b.watch != nil {
		b.watch()
	}
	if b.left < 0 {
		return b.end()
	}
	return nil
}

// end is the outcome of Done for an instruction that is not in left: the guard may allow it yet.
func (b *Budget) end() <-chan struct{} {
	if b.more() {
		b.left--
		return nil
	}
	b.left = -1
	return spent
}

// Err is the error that spent code ends with.
func (b *Budget) Err() error {
	switch {
	case !b.Spent():
		return nil
	case b.exceeded != nil:
		return b.exceeded
	}
	return &BudgetError{Limit: b.limit}
}

// Deadline reports none: a budget counts instructions, not time.
func (b *Budget) Deadline() (time.Time, bool) { return time.Time{}, false }

// Value holds nothing.
func (b *Budget) Value(any) any { return nil }

// BudgetError says that code ran for too long.
type BudgetError struct{ Limit int64 }

func (e *BudgetError) Error() string {
	return fmt.Sprintf("script used up its budget of %d instructions", e.Limit)
}

// charge takes n instructions off the budget of a running state and raises the
// budget's error when they are not there. A state without a budget is free.
func charge(L *lua.LState, n int64) {
	b, ok := L.Context().(*Budget)
	if ok && !b.Charge(n) {
		raise(L, b.Err().Error())
	}
}

// chargeString pays for a string of n bytes before it is made.
func chargeString(L *lua.LState, n int) {
	if n > maxString {
		raise(L, fmt.Sprintf("string of %d bytes is over the limit of %d", n, maxString))
	}
	if b, ok := L.Context().(*Budget); ok && int64(n) > b.perByte {
		chargeBytes(L, n)
	}
}

// chargeBytes pays for n bytes that a string gets.
func chargeBytes(L *lua.LState, n int) {
	if b, ok := L.Context().(*Budget); ok {
		b.strings += int64(n) / b.perByte
		charge(L, int64(n)/b.perByte)
	}
}

// maxStack is how many values a function of Redis's Lua may have on its stack:
// the libraries that keep what they work on there fail beyond.
const maxStack = 8000

// growing is a string that a library function makes, paid for as it grows.
type growing struct {
	L     *lua.LState
	bytes []byte
}

// pay charges for a piece of n bytes before it is added.
func (g *growing) pay(n int) {
	if size := len(g.bytes) + n; size > maxString {
		raise(g.L, fmt.Sprintf("string of %d bytes is over the limit of %d", size, maxString))
	}
	charge(g.L, 1)
	chargeBytes(g.L, n)
}

func (g *growing) add(bytes ...byte) {
	g.pay(len(bytes))
	g.bytes = append(g.bytes, bytes...)
}

func (g *growing) addString(s string) {
	g.pay(len(s))
	g.bytes = append(g.bytes, s...)
}

// push makes the string the last result of the running function.
func (g *growing) push() { g.L.Push(lua.LString(g.bytes)) }
