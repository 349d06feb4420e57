package lessons

import (
	"fmt"
	"maps"
	"slices"

	"lockstep/engine"
)

// names looks for expectations and questions about keys and sections that nothing
// which is played ever has: they hold whatever happens, and are mostly misspelt.
func (n *lint) names() {
	keys, sections := n.seen()
	absent := func(at Place, kind, name string, known map[string]bool, proves string) {
		if !known[name] {
			n.warn(CodeIdleExpect, at, fmt.Sprintf("there is never a %s %q in what is played: %s", kind, name, proves),
				DidYouMean(name, slices.Sorted(maps.Keys(known))))
		}
	}
	for i := range n.lesson.Story {
		b := &n.lesson.Story[i]
		if b.Expect != nil {
			for _, name := range b.Expect.Gone {
				absent(b.Expect.place("gone "+name), "key", name, keys, "that it is gone proves nothing")
			}
			for _, k := range b.Expect.Keys {
				if k.Type == NoKey {
					absent(k.Place, "key", k.Name, keys, "that it is gone proves nothing")
				}
			}
			for _, h := range b.Expect.Holds {
				absent(h.Place, "section", h.Section, sections, "that nobody is in it proves nothing")
			}
			n.roles(b.Expect)
		}
		if b.Ask == nil {
			continue
		}
		switch q := b.Ask.Answer; q.Kind { //nolint:exhaustive // of the others an answer that finds nothing is an error
		case QueryHolder:
			absent(b.Ask.Place, "section", q.Key, sections, "the answer is nobody, whatever happens")
		case QueryExists, QueryLLen, QueryHLen, QuerySCard, QueryZCard, QuerySIsMember:
			absent(b.Ask.Place, "key", q.Key, keys, "the answer is always the same")
		}
	}
}

// roles looks for expectations about replicas that nothing which is played could change.
func (n *lint) roles(e *Expect) {
	for _, b := range e.Behind {
		behind := n.any(func(_ *engine.Snapshot, s *engine.Step) bool {
			return slices.ContainsFunc(s.Replicas, func(r engine.Replica) bool { return r.Node == b.Node && (r.Behind > 0 || r.Lost) })
		})
		if !behind {
			n.warn(CodeIdleExpect, b.Place, fmt.Sprintf("%s is never behind in what is played: that it is not proves nothing", b.Node), "let somebody write to its leader, or leave it out")
		}
	}
	for _, name := range e.Leads {
		changes := n.any(func(before *engine.Snapshot, s *engine.Step) bool {
			was, _ := before.Node(name)
			now, _ := s.After.Node(name)
			return leads(was) != leads(now)
		})
		if !changes {
			n.warn(CodeIdleExpect, e.place("leads"), fmt.Sprintf("%s leads from the start to the end of what is played: that it does proves nothing", name), "promote a replica, or leave it out")
		}
	}
}

// seen is the keys and the sections that there are at any time.
func (n *lint) seen() (keys, sections map[string]bool) {
	keys, sections = map[string]bool{}, map[string]bool{}
	look := func(s *engine.Snapshot) {
		for _, node := range s.Nodes {
			for _, k := range node.Keys {
				keys[k.Name] = true
			}
		}
		for _, h := range append(slices.Clone(s.Held), s.Wanted...) {
			sections[h.Section] = true
		}
	}
	for _, t := range n.traces {
		look(&t.Start)
		for i := range t.Steps {
			look(&t.Steps[i].After)
			for _, note := range t.Steps[i].Notes {
				if note.Kind == engine.NoteEnter { // and perhaps left at once
					sections[note.Text] = true
				}
			}
		}
	}
	return keys, sections
}
