package search

import (
	"encoding/binary"
	"slices"

	"lockstep/engine"
)

// KeysRule is an invariant that can promise to look at nothing but the keys of a snapshot, with
// how long they last, and how many are inside each section. A search asks such a rule once for
// all states that have these in common.
type KeysRule interface {
	engine.Invariant
	LooksAtKeysOnly() bool // the promise
}

// keysRule remembers the answers of a KeysRule.
type keysRule struct {
	KeysRule
	search *search
	broken map[string][]engine.Violation // by all that the rule may look at
}

// Check asks the rule only if it has not been asked about such a state.
func (r *keysRule) Check(before *engine.Snapshot, step *engine.Step) ([]engine.Violation, error) {
	var buffer [128]byte
	key := buffer[:0]
	for i, n := range r.search.states.nodes {
		key = appendText(key, string(step.After.Nodes[i].Status)) // one that has crashed shows nothing
		key = binary.AppendVarint(binary.AppendUvarint(key, uint64(n.at)), int64(n.lag(&step.After, i)))
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

// remember has rules that are asked once for many states remember their answers.
func (x *search) remember(rules []engine.Invariant) []engine.Invariant {
	rules = slices.Clone(rules)
	for i, r := range rules {
		if k, ok := r.(KeysRule); ok && k.LooksAtKeysOnly() {
			rules[i] = &keysRule{k, x, map[string][]engine.Violation{}}
		}
	}
	return rules
}

// options are what may happen next, as far as rules want to know: whether anything may. So one
// thread that is ready is enough.
func (x *search) options(after *engine.Snapshot) []engine.Option {
	for _, a := range after.Actors {
		if a.Status == engine.Ready {
			return append(after.Options, engine.Option{Choice: engine.Choice{Kind: engine.Run, Target: a.Name}})
		}
	}
	options := after.Options
	for _, c := range x.states.world.Possible(nil, func(engine.ChoiceKind) bool { return true }) {
		options = append(options, engine.Option{Choice: c})
	}
	if _, due := x.states.world.NextDue(); due {
		options = append(options, engine.Option{Choice: engine.Choice{Kind: engine.Tick}})
	}
	return options
}

// noBareLock is the engine's rule about keys that have the names of sections. It asks only while somebody is inside or waits.
const noBareLock = "no-lock-without-ttl"

// bare is a key without a TTL, in some state, that has the name of a section that anybody gets into or waits for in any; empty: there is
// none, or nobody asks.
func (x *search) bare() string {
	if !x.leases {
		return ""
	}
	met := make([][]bool, len(x.states.nodes)) // by node and moment
	for state := range uint32(x.table.len()) {
		x.from = x.table.words(state, x.from[:0])
		for i, n := range x.states.nodes {
			if met[i] == nil {
				met[i] = make([]bool, len(n.memo.moments))
			}
			met[i][x.from[i]] = true
		}
	}
	for i, n := range x.states.nodes {
		for at, m := range n.memo.moments {
			for _, k := range m.view.Keys {
				if met[i][at] && k.Deadline == engine.NoDeadline && x.seen.isSection(k.Name) {
					return k.Name
				}
			}
		}
	}
	return ""
}
