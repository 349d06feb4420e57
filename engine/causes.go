package engine

import (
	"slices"
	"strings"

	"lockstep/engine/fact"
	"lockstep/engine/reply"
)

// Cause is a step that had its part in a breach.
type Cause struct {
	Step *Step
	Told []fact.Fact // what it did to it
}

// StarvesRule is the name of the rule that only a search can break.
const StarvesRule = "nobody-starves"

// Causes are the steps that led to what a step broke, in order, that step itself last. Whoever took a lock away from
// somebody else did so for reasons that led there, too.
func (t *Trace) Causes(breach *Step) []Cause {
	told := t.led(breach)
	for n := breach.N - 1; n > 0; n-- {
		facts, s := told[n], &t.Steps[n-1]
		if len(facts) > 0 && facts[0].Code == "cause-removed" && len(s.Broken) > 0 {
			for m, more := range t.led(s) {
				if _, known := told[m]; !known {
					told[m] = more
				}
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

// led are the steps that led to what one broke, without those that led to them, each with what it did to it.
func (t *Trace) led(breach *Step) map[int][]fact.Fact {
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
			counts := s.N >= from || t.At(from-1).lasts(s.Choice)
			if counts && s.Choice.Kind.IsFault() && !s.Choice.Kind.Row().Harmless && breach.After.touches(s.Choice, who) && !t.cameToNothing(s, breach) {
				told[s.N] = []fact.Fact{fact.Of("cause-fault", s.Choice.String())}
			}
		}
	}
	for n := range breach.N {
		if facts := told[n]; len(facts) > 0 && facts[0].Code == "cause-expired" {
			if s := t.shortened(n, facts[0]); s != nil && told[s.N] == nil {
				told[s.N] = []fact.Fact{fact.Of("cause-wrote", facts[0].Args...)}
			}
		}
	}
	return told
}

// cameToNothing tells whether a pause or a cut was undone before a breach, with nothing lost meanwhile and nobody late: time passes
// for who stands still, and for a session that hears nothing.
func (t *Trace) cameToNothing(fault, breach *Step) bool {
	kind, late := fault.Choice.Kind, fault.Choice.Kind == Pause || len(fault.Changes) > 0
	for n := fault.N; n < breach.N && (kind == Pause || kind == Cut); n++ {
		s := &t.Steps[n]
		if s.NoReply != "" || len(s.Missed) > 0 || late && s.At > fault.At {
			return false
		}
		if s.Choice.Undoes(fault.Choice) {
			return true
		}
	}
	return false
}

// lasts tells whether what a fault did earlier is still so: a clock that has jumped stays wrong, and what a replica lacked
// when it was promoted nobody has.
func (s *Snapshot) lasts(fault Choice) bool {
	promoted, _ := s.Node(fault.Target)
	return fault.Kind == Clock || fault.Kind == Promote && promoted.Leader == "" ||
		fault.Kind == Cut && slices.Contains(s.Cuts, Link{fault.Target, fault.Other})
}

// shortened is the step that had a key expire earlier than it would have; nil: none did. Only who moved its end last counts.
func (t *Trace) shortened(n int, expired fact.Fact) *Step {
	for i := n - 2; i >= 0; i-- {
		s := &t.Steps[i]
		c, _ := ChangeOf(s.Changes, expired.Args[1].(string), expired.Args[0].(string))
		switch {
		case c.Old == nil && c.New == nil || c.Old != nil && c.New != nil && c.Old.Deadline == c.New.Deadline:
			continue
		case c.Old != nil && c.New != nil && (c.Old.Deadline == NoDeadline || c.New.Deadline < c.Old.Deadline):
			return s
		}
		return nil
	}
	return nil
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

// changed are the places of all that a step changed.
func (s *Step) changed() []Place {
	var places []Place
	for _, c := range s.Changes {
		places = append(places, Place{c.Node, c.Key})
	}
	return places
}

// wrote is what of some places a step wrote, also where that was there already: a command that is answered with OK
// reads nothing, but for WATCH.
func (s *Step) wrote(places []Place) []fact.Fact {
	var facts []fact.Fact
	written := s.changed()
	if exec, plain := s.Request.(Exec); plain && exec.Op.Script == nil && len(exec.Op.Args) > 1 && len(written) == 0 && s.Reply != nil && s.Reply.Equal(reply.OK) &&
		!strings.EqualFold(exec.Op.Args[0], "WATCH") {
		written = append(written, Place{exec.Node, exec.Op.Args[1]})
	}
	for _, at := range written {
		if slices.Contains(places, at) {
			facts = append(facts, fact.Of("cause-wrote", at.Key, at.Node))
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
