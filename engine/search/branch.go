package search

import (
	"cmp"
	"slices"
	"time"

	"lockstep/engine"
)

// Branch is a choice in the tree of what a search has tried. A state is behind the choices by which it was met first,
// and so behind one branch of each level: what others lead to as well counts there alone. As in Verdict.Levels, moves of the
// clock in a row are one choice.
type Branch struct {
	Choice   engine.Choice
	Passed   time.Duration // of moves of the clock: how far they go
	Levels   []int         // by number of choices, from this one on: how many states were met first behind it
	Found    bool          // the schedule that was found begins so
	Branches []Branch      // by the next choice
}

// States is how many states were met first behind a branch.
func (b *Branch) States() int {
	sum := 0
	for _, n := range b.Levels {
		sum += n
	}
	return sum
}

// branchLevels is how many levels of choices are told apart.
const branchLevels = 2

// Branches are the first two levels of the tree of what was tried so far, in the order in which a search tries them, moves of the clock last.
// They are read from what a search keeps of its states, so that looking at them costs nothing until it is done.
func (s *Search) Branches() []Branch { return s.search.branches() }

// bough is a branch while states are counted.
type bough struct {
	Branch
	of    uint16 // the branch in front of it, by number
	level int    // of its choice: 1 or 2; 0: it is the start, which is number 0
	state uint32 // that its choice leads to
}

// mostBoughs is how many branches their numbers can tell apart.
const mostBoughs = 1 << 16

func (x *search) branches() []Branch {
	boughs := []bough{{}}
	behind := make([]uint16, x.table.len()) // by state, the number of its branch
	level, next := 0, 1                     // the first state of the next level
	for state := 1; state < len(behind); state++ {
		for state >= next {
			if level++; level < len(x.verdict.Levels) {
				next += x.verdict.Levels[level]
			} else {
				next = len(behind)
			}
		}
		parent := x.table.parents[state]
		b := behind[parent]
		if boughs[b].state == parent && len(boughs) < mostBoughs {
			if next := x.branchOff(boughs, b, x.kinds[x.table.choices[state]]); next.level <= branchLevels {
				next.state, b = uint32(state), uint16(len(boughs))
				boughs = append(boughs, next)
			}
		}
		behind[state] = b
		at := &boughs[b]
		by := max(0, level-at.level) // below 0: another way to it is shorter, with moves of the clock that are one
		for len(at.Levels) <= by {
			at.Levels = append(at.Levels, 0)
		}
		at.Levels[by]++
	}
	if x.verdict.Ending == Breaks {
		boughs = x.markFound(boughs, behind[x.found])
	}
	return joined(boughs)
}

// branchOff is a branch behind another one, or beside it where its move of the clock goes on.
func (x *search) branchOff(boughs []bough, b uint16, c engine.Choice) bough {
	before := &boughs[b]
	next := bough{Branch: Branch{Choice: c}, of: b, level: before.level + 1}
	if c.Kind != engine.Tick {
		return next
	}
	if before.Choice.Kind == engine.Tick {
		next.of, next.level, next.Passed = before.of, before.level, before.Passed
	}
	next.Passed += x.spanOf(before.state, c)
	next.Choice.Span = 0
	return next
}

// spanOf is how far a move of the clock goes in a state.
func (x *search) spanOf(state uint32, c engine.Choice) time.Duration {
	if c.Span > 0 {
		return c.Span
	}
	x.restore(x.table.words(state, nil))
	due, _ := x.states.world.NextDue()
	return due - x.states.now
}

// markFound marks the branches by which the schedule that was found begins. The choice that breaks a rule leads to no state:
// where it is one of the first, it gets a branch of its own.
func (x *search) markFound(boughs []bough, b uint16) []bough {
	if !x.verdict.Starves() && boughs[b].state == x.found {
		if last := x.branchOff(boughs, b, x.broke); last.level <= branchLevels {
			b = uint16(len(boughs))
			boughs = append(boughs, last)
		}
	}
	for ; b > 0; b = boughs[b].of {
		boughs[b].Found = true
	}
	return boughs
}

// joined are the branches of the first level, with those behind them.
func joined(boughs []bough) []Branch {
	for i := len(boughs) - 1; i > 0; i-- {
		of := &boughs[boughs[i].of]
		of.Branches = append(of.Branches, boughs[i].Branch)
		of.Levels = added(of.Levels, boughs[i].Levels, boughs[i].level-of.level)
	}
	return sorted(boughs[0].Branches)
}

// sorted puts branches from the last to the first into their order, with moves of the clock at the end, and joins those
// that go as far: they differ in what is left for later moves.
func sorted(all []Branch) []Branch {
	slices.Reverse(all)
	slices.SortStableFunc(all, func(a, b Branch) int { return cmp.Compare(a.Passed, b.Passed) })
	var out []Branch
	for _, b := range all {
		if last := len(out) - 1; last >= 0 && b.Choice.Kind == engine.Tick && out[last].Passed == b.Passed && out[last].Choice == b.Choice {
			out[last].Levels = added(out[last].Levels, b.Levels, 0)
			out[last].Branches = append(b.Branches, out[last].Branches...)
			out[last].Found = out[last].Found || b.Found
			continue
		}
		out = append(out, b)
	}
	for i := range out {
		out[i].Branches = sorted(out[i].Branches)
	}
	return out
}

// added adds levels to others, which begin so many choices earlier.
func added(to, levels []int, later int) []int {
	for by, n := range levels {
		for len(to) <= later+by {
			to = append(to, 0)
		}
		to[later+by] += n
	}
	return to
}
