package engine

import (
	"slices"

	"lockstep/engine/fact"
)

// Sometimes is something that a search has seen, or not: where nobody ever has to wait for
// a lock, it is no surprise that it holds.
type Sometimes struct {
	Name    SometimesName
	Of      string // the actor; empty: it is about all
	Seen    bool
	Failure fact.Fact // of one that Fails: why, the first time that it was seen
}

// SometimesName is what may be seen.
type SometimesName string

// What may be seen.
const (
	Contended SometimesName = "contended" // somebody sends a request, or waits, while another is inside a section
	Expires   SometimesName = "expires"   // a key expires
	Enters    SometimesName = "enters"    // the actor gets inside a section
	Fails     SometimesName = "fails"     // the actor's program breaks off
)

// sightings are what was seen so far.
type sightings struct {
	contended, expires bool
	actors             []string
	enters             []bool
	failures           []fact.Fact
}

func (s *sightings) begin(of Scenario) {
	for _, a := range of.Actors {
		s.actors = append(s.actors, a.Name)
	}
	s.enters = make([]bool, len(s.actors))
	s.failures = make([]fact.Fact, len(s.actors))
}

func (s *sightings) look(before *Snapshot, step *Step) {
	s.contended = s.contended || outsiderSends(before, step)
	s.expires = s.expires || len(step.Expired) > 0
	for _, n := range step.Notes {
		switch n.Kind { //nolint:exhaustive // the goals are about these
		case NoteEnter:
			if i := slices.Index(s.actors, Root(n.Actor)); i >= 0 {
				s.enters[i] = true
			}
		case NoteFailed:
			if i := slices.Index(s.actors, Root(n.Actor)); i >= 0 && s.failures[i].Code == "" {
				s.failures[i] = n.Failure
			}
		case NoteWant:
			s.contended = s.contended || slices.ContainsFunc(step.After.Held, func(h Holding) bool { return h.Section == n.Text })
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
