package engine

import (
	"encoding/binary"
	"slices"
)

// KeysRule is an Invariant that may look at nothing but how many are inside a section, and the
// keys with how long they last. A search asks such a rule once for all states that have these
// in common.
type KeysRule interface {
	Invariant
	LooksAtKeysOnly() bool
}

// keysRule remembers what a rule said.
type keysRule struct {
	KeysRule
	search *search
	broken map[string][]Violation
}

// Check asks the rule what it was not asked before.
func (r *keysRule) Check(before *Snapshot, step *Step) ([]Violation, error) {
	var buffer [128]byte
	key := buffer[:0]
	for _, v := range r.search.states.world.servers {
		key = binary.AppendUvarint(appendFlags(key, v.crashed), uint64(memoOf(v.node).at))
		key = binary.AppendVarint(key, int64(r.search.states.world.now+v.clock-memoOf(v.node).now))
	}
	for _, h := range step.After.Held {
		key = binary.AppendUvarint(appendText(key, h.Section), uint64(len(h.Actors)))
	}
	vs, known := r.broken[string(key)]
	if !known {
		var err error
		if vs, err = r.KeysRule.Check(before, step); err != nil {
			return nil, err
		}
		r.broken[string(key)] = vs
	}
	return vs, nil
}

func (x *search) remember(rules []Invariant) []Invariant {
	rules = slices.Clone(rules)
	for i, r := range rules {
		if k, ok := r.(KeysRule); ok && k.LooksAtKeysOnly() {
			rules[i] = &keysRule{k, x, map[string][]Violation{}}
		}
	}
	return rules
}

// options are what may happen next, as far as rules want to know: whether anything may. One
// actor that is ready is enough.
func (x *search) options(after *Snapshot) []Option {
	for _, a := range after.Actors {
		if a.Status == Ready {
			return append(after.Options, Option{Choice: Choice{Kind: Run, Target: a.Name}})
		}
	}
	return x.states.world.options()
}
