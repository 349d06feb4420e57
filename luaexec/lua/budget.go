package lua

import "fmt"

// DefaultInstructions is how many instructions one script call may run unless
// somebody says otherwise.
const DefaultInstructions = 1_000_000

// maxString is the length in bytes that one string of a script may reach.
const maxString = 16 << 20

// bytesPerInstruction is how much memory one instruction pays for: what a
// function allocates or walks through is charged at this rate.
const bytesPerInstruction = 16

// Budget bounds how many instructions code may run and how many bytes it may
// hold. The same code always ends at the same instruction, on every platform and
// at any speed.
type Budget struct {
	limit, left int64
	// bytes is what may be held; used is what is held at most: what the last
	// census found and all that was allocated since.
	bytes, used int64
	world       *world
}

// NewBudget makes a full budget of so many instructions and bytes; 0 bytes is no
// bound but the one that instructions pay for them.
func NewBudget(instructions, bytes int64) *Budget {
	return &Budget{limit: instructions, left: instructions, bytes: bytes}
}

// Reset fills the budget again, up to new limits.
func (b *Budget) Reset(instructions, bytes int64) {
	b.limit, b.left, b.bytes, b.used = instructions, instructions, bytes, 0
}

// Limit is how many instructions a full budget holds.
func (b *Budget) Limit() int64 { return b.limit }

// Spent tells whether code was stopped because its instructions ran out.
func (b *Budget) Spent() bool { return b.left < 0 }

// Err is the error that spent code ends with.
func (b *Budget) Err() error {
	if b.Spent() {
		return &BudgetError{Limit: b.limit}
	}
	return nil
}

// BudgetError says that code ran for too long.
type BudgetError struct{ Limit int64 }

func (e *BudgetError) Error() string {
	return fmt.Sprintf("script used up its budget of %d instructions", e.Limit)
}

// Charge takes n instructions off the budget, for work that Go code does, and
// tells whether there were so many left.
func (b *Budget) Charge(n int64) bool {
	if n < 0 || n > b.left {
		b.left = -1
		return false
	}
	b.left -= n
	return true
}

// ChargeInstructions is Charge that raises the budget's error.
func (L *State) ChargeInstructions(n int64) {
	if !L.world.budget.Charge(n) {
		L.spent()
	}
}

func (L *State) spent() {
	b := L.world.budget
	b.left = -1
	L.raiseAtCaller(b.Err().Error())
}

// raiseAtCaller raises a message with the position of the running function, or of
// the one that called it if it is Go code.
func (L *State) raiseAtCaller(message string) {
	if L.call.proto() != nil {
		L.runError(message)
	}
	L.Errorf("%s", message)
}

// ChargeString pays for a string of n bytes before it is made.
func (L *State) ChargeString(n int) {
	if n > maxString {
		L.raiseAtCaller(fmt.Sprintf("string of %d bytes is over the limit of %d", n, maxString))
	}
	if n > bytesPerInstruction {
		L.world.budget.allocate(n)
	}
}

// allocate pays for n bytes. When more might be held than allowed, what is really
// held is counted; code that holds too much ends like one whose allocator gave up.
func (b *Budget) allocate(n int) {
	b.used += int64(n)
	b.left -= int64(n / bytesPerInstruction)
	if b.left < 0 {
		b.world.current.spent()
	}
	if b.bytes > 0 && b.used > b.bytes {
		b.used = b.world.census() + int64(n)
		if b.used > b.bytes/2 {
			b.world.current.throw(statusMemory, Nil)
		}
	}
}
