package ui

import (
	"cmp"
	"slices"
	"strings"

	"lockstep/engine"
)

// besideRow is one step of two timelines.
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
// doing, and the keys; where one timeline has ended, after its last.
func besideDifferences(v *View, c *Compared) []comparisonRow {
	here, there := v.Snapshot(), c.Trace.At(min(v.Pos, len(c.Trace.Steps)))
	var rows []comparisonRow
	add := func(r comparisonRow) {
		if r.Here != r.There {
			rows = append(rows, r)
		}
	}
	add(comparisonRow{What: clockLabel.in(v.Lang), Here: instant(v.Lang, here.Now), There: instant(v.Lang, there.Now)})
	add(comparisonRow{What: heldLabel.in(v.Lang), Here: insideText(v, here), There: insideText(v, there)})
	for _, name := range actorsOfBoth(here, there) {
		add(comparisonRow{What: name, Here: besideDoes(v, here, name), There: besideDoes(v, there, name)})
	}
	for _, key := range keysOfBoth(here, there) {
		add(comparisonRow{What: onNode(v, key.Node, key.Key), Code: true, Here: keyText(v.Lang, here, key), There: keyText(v.Lang, there, key)})
	}
	return rows[:min(len(rows), mostDifferences)]
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

// besideDoes is what an actor is doing, and what it asks for next when it can.
func besideDoes(v *View, s *engine.Snapshot, name string) string {
	a, there := s.Actor(name)
	switch {
	case !there:
		return compareGone.in(v.Lang)
	case a.Status == engine.Ready && a.Next != nil:
		return statusWords[string(a.Status)].in(v.Lang) + clauseComma.in(v.Lang) + actorNext.in(v.Lang) + clauseColon.in(v.Lang) + askedText(v.Lang, a.Next)
	}
	return doing(v, s, a, span)
}

func insideText(v *View, s *engine.Snapshot) string {
	var all []string
	for _, h := range s.Held {
		all = append(all, h.Section+clauseColon.in(v.Lang)+strings.Join(h.Actors, editsAnd.in(v.Lang)))
	}
	return cmp.Or(strings.Join(all, clauseComma.in(v.Lang)), heldNone.in(v.Lang))
}

// keysOfBoth are the keys of two worlds, each once.
func keysOfBoth(a, b *engine.Snapshot) []engine.Change {
	var all []engine.Change
	for _, n := range slices.Concat(a.Nodes, b.Nodes) {
		for _, k := range n.Keys {
			if _, known := changeOf(all, n.Node, k.Name); !known {
				all = append(all, engine.Change{Node: n.Node, Key: k.Name})
			}
		}
	}
	return all
}
