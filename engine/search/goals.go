package search

import (
	"maps"
	"slices"
	"strings"

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

	Sections, Wanted []string // of Enters: those that the actor gets into, and those that it waits for, as the search met them
	Stays            []string // of these, those in which it is when the step has ended in which it has come
	Ends             bool     // of Enters: the actor's program comes to its end
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

// Saw adds the events that another search of the same scenario has seen.
func (v *Verdict) Saw(other *Verdict) {
	all := slices.Clone(v.Sometimes)
	for i, s := range other.Sometimes {
		if i == len(all) {
			all = append(all, s)
			continue
		}
		mine := &all[i]
		mine.Seen, mine.Ends = mine.Seen || s.Seen, mine.Ends || s.Ends
		if mine.Failure.Code == "" {
			mine.Failure = s.Failure
		}
		mine.Sections, mine.Wanted, mine.Stays = both(mine.Sections, s.Sections), both(mine.Wanted, s.Wanted), both(mine.Stays, s.Stays)
	}
	v.Sometimes = all

	scripts, deleted := maps.Clone(other.Scripts), maps.Clone(other.Deleted)
	for name, changed := range v.Scripts {
		scripts[name] = scripts[name] || changed
	}
	for actor, keys := range v.Deleted {
		deleted[actor] = both(keys, deleted[actor])
	}
	v.Scripts, v.Deleted = scripts, deleted
}

// both are the sections, or keys, of two lists, in the order of the first.
func both(a, b []string) []string {
	all := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// sightings are the events seen so far.
type sightings struct {
	meet               func(before *engine.Snapshot, step *engine.Step) bool // whether somebody sends a request while another is inside
	contended, expires bool
	actors             []string
	enters, stays      [][]string // sections, of each actor
	wants              [][]string
	ends               []bool
	scripts            map[string]bool     // that were called, and whether a call has changed a key
	of                 []engine.ActorSpec  // of the scenario
	deleted            map[string][]string // by actor, keys that named nobody else as their owner
	failures           []fact.Fact         // of each actor, its first
}

func (s *sightings) begin(of engine.Scenario) {
	exclusion, _ := engine.Rule("mutual-exclusion") // which could break in such a step
	s.meet = exclusion.Could
	s.of = of.Actors
	for _, a := range of.Actors {
		s.actors = append(s.actors, a.Name)
	}
	s.enters, s.stays, s.wants = make([][]string, len(s.actors)), make([][]string, len(s.actors)), make([][]string, len(s.actors))
	s.ends, s.scripts, s.deleted = make([]bool, len(s.actors)), map[string]bool{}, map[string][]string{}
	s.failures = make([]fact.Fact, len(s.actors))
}

// start notes what programs have done before the first choice: they have run up to their first requests.
func (s *sightings) start(at *engine.Snapshot) {
	for _, a := range at.Actors {
		i := slices.Index(s.actors, engine.Root(a.Name))
		if i < 0 {
			continue
		}
		if s.failures[i].Code == "" {
			s.failures[i] = a.Failure
		}
	}
	for _, h := range at.Held {
		s.note(s.enters, h.Section, h.Actors...)
		s.note(s.stays, h.Section, h.Actors...)
	}
	for _, w := range at.Wanted {
		s.note(s.wants, w.Section, w.Actors...)
		s.contended = s.contended || slices.ContainsFunc(at.Held, func(h engine.Holding) bool { return h.Section == w.Section })
	}
}

func (s *sightings) look(before *engine.Snapshot, step *engine.Step) {
	s.contended = s.contended || s.meet(before, step)
	s.expires = s.expires || len(step.Expired) > 0
	if call, ok := step.Request.(engine.Exec); ok && call.Op.Script != nil && !s.scripts[call.Op.Script.Name] {
		s.scripts[call.Op.Script.Name] = len(step.Changes) > 0
	}
	for _, c := range step.Changes {
		actor := engine.Root(step.Choice.Target)
		if c.New == nil && step.Choice.Kind == engine.Run && s.mayOwn(c.Old, actor, step.Process) && !slices.Contains(s.deleted[actor], c.Key) {
			s.deleted[actor] = append(s.deleted[actor], c.Key)
		}
	}
	for _, h := range step.After.Held {
		s.note(s.stays, h.Section, h.Actors...)
	}
	for _, n := range step.Notes {
		switch n.Kind { //nolint:exhaustive // the goals are about these
		case engine.NoteEnter:
			s.note(s.enters, n.Text, n.Actor)
		case engine.NoteFailed:
			if i := slices.Index(s.actors, engine.Root(n.Actor)); i >= 0 && s.failures[i].Code == "" {
				s.failures[i] = n.Failure
			}
		case engine.NoteDone:
			if i := slices.Index(s.actors, n.Actor); i >= 0 {
				s.ends[i] = true
			}
		case engine.NoteWant:
			s.note(s.wants, n.Text, n.Actor)
			s.contended = s.contended || slices.ContainsFunc(step.After.Held, func(h engine.Holding) bool { return h.Section == n.Text })
		}
	}
}

// mayOwn tells whether a key may be an actor's lock: it names the actor, or no actor at all, as a random token does.
func (s *sightings) mayOwn(k *engine.Key, actor, process string) bool {
	return names(k, actor, process) || !slices.ContainsFunc(s.of, func(a engine.ActorSpec) bool { return names(k, a.Name, a.Process) })
}

// names tells whether a key names an actor as the owner of what it stands for, as locks do: by itself or behind its process.
func names(k *engine.Key, actor, process string) bool {
	is := func(text string) bool { return text == actor || strings.HasPrefix(text, process+":") }
	return is(k.Text) || slices.ContainsFunc(k.Items, func(i engine.Item) bool { return is(i.Name) })
}

// note adds a section to those of actors, by any of their threads.
func (s *sightings) note(sections [][]string, section string, threads ...string) {
	for _, thread := range threads {
		i := slices.Index(s.actors, engine.Root(thread))
		if i >= 0 && !slices.Contains(sections[i], section) {
			sections[i] = append(sections[i], section)
		}
	}
}

// isSection tells whether anybody has got into a section of this name, or waited for it.
func (s *sightings) isSection(name string) bool {
	return slices.ContainsFunc(slices.Concat(s.enters, s.wants), func(of []string) bool { return slices.Contains(of, name) })
}

func (s *sightings) list() []Sometimes {
	list := []Sometimes{{Name: Contended, Seen: s.contended}, {Name: Expires, Seen: s.expires}}
	for i, a := range s.actors {
		list = append(list,
			Sometimes{Name: Enters, Of: a, Seen: len(s.enters[i]) > 0, Sections: s.enters[i], Wanted: s.wants[i], Stays: s.stays[i], Ends: s.ends[i]},
			Sometimes{Name: Fails, Of: a, Seen: s.failures[i].Code != "", Failure: s.failures[i]})
	}
	return list
}
