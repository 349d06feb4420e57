package search

import "lockstep/engine"

// MaxFaults is how often one kind of fault may happen in a search.
const MaxFaults = 9

// budget is what may still happen.
type budget struct {
	faults [len(engine.ChoiceKinds)]uint8 // how many of each kind
	idle   uint8                          // how many moves of the clock to where nothing is due; 0 as long as nobody could tell
}

func newBudget(b Bounds) budget {
	left := budget{idle: b.idle()}
	for i, row := range engine.ChoiceKinds {
		left.faults[i] = uint8(b.Faults[row.Kind])
	}
	return left
}

// affords tells whether a choice of a kind may still be made.
func (b budget) affords(k engine.ChoiceKind) bool {
	_, ok := b.spend(k)
	return ok
}

// spend is the budget after a choice; ok is false when there is none left for it.
func (b budget) spend(k engine.ChoiceKind) (left budget, ok bool) {
	if !k.Costs() {
		return b, true
	}
	for i, row := range engine.ChoiceKinds {
		if row.Kind == k && b.faults[i] > 0 {
			b.faults[i]--
			return b, true
		}
	}
	return b, false
}

func (b budget) key(key []byte) []byte { return append(append(key, b.faults[:]...), b.idle) }
