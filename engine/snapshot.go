package engine

import (
	"context"
	"slices"
	"strings"
)

// snapshot makes s the world now, as a value that later steps do not change: all but what may
// happen next, and what only the world knows of its nodes. It takes the places of nodes, actors and
// options that s has.
func (w *World) snapshot(ctx context.Context, s *Snapshot) error {
	nodes, actors := slices.Grow(s.Nodes[:0], len(w.servers)), slices.Grow(s.Actors[:0], len(w.threads))
	*s = Snapshot{Now: w.now, Mail: slices.Clone(w.mail), Nodes: nodes, Actors: actors, Options: s.Options[:0]}
	for _, n := range w.servers {
		var v NodeView
		if !n.crashed {
			var err error
			if v, err = n.node.View(ctx); err != nil {
				return err
			}
			v.Keys = shifted(v.Keys, -n.clock)
		}
		v.Node = n.name
		s.Nodes = append(s.Nodes, v)
	}
	for _, t := range w.threads {
		s.Actors = append(s.Actors, w.state(t))
		for _, section := range t.inside {
			s.hold(section, t.name)
		}
	}
	slices.SortStableFunc(s.Held, func(a, b Holding) int { return strings.Compare(a.Section, b.Section) })
	s.Wanted = slices.Clone(w.wanted) // who waits is never changed in place
	return nil
}

func (s *Snapshot) hold(section, actor string) {
	for i, h := range s.Held {
		if h.Section == section {
			if !slices.Contains(h.Actors, actor) {
				s.Held[i].Actors = append(h.Actors, actor)
			}
			return
		}
	}
	s.Held = append(s.Held, Holding{Section: section, Actors: []string{actor}})
}

func (w *World) state(t *thread) ActorState {
	a := ActorState{
		Name: t.name, Process: t.process, Task: t.task, Status: w.status(t),
		Next: t.next, Until: t.until, Inside: slices.Clone(t.inside), Failure: t.failure,
		Position: t.position, Clock: w.process(t.process).clock,
	}
	if t.sent == nil {
		a.Next = w.addressed(a.Next)
	} else {
		a.Next = t.sent.request
		a.Answered = t.sent.answer != nil
		a.InNode = t.sent.missing == InNode
	}
	if a.InNode && !w.keeper(t).runs() {
		a.Until = NoDeadline
	}
	if t.ended() {
		a.Next = nil
	}
	for _, h := range w.wanted {
		if slices.Contains(h.Actors, t.name) {
			a.Wants = append(a.Wants, h.Section)
		}
	}
	return a
}

// changes appends the keys that differ between two snapshots, by node and name.
func changes(cs []Change, before, after *Snapshot) []Change {
	for i := range after.Nodes {
		cs = changed(cs, after.Nodes[i].Node, before.Nodes[i].Keys, after.Nodes[i].Keys)
	}
	return cs
}
