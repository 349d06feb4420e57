package search

import (
	"slices"

	"lockstep/engine"
	"lockstep/engine/fact"
)

// Sometimes is an event that a search has seen or not. A lock holds easily where nobody ever
// has to wait for it.
type Sometimes struct {
	Name    SometimesName
	Of      string // the actor; empty: the event is about no actor in particular
	Seen    bool
	Failure fact.Fact // of Fails: the reason, as the search met it first
}

// SometimesName is a kind of event.
type SometimesName string

// The events that a search looks out for.
const (
	Contended SometimesName = "contended" // somebody sends a request, or waits, while another is inside a section
	Expires   SometimesName = "expires"   // a key expires
	Enters    SometimesName = "enters"    // the actor gets inside a section
	Fails     SometimesName = "fails"     // the actor's program breaks off
)

// sightings are the events seen so far.
type sightings struct {
	meet               func(before *engine.Snapshot, step *engine.Step) bool // whether somebody sends a request while another is inside
	contended, expires bool
	actors             []string
	enters             []bool      // of each actor
	failures           []fact.Fact // of each actor, its first
}

func (s *sightings) begin(of engine.Scenario) {
	exclusion, _ := engine.Rule("mutual-exclusion") // which could break in such a step
	s.meet = exclusion.Could
	for _, a := range of.Actors {
		s.actors = append(s.actors, a.Name)
	}
	s.enters = make([]bool, len(s.actors))
	s.failures = make([]fact.Fact, len(s.actors))
}

// start notes what programs have done before the first choice: they have run up to their first requests.
func (s *sightings) start(at *engine.Snapshot) {
	for _, a := range at.Actors {
		i := slices.Index(s.actors, engine.Root(a.Name))
		if i < 0 {
			continue
		}
		s.enters[i] = s.enters[i] || len(a.Inside) > 0
		if s.failures[i].Code == "" {
			s.failures[i] = a.Failure
		}
	}
	for _, w := range at.Wanted {
		s.contended = s.contended || slices.ContainsFunc(at.Held, func(h engine.Holding) bool { return h.Section == w.Section })
	}
}

func (s *sightings) look(before *engine.Snapshot, step *engine.Step) {
	s.contended = s.contended || s.meet(before, step)
	s.expires = s.expires || len(step.Expired) > 0
	for _, n := range step.Notes {
		switch n.Kind { //nolint:exhaustive // the goals are about these
		case engine.NoteEnter:
			if i := slices.Index(s.actors, engine.Root(n.Actor)); i >= 0 {
				s.enters[i] = true
			}
		case engine.NoteFailed:
			if i := slices.Index(s.actors, engine.Root(n.Actor)); i >= 0 && s.failures[i].Code == "" {
				s.failures[i] = n.Failure
			}
		case engine.NoteWant:
			s.contended = s.contended || slices.ContainsFunc(step.After.Held, func(h engine.Holding) bool { return h.Section == n.Text })
		}
	}
}

func (s *sightings) list() []Sometimes {
	list := []Sometimes{{Name: Contended, Seen: s.contended}, {Name: Expires, Seen: s.expires}}
	for i, a := range s.actors {
		list = append(list,
			Sometimes{Name: Enters, Of: a, Seen: s.enters[i]},
			Sometimes{Name: Fails, Of: a, Seen: s.failures[i].Code != "", Failure: s.failures[i]})
	}
	return list
}
