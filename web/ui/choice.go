package ui

import (
	"cmp"
	"slices"
	"strconv"

	"lockstep/engine"
	"lockstep/lessons"
)

// wordsFor finds the words for a choice. A node has other words than a process, and so has what may
// follow the target.
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

func faultText(lang lessons.Lang, s *engine.Step) string {
	c := s.Choice
	return wordsFor(&s.After, c).did.in(lang, c.Target, cmp.Or(s.Lost, c.Other), jump(lang, c.Span))
}

// fault is a fault that is offered, and the id of the element that says why it cannot happen.
type fault struct {
	engine.Option
	Why string
}

// faultMenu is what can go wrong with a process or a node, and what mends it.
type faultMenu struct {
	Of     string
	Faults []fault
}

func (m faultMenu) id() string { return faultsOf(m.Of) }

func faultsOf(target string) string { return "faults-" + target }

// faultMenus are the faults that are offered: in each menu those first that may happen.
func faultMenus(s *engine.Snapshot) []faultMenu {
	var menus []faultMenu
	n := 0
	for _, o := range s.Options {
		if _, fault := o.Choice.AllowedBy(); !fault || replaced(s, o) {
			continue
		}
		i := slices.IndexFunc(menus, func(m faultMenu) bool { return m.Of == o.Choice.Target })
		if i < 0 {
			i = len(menus)
			menus = append(menus, faultMenu{Of: o.Choice.Target})
		}
		menus[i].Faults = append(menus[i].Faults, fault{o, "why-fault-" + strconv.Itoa(n)})
		n++
	}
	for _, m := range menus {
		slices.SortStableFunc(m.Faults, func(a, b fault) int { return trueFirst(a.Enabled(), b.Enabled()) })
	}
	return menus
}

// hasFaults tells whether anything can go wrong with a process or a node.
func hasFaults(s *engine.Snapshot, target string) bool {
	return slices.ContainsFunc(faultMenus(s), func(m faultMenu) bool { return m.Of == target })
}

// replaced tells whether a fault is left out because its opposite, which may happen now, is offered in its
// place: nobody is offered to pause what is paused.
func replaced(s *engine.Snapshot, o engine.Option) bool {
	return !o.Enabled() && slices.ContainsFunc(s.Options, func(other engine.Option) bool {
		return other.Enabled() && o.Choice.Undoes(other.Choice)
	})
}

// trueFirst is the order of what is so and what is not.
func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// option finds what a snapshot offers of a kind for a target.
func option(s *engine.Snapshot, kind engine.ChoiceKind, target string) (engine.Option, bool) {
	for _, o := range s.Options {
		if o.Choice.Kind == kind && o.Choice.Target == target {
			return o, true
		}
	}
	return engine.Option{}, false
}
