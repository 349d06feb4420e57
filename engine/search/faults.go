package search

import "lockstep/engine"

// MaxFaults is how often one kind of fault may happen in a search.
const MaxFaults = 9

// budget is how many faults of each kind may still happen, in the order of engine.ChoiceKinds.
type budget [len(engine.ChoiceKinds)]uint8

func newBudget(faults map[engine.ChoiceKind]int) budget {
	var b budget
	for i, row := range engine.ChoiceKinds {
		b[i] = uint8(faults[row.Kind])
	}
	return b
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
		if row.Kind == k && b[i] > 0 {
			b[i]--
			return b, true
		}
	}
	return b, false
}

func (b budget) key(key []byte) []byte { return append(key, b[:]...) }
