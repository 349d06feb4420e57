package engine

import (
	"slices"

	"lockstep/engine/fact"
)

// Cause is a step that had its part in a breach.
type Cause struct {
	Step *Step
	Told []fact.Fact // what it did to it
}

// StarvesRule is the name of the rule that only a search can break.
const StarvesRule = "nobody-starves"

// Causes are the steps that led to what a step broke, in order, that step itself last.
func (t *Trace) Causes(breach *Step) []Cause {
	told := map[int][]fact.Fact{}
	for _, b := range breach.Broken {
		var from int
		var who []string
		if _, own := Rule(b.Invariant); own || b.Invariant == StarvesRule {
			p := newParties(t, breach, b)
			from, who = p.tell(told), p.touched()
		} else {
			from, who = (&looked{t, breach, b.Looked}).tell(told)
		}
		for i := range breach.N - 1 {
			s := &t.Steps[i]
			counts := s.N >= from || s.Choice.Kind == Clock // a clock that has jumped stays wrong
			if counts && s.Choice.Kind.IsFault() && !s.Choice.Kind.Row().Harmless && breach.After.touches(s.Choice, who) {
				told[s.N] = []fact.Fact{fact.Of("cause-fault", s.Choice.String())}
			}
		}
	}
	var all []Cause
	for n := 1; n < breach.N; n++ {
		if facts, ok := told[n]; ok {
			all = append(all, Cause{&t.Steps[n-1], facts})
		}
	}
	return append(all, Cause{breach, last(breach)})
}

// last is what the breach itself did, besides what its step says.
func last(breach *Step) []fact.Fact {
	var facts []fact.Fact
	for _, n := range breach.Notes {
		if n.Kind == NoteEnter {
			facts = append(facts, fact.Of("cause-entered", n.Actor, n.Text))
		}
	}
	for _, b := range breach.Broken {
		facts = append(facts, breach.wrote(b.Looked)...)
	}
	if c := breach.removed(breach.After.IsSection); c != nil && len(facts) == 0 {
		facts = append(facts, fact.Of("cause-removed", c.Key, c.Node))
	}
	return facts
}

// ChangeOf is the change of a key.
func ChangeOf(changes []Change, node, key string) (Change, bool) {
	i := slices.IndexFunc(changes, func(c Change) bool { return c.Node == node && c.Key == key })
	if i < 0 {
		return Change{}, false
	}
	return changes[i], true
}

func (s *Step) wrote(places []Place) []fact.Fact {
	var facts []fact.Fact
	for _, c := range s.Changes {
		if slices.Contains(places, Place{c.Node, c.Key}) {
			facts = append(facts, fact.Of("cause-wrote", c.Key, c.Node))
		}
	}
	return facts
}

// removed is a key of a name that a step deleted; nil: none.
func (s *Step) removed(named func(string) bool) *Change {
	for i := range s.Changes {
		c := &s.Changes[i]
		if _, expired := s.ExpiryOf(*c); c.New == nil && !expired && named(c.Key) {
			return c
		}
	}
	return nil
}

// touches tells whether a fault is of a server, or of a process in which one of the actors runs.
func (s *Snapshot) touches(fault Choice, who []string) bool {
	for _, end := range []string{fault.Target, fault.Other} {
		in := func(a ActorState) bool { return !a.Task && a.Process == end }
		if slices.ContainsFunc(s.Actors, in) && !slices.ContainsFunc(s.Actors, func(a ActorState) bool { return in(a) && slices.Contains(who, a.Name) }) {
			return false
		}
	}
	return true
}

// Concerned are the actors inside of sections, and those that want one, each once; of none: of any.
func (s *Snapshot) Concerned(sections ...string) []string {
	var names []string
	for _, h := range slices.Concat(s.Held, s.Wanted) {
		for _, a := range h.Actors {
			if !slices.Contains(names, a) && (len(sections) == 0 || slices.Contains(sections, h.Section)) {
				names = append(names, a)
			}
		}
	}
	return names
}

// DeadlockIn is the deadlock that a node found in a step; n is what it held afterwards.
func (t *Trace) DeadlockIn(s *Step, n NodeView) (Deadlock, bool) {
	before, _ := t.At(s.N - 1).Node(n.Node)
	return n.Deadlock, n.Deadlock.N > before.Deadlock.N
}
