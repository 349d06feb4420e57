package engine

// MaxFaults is how often one kind of fault may happen in a search.
const MaxFaults = 9

// budget is how many faults of each kind may still happen, in the order of ChoiceKinds.
type budget [len(ChoiceKinds)]uint8

func newBudget(faults map[ChoiceKind]int) budget {
	var b budget
	for i, row := range ChoiceKinds {
		b[i] = uint8(faults[row.Kind])
	}
	return b
}

// Costs tells whether a kind is a fault that must be allowed, and not what ends one.
func (k ChoiceKind) Costs() bool {
	row := k.Row()
	return row.AllowedBy != "" && row.AllowedBy == row.Kind
}

// spend is the budget after a choice; ok is false when there is none left for it.
func (b budget) spend(k ChoiceKind) (left budget, ok bool) {
	if !k.Costs() {
		return b, true
	}
	for i, row := range ChoiceKinds {
		if row.Kind == k && b[i] > 0 {
			b[i]--
			return b, true
		}
	}
	return b, false
}

func (b budget) key(key []byte) []byte { return append(key, b[:]...) }
