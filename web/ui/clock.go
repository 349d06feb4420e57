package ui

import (
	"cmp"
	"slices"
	"time"

	"lockstep/engine"
)

// ticksOffered are the moves of the clock that stand next to "to next due": those
// that the lesson's resolution allows and, after them, where it moves no other, the one that the story would make.
func ticksOffered(v *View) []engine.Choice {
	var out []engine.Choice
	for _, d := range []time.Duration{time.Second, 10 * time.Second, 30 * time.Second} {
		if v.Lesson.Resolution <= 0 || d%v.Lesson.Resolution == 0 {
			out = append(out, engine.Choice{Kind: engine.Tick, Span: d})
		}
	}
	if next := v.Story.Next; next != nil && next.Kind == engine.Tick && next.Span > 0 && !slices.Contains(out, *next) {
		out = append(out, *next)
	}
	return out
}

// coming is something that happens by itself.
type coming struct {
	At   engine.Instant
	What string
	Told bool // nothing in the diagram stands for it but words
}

// mostComing is how much of what is coming the diagram says in words.
const mostComing = 3

// comingUp is what happens by itself, soonest first.
func comingUp(v *View) []coming {
	s := v.Snapshot()
	var all []coming
	add := func(when engine.Instant, text string) {
		if when != engine.NoDeadline && when >= s.Now {
			all = append(all, coming{At: when, What: text})
		}
	}
	for _, n := range s.Nodes {
		if n.Status != "" {
			continue // nothing happens there by itself
		}
		for _, k := range n.Keys {
			add(k.Deadline, dueExpires.in(v.Lang, onNode(v, n.Node, k.Name)))
		}
		for _, w := range n.Waits {
			if w.Until != engine.NoDeadline {
				add(w.Until-n.Clock, dueGivesUp.in(v.Lang, w.Actor))
			}
		}
		for _, session := range n.Sessions {
			if session.Until != engine.NoDeadline {
				all = append(all, coming{At: session.Until - n.Clock, What: dueSession.in(v.Lang, session.Process), Told: true})
			}
		}
		for _, silent := range n.Silent {
			all = append(all, coming{At: silent.Until, What: dueSilent.in(v.Lang, n.Node, silent.Replica), Told: true})
		}
	}
	for _, a := range s.Actors {
		if a.Status == engine.Sleeping {
			add(a.Until, dueOf(a).in(v.Lang, a.Name))
		}
		if a.Status == engine.Waiting || a.Status == engine.Unanswered || a.InNode {
			add(a.Until, dueGivesUp.in(v.Lang, a.Name))
		}
	}
	slices.SortStableFunc(all, func(a, b coming) int { return cmp.Compare(a.At, b.At) })
	return all
}

// dueOf is how a span ends that an actor sleeps or works for.
func dueOf(a engine.ActorState) msg {
	if works(a) {
		return dueDone
	}
	return dueWakes
}

// works tells whether an actor's time goes into work, not into sleep.
func works(a engine.ActorState) bool {
	r, ok := a.Next.(engine.Sleep)
	return ok && r.Label != ""
}

// due is the next instant at which something happens by itself, and a description of it,
// which is empty if nothing will.
func due(v *View) (at engine.Instant, what string) {
	if all := comingUp(v); len(all) > 0 {
		return all[0].At, all[0].What
	}
	return 0, ""
}
