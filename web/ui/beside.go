package ui

import (
	"cmp"
	"slices"
	"strings"

	"lockstep/engine"
)

type besideRow struct {
	N           int
	Here, There *engine.Step // nil: that timeline has ended
	Same        bool
}

// mostBeside is how many steps of two timelines are shown, around the one where the
// learner stands.
const mostBeside = 60

func besideRows(v *View, c *Compared) []besideRow {
	here, there := v.Trace.Steps, c.Trace.Steps
	to := min(max(len(here), len(there)), max(v.Pos+mostBeside/2, mostBeside))
	var rows []besideRow
	for i := max(0, to-mostBeside); i < to; i++ {
		r := besideRow{N: i + 1, Same: i < c.Same}
		if i < len(here) {
			r.Here = &here[i]
		}
		if i < len(there) {
			r.There = &there[i]
		}
		rows = append(rows, r)
	}
	return rows
}

func besideStep(v *View, s *engine.Step) string {
	if s == nil {
		return ""
	}
	return Brief(v.Lang, s)
}

// besideSame tells whether the other timeline goes as this one does.
func besideSame(v *View, c *Compared) bool {
	return c.Same == len(v.Trace.Steps) && (c.Branch != 0 && c.Same == len(c.Trace.Steps) || c.Branch == 0 && c.Stopped == nil)
}

func besideSum(v *View, c *Compared) string {
	switch {
	case len(v.Trace.Steps) == 0 && c.Branch == 0:
		return besideNothing.in(v.Lang)
	case besideSame(v, c):
		return besideAll.in(v.Lang, c.Same)
	case c.Same == 0:
		return besideFirst.in(v.Lang)
	}
	return besideUntil.in(v.Lang, c.Same, c.Same+1)
}

func besideHere(v *View, c *Compared) string {
	if c.Branch != 0 {
		return branchHere.in(v.Lang)
	}
	return cmp.Or(engineShown(v), string(v.Engine))
}

func besideThere(v *View, c *Compared) string {
	for _, b := range v.Branches {
		if b.ID == c.Branch && b.ID != 0 {
			return branchName(v, b)
		}
	}
	return engineName(v.Lang, c.Engine)
}

// mostDifferences is how many rows say what two timelines left different.
const mostDifferences = 12

// besideDifferences are what differs after the shown step: the clock, who is inside, what each actor is
// doing, and the keys; where one timeline has ended, after its last. There are so many more than are shown.
func besideDifferences(v *View, c *Compared) (rows []comparisonRow, more int) {
	here, there := v.Snapshot(), c.Trace.At(min(v.Pos, len(c.Trace.Steps)))
	add := func(r comparisonRow) {
		if r.Here != r.There {
			rows = append(rows, r)
		}
	}
	timed := func(what string, text func(s *engine.Snapshot, say spanText) string) {
		r := comparisonRow{What: what, Here: text(here, span), There: text(there, span)}
		if r.Here == r.There { // as it is rounded
			r.Here, r.There = text(here, exactSpan), text(there, exactSpan)
		}
		add(r)
	}
	timed(clockLabel.in(v.Lang), func(s *engine.Snapshot, say spanText) string { return instantIn(v.Lang, s.Now, say) })
	add(comparisonRow{What: heldLabel.in(v.Lang), Here: insideText(v, here), There: insideText(v, there)})
	for _, name := range actorsOfBoth(here, there) {
		timed(name, func(s *engine.Snapshot, say spanText) string { return besideDoes(v, s, name, say) })
	}
	for _, key := range keysOfBoth(here, there) {
		add(comparisonRow{What: onNode(v, key.Node, key.Key), Code: true, Here: keyText(v.Lang, here, key), There: keyText(v.Lang, there, key)})
	}
	more = max(0, len(rows)-mostDifferences)
	return rows[:len(rows)-more], more
}

// actorsOfBoth are the actors of two worlds, each once.
func actorsOfBoth(a, b *engine.Snapshot) []string {
	var all []string
	for _, actor := range slices.Concat(a.Actors, b.Actors) {
		if !slices.Contains(all, actor.Name) {
			all = append(all, actor.Name)
		}
	}
	return all
}

// besideDoes is what an actor is doing, and what it asks for, or has asked for.
func besideDoes(v *View, s *engine.Snapshot, name string, say spanText) string {
	a, there := s.Actor(name)
	switch {
	case !there:
		return compareGone.in(v.Lang)
	case a.Next == nil || a.Status == engine.Crashed || a.Status == engine.Sleeping:
		return doing(v, s, a, say)
	case a.Status == engine.Waiting:
		_, what := nextInHead(v.Lang, a)
		return doing(v, s, a, say) + clauseColon.in(v.Lang) + what
	}
	what := clip(pendingText(v.Lang, a, say), mostStatement)
	if _, receives := a.Next.(engine.Receive); receives && a.Status == engine.Ready {
		what = doesNext(v.Lang, a)
	}
	if node := nodeAsked(v, a); node != "" {
		what += " → " + node
	}
	state, leads := doing(v, s, a, say), clauseColon.in(v.Lang)
	if a.Status == engine.Ready || a.Status == engine.Paused {
		leads = clauseComma.in(v.Lang) + actorNext.in(v.Lang) + clauseColon.in(v.Lang)
	}
	switch {
	case a.Status == engine.Ready:
		state = statusWords[string(a.Status)].in(v.Lang)
	case a.Status != engine.Paused && a.Until != engine.NoDeadline: // its request is under way
		state += clauseComma.in(v.Lang) + actorUntil.in(v.Lang, instantIn(v.Lang, a.Until, say))
	}
	return state + leads + what
}

func insideText(v *View, s *engine.Snapshot) string {
	all := joined(s.Held, clauseComma.in(v.Lang), func(h engine.Holding) string {
		return h.Section + clauseColon.in(v.Lang) + strings.Join(h.Actors, clauseAnd.in(v.Lang))
	})
	return cmp.Or(all, heldNone.in(v.Lang))
}

// keysOfBoth are the keys of two worlds, each once.
func keysOfBoth(a, b *engine.Snapshot) []engine.Change {
	var all []engine.Change
	for _, n := range slices.Concat(a.Nodes, b.Nodes) {
		for _, k := range n.Keys {
			if _, known := engine.ChangeOf(all, n.Node, k.Name); !known {
				all = append(all, engine.Change{Node: n.Node, Key: k.Name})
			}
		}
	}
	return all
}
