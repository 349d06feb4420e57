package lessons

import (
	"fmt"
	"slices"

	"lockstep/engine"
)

// An invariant that is never asked in a state in which it could be false proves
// nothing. Which states these are is said here for each of the engine's rules.
var bites = map[string]struct {
	could func(before *engine.Snapshot, s *engine.Step) bool
	never string // why it cannot break
}{
	"mutual-exclusion": {
		func(before *engine.Snapshot, s *engine.Step) bool { return outsider(before, s, false) },
		"nobody sends a request while another is inside a section",
	},
	"no-lock-without-ttl": {
		func(_ *engine.Snapshot, s *engine.Step) bool {
			return slices.ContainsFunc(append(slices.Clone(s.After.Held), s.After.Wanted...), func(h engine.Holding) bool {
				return exists(&s.After, h.Section)
			})
		},
		"no key has the name of a section that somebody is in or waits for",
	},
	"released-by-holder": {
		func(before *engine.Snapshot, s *engine.Step) bool { return outsider(before, s, true) },
		"nobody sends a request while another is inside a section and the key of that name exists",
	},
	"waiters-in-order": {
		func(before *engine.Snapshot, s *engine.Step) bool {
			return slices.ContainsFunc(s.Notes, func(n engine.Note) bool {
				return n.Kind == engine.NoteEnter && slices.ContainsFunc(before.Wanted, func(h engine.Holding) bool {
					return h.Section == n.Text && (len(h.Actors) > 1 || h.Actors[0] != n.Actor)
				})
			})
		},
		"nobody enters a section that another waits for",
	},
	"nobody-waits-forever": {
		func(_ *engine.Snapshot, s *engine.Step) bool {
			return slices.ContainsFunc(s.After.Actors, func(a engine.ActorState) bool { return a.Status == engine.Waiting })
		},
		"nobody ever waits for a message",
	},
}

// outsider tells whether somebody sends a request while others, and not it, are
// inside a section; locked: whose key exists.
func outsider(before *engine.Snapshot, s *engine.Step, locked bool) bool {
	if _, sends := s.Request.(engine.Exec); !sends {
		return false
	}
	return slices.ContainsFunc(before.Held, func(h engine.Holding) bool {
		return !slices.Contains(h.Actors, root(s.Choice.Target)) && (!locked || exists(before, h.Section))
	})
}

func exists(s *engine.Snapshot, key string) bool {
	return slices.ContainsFunc(s.Nodes, func(v engine.NodeView) bool {
		_, ok := v.Key(key)
		return ok
	})
}

func (n *lint) invariants() {
	for _, name := range n.lesson.Invariants {
		if b, known := bites[name]; known && !n.any(b.could) {
			n.idle(name, b.never)
		}
	}
	for _, r := range n.lesson.Rules {
		if !n.looks(r) {
			n.idle(r.Name, "no step changes anything that it looks at")
		}
	}
}

func (n *lint) idle(name, why string) {
	n.warn(CodeIdleInvariant, n.lesson.Declared["invariant "+name],
		fmt.Sprintf("nothing that is played could break %s: %s", name, why), "let the story or the challenge come near to it, or leave it out")
}

// looks tells whether a rule looks, after some step, at a key that the step changed,
// or at a section that somebody entered or left.
func (n *lint) looks(r Rule) bool {
	rule, err := newLuaRule(r)
	if err != nil {
		return true // and that was said when the lesson was played
	}
	seen := map[sight]bool{}
	rule.saw = func(at sight) { seen[at] = true }
	return n.any(func(_ *engine.Snapshot, s *engine.Step) bool {
		clear(seen)
		_, _ = rule.holds(&s.After) // what it looked at matters, whatever it found
		return slices.ContainsFunc(s.Changes, func(c engine.Change) bool { return seen[sight{c.Node, c.Key}] }) ||
			slices.ContainsFunc(s.Notes, func(note engine.Note) bool {
				return (note.Kind == engine.NoteEnter || note.Kind == engine.NoteLeave) && seen[sight{name: note.Text}]
			})
	})
}
