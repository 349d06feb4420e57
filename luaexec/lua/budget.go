package lua

import (
	"fmt"
	"math"
)

// Budget bounds what code may use: instructions, and bytes that it holds. The same
// code always ends at the same instruction, on every platform and at any speed. It
// is not for concurrent use.
type Budget struct {
	limit int64 // instructions
	left  int64
	pause int64 // with fewer left than so many, each instruction is looked at

	memory   int64 // bytes that code may hold
	taken    int64 // since the last look at what is held
	room     int64 // bytes to take before the next look
	exceeded bool
}

// NewBudget makes a full budget of so many instructions and bytes.
func NewBudget(instructions, bytes int64) *Budget {
	b := &Budget{}
	b.Allow(instructions, bytes)
	return b
}

// Allow fills the budget with so many instructions and bytes.
func (b *Budget) Allow(instructions, bytes int64) {
	b.limit, b.memory = instructions, bytes
	b.Reset()
}

// everyInstruction is a pause that is always reached.
const everyInstruction = math.MaxInt64

// Reset fills the budget again.
func (b *Budget) Reset() {
	b.left, b.exceeded = b.limit, false
	b.taken, b.room = 0, b.memory
}

// Spent tells whether code was stopped by this budget.
func (b *Budget) Spent() bool { return b.left < 0 }

// Err is what the code was stopped by, nil if it was not: a *BudgetError or a
// *MemoryError.
func (b *Budget) Err() error {
	switch {
	case !b.Spent():
		return nil
	case b.exceeded:
		return &MemoryError{b.memory}
	}
	return &BudgetError{b.limit}
}

// BudgetError says that code ran for too long.
type BudgetError struct{ Limit int64 } // instructions

func (e *BudgetError) Error() string {
	return fmt.Sprintf("script used up its budget of %d instructions", e.Limit)
}

// MemoryError says that code held too much.
type MemoryError struct{ Limit int64 } // bytes

func (e *MemoryError) Error() string {
	return fmt.Sprintf("script holds more than its %d bytes of memory", e.Limit)
}

// Spend takes n instructions off the budget, and tells whether there were so many.
func (b *Budget) Spend(n int64) bool {
	if n < 0 || n > b.left {
		b.left = -1
		return false
	}
	b.left -= n
	return true
}

// Charge takes n instructions off the budget, for work that a function of Go does,
// and ends the code when there are not so many left.
func (g *shared) Charge(n int64) {
	if !g.Spend(n) {
		g.running.stop()
	}
}

// stop ends the code whose budget is used up.
func (L *State) stop() {
	L.left = -1
	panic(&Error{Value: L.Where(0) + L.Err().Error(), At: L.origin(), kind: errorOfBudget})
}
