package engine

import "slices"

// Sometimes is something that a search should have seen: where nobody ever has to wait for
// a lock, it is no surprise that it holds.
type Sometimes struct {
	Name SometimesName
	Of   string // the actor; empty: it is about all
	Seen bool
}

// SometimesName is what should be seen.
type SometimesName string

// What should be seen.
const (
	Contended SometimesName = "contended" // somebody sends a request, or waits, while another is inside a section
	Expires   SometimesName = "expires"   // a key expires
	Enters    SometimesName = "enters"    // the actor gets inside a section
)

// sightings are what was seen so far.
type sightings struct {
	contended, expires bool
	enters             []bool
	actors             []string
}

func (s *sightings) begin(of Scenario) {
	for _, a := range of.Actors {
		s.actors = append(s.actors, a.Name)
	}
	s.enters = make([]bool, len(s.actors))
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
		case NoteWant:
			s.contended = s.contended || slices.ContainsFunc(step.After.Held, func(h Holding) bool { return h.Section == n.Text })
		}
	}
}

func (s *sightings) list() []Sometimes {
	list := []Sometimes{{Name: Contended, Seen: s.contended}, {Name: Expires, Seen: s.expires}}
	for i, a := range s.actors {
		list = append(list, Sometimes{Enters, a, s.enters[i]})
	}
	return list
}
