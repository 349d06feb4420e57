package lessons

import (
	"slices"

	"lockstep/engine"
	"lockstep/engine/fact"
)

// invariants looks for those that are never asked where they could be false.
func (n *lint) invariants() {
	for _, name := range n.lesson.Invariants {
		if r, known := engine.Rule(name); known && !n.any(r.Could) {
			n.idle(name, r.Never)
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
		fact.Of("lesson-idle-rule", name, why), fact.Of("lesson-come-near"))
}

// looks tells whether a rule looks, after some step, at a key that the step changed,
// or at a section that somebody entered or left.
func (n *lint) looks(r Rule) bool {
	rule, err := newLuaRule(r)
	if err != nil {
		return true // and that was said when the lesson was played
	}
	seen := map[sight]bool{}
	saw := func(at sight) { seen[at] = true }
	return n.any(func(before *engine.Snapshot, s *engine.Step) bool {
		clear(seen)
		_, _ = rule.holds(&s.After, saw) // what it looked at matters, whatever it found
		return slices.ContainsFunc(s.After.Nodes, func(v engine.NodeView) bool {
			was, _ := before.Node(v.Node)
			return seen[sight{Node: v.Node}] && was.Deadlock.N != v.Deadlock.N
		}) ||
			slices.ContainsFunc(s.Replicas, func(r engine.Replica) bool { return seen[sight{Node: r.Node}] }) ||
			slices.ContainsFunc(s.After.Actors, func(a engine.ActorState) bool {
				was, _ := before.Actor(a.Name)
				return seen[sight{Node: a.Name}] && was.Status != a.Status
			}) ||
			s.Choice.Kind.IsFault() && seen[sight{Node: s.Choice.Target}] ||
			slices.ContainsFunc(s.Changes, func(c engine.Change) bool { return seen[sight{Node: c.Node, Key: c.Key}] }) ||
			slices.ContainsFunc(s.Notes, func(note engine.Note) bool {
				return (note.Kind == engine.NoteEnter || note.Kind == engine.NoteLeave) && seen[sight{Key: note.Text}]
			})
	})
}
