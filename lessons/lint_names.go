package lessons

import (
	"maps"
	"slices"

	"lockstep/engine"
	"lockstep/engine/fact"
)

// names warns of expectations that hold, and of questions with an answer, whatever happens in what is
// played. Most of them are about a name that is misspelt.
func (n *lint) names() {
	n.seen()
	for i := range n.lesson.Story {
		b := &n.lesson.Story[i]
		if b.Expect != nil {
			for _, part := range b.Expect.Parts {
				if idle := ExpectationOf(part.Key).idle; idle != nil {
					idle(n, part)
				}
			}
		}
		if b.Ask == nil {
			continue
		}
		switch q := b.Ask.Answer; q.Kind { //nolint:exhaustive // of the others an answer that finds nothing is an error
		case QueryHolder:
			n.absent(b.Ask.Place, fact.Of("lesson-a-section"), q.Key, n.sections, fact.Of("lesson-always-nobody"))
		case QueryExists, QueryLLen, QueryHLen, QuerySCard, QueryZCard, QuerySIsMember:
			n.absent(b.Ask.Place, fact.Of("lesson-a-key"), q.Key, n.keys, fact.Of("lesson-always-same"))
		}
	}
}

// absent warns of a name that no state of what is played has.
func (n *lint) absent(at Place, kind fact.Fact, name string, known map[string]bool, proves fact.Fact) {
	if !known[name] {
		n.warn(CodeIdleExpect, at, fact.Of("lesson-never-name", kind, name, proves),
			Meant(name, slices.Sorted(maps.Keys(known))))
	}
}

// idleKey warns of a key that must be gone and never was there.
func (n *lint) idleKey(e Expected) {
	if e.Key == "gone" || e.Type == NoKey {
		n.absent(e.Place, fact.Of("lesson-a-key"), e.Name, n.keys, fact.Of("lesson-gone-anyway"))
	}
}

func (n *lint) idleSection(e Expected) {
	n.absent(e.Place, fact.Of("lesson-a-section"), e.Name, n.sections, fact.Of("lesson-empty-anyway"))
}

// idleTask warns of a task that must not be there and never was.
func (n *lint) idleTask(e Expected) {
	if e.Texts[0] == string(NoTask) {
		n.absent(e.Place, fact.Of("lesson-a-task"), e.Name, n.tasks, fact.Of("lesson-none-anyway"))
	}
}

// idleLag warns of a replica that nobody's writes ever put behind.
func (n *lint) idleLag(e Expected) {
	behind := n.any(func(_ *engine.Snapshot, s *engine.Step) bool {
		return slices.ContainsFunc(s.Replicas, func(r engine.Replica) bool { return r.Node == e.Name && (r.Behind > 0 || r.Lost) })
	})
	if !behind {
		n.warn(CodeIdleExpect, e.Place, fact.Of("lesson-never-behind", e.Name), fact.Of("lesson-write-to-leader"))
	}
}

// idleLeader warns of a node that nothing could have kept from leading.
func (n *lint) idleLeader(e Expected) {
	changes := n.any(func(before *engine.Snapshot, s *engine.Step) bool {
		was, _ := before.Node(e.Name)
		now, _ := s.After.Node(e.Name)
		return leads(was) != leads(now)
	})
	if !changes {
		n.warn(CodeIdleExpect, e.Place, fact.Of("lesson-always-leads", e.Name), fact.Of("lesson-promote"))
	}
}

// seen collects the keys, the sections and the tasks of every state that is played.
func (n *lint) seen() {
	n.keys, n.sections, n.tasks = map[string]bool{}, map[string]bool{}, map[string]bool{}
	look := func(s *engine.Snapshot) {
		for _, node := range s.Nodes {
			for _, k := range node.Keys {
				n.keys[k.Name] = true
			}
		}
		for _, a := range s.Actors {
			if a.Task {
				n.tasks[a.Name] = true
			}
		}
		for _, h := range append(slices.Clone(s.Held), s.Wanted...) {
			n.sections[h.Section] = true
		}
	}
	for _, t := range n.traces {
		look(&t.Start)
		for i := range t.Steps {
			look(&t.Steps[i].After)
			for _, note := range t.Steps[i].Notes {
				if note.Kind == engine.NoteEnter { // and perhaps left at once
					n.sections[note.Text] = true
				}
			}
		}
	}
}
