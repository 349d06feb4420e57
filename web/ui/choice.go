package ui

import (
	"cmp"
	"slices"
	"strconv"

	"lockstep/engine"
	"lockstep/lessons"
)

// wordsFor finds the words for a choice, which are others where it is about a node, or
// says more than its target.
func wordsFor(s *engine.Snapshot, c engine.Choice) words {
	key := string(c.Kind)
	_, node := s.Node(c.Target)
	_, toNode := s.Node(c.Other)
	switch of := c.Kind.Of(); {
	case c.Kind == engine.Cut && node && toNode:
		key += " nodes"
	case node && (of == engine.AMachine || c.Kind == engine.Cut):
		key += " node"
	case of == engine.ANode && c.Other != "":
		key += " " + c.Other
	}
	return choiceWords[key]
}

// choiceText is what a choice does in a world, in a few words.
func choiceText(lang lessons.Lang, s *engine.Snapshot, c engine.Choice) string {
	switch {
	case c.Kind.Of() != engine.TheClock:
		return wordsFor(s, c).may.in(lang, c.Target, c.Other, offset(lang, c.Span))
	case c.Span > 0:
		return choiceTickSpan.in(lang, span(lang, c.Span))
	}
	return wordsFor(s, c).may.in(lang)
}

// faultText is what a fault did.
func faultText(lang lessons.Lang, s *engine.Step) string {
	c := s.Choice
	return wordsFor(&s.After, c).did.in(lang, c.Target, cmp.Or(s.Lost, c.Other), offset(lang, c.Span))
}

// fault is a fault that is offered, and the id of what says why it may not happen.
type fault struct {
	engine.Option
	Why string
}

// faultGroup is what can go wrong with one kind of thing, and what mends it.
type faultGroup struct {
	Title  msg // empty where there are too few faults to be grouped
	Faults []fault
}

// few is how many faults are seen at a glance.
const few = 4

// faultGroups are the faults that are offered: in each group those first that may happen.
func faultGroups(s *engine.Snapshot) []faultGroup {
	var all []fault
	groups := []faultGroup{{Title: faultsProcess}, {Title: faultsNode}, {Title: faultsNetwork}, {Title: faultsClock}, {Title: faultsLeader}}
	for _, o := range s.Options {
		if i := groupOf(s, o.Choice); i >= 0 && !replaced(s, o) {
			f := fault{o, "why-fault-" + strconv.Itoa(len(all))}
			all = append(all, f)
			groups[i].Faults = append(groups[i].Faults, f)
		}
	}
	if len(all) <= few {
		groups = []faultGroup{{Faults: all}}
	}
	groups = slices.DeleteFunc(groups, func(g faultGroup) bool { return len(g.Faults) == 0 })
	for _, g := range groups {
		slices.SortStableFunc(g.Faults, func(a, b fault) int { return cmp.Compare(off(a), off(b)) })
	}
	return groups
}

// opposites undo each other.
var opposites = [][2]engine.ChoiceKind{{engine.Crash, engine.Restart}, {engine.Pause, engine.Resume}, {engine.Cut, engine.Heal}}

// replaced tells whether a fault may not happen only because its opposite may, which is
// offered in its place.
func replaced(s *engine.Snapshot, o engine.Option) bool {
	c := o.Choice
	return !o.Enabled() && slices.ContainsFunc(s.Options, func(other engine.Option) bool {
		d := other.Choice
		undoes := slices.Contains(opposites, [2]engine.ChoiceKind{c.Kind, d.Kind}) || slices.Contains(opposites, [2]engine.ChoiceKind{d.Kind, c.Kind})
		return other.Enabled() && undoes &&
			(d.Target == c.Target && (c.Kind.Of() != engine.ALink || d.Other == c.Other) || d.Target == c.Other && d.Other == c.Target)
	})
}

// off is 1 for a fault that may not happen now.
func off(f fault) int {
	if f.Enabled() {
		return 0
	}
	return 1
}

// groupOf is the place of a choice among the groups, or -1. Writes that reach a replica
// are no fault: they belong to its card.
func groupOf(s *engine.Snapshot, c engine.Choice) int {
	_, node := s.Node(c.Target)
	switch c.Kind {
	case engine.Crash, engine.Restart, engine.Save, engine.Pause, engine.Resume:
		if node {
			return 1
		}
		return 0
	case engine.Drop, engine.Cut, engine.Heal:
		return 2
	case engine.Clock:
		return 3
	case engine.Promote:
		return 4
	case engine.Run, engine.Tick, engine.Replicate:
	}
	return -1
}
