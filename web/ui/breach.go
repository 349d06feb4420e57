package ui

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/lessons"
)

// cause is a step that had its part in a breach, with what it did to it.
type cause struct {
	Step *engine.Step
	Text string
	Icon string
}

// mostCauses is how many steps are told of one breach: the first, and the last of the others.
const mostCauses = 7

// explained is the step whose breach is explained: the shown step, or the next one that breaks a
// rule, so that the list stays while the learner looks at one of its causes; if there is none, the last one.
func explained(v *View) *engine.Step {
	var last *engine.Step
	for i := range v.Trace.Steps {
		if s := &v.Trace.Steps[i]; len(s.Broken) > 0 {
			if last = s; s.N >= v.Pos {
				return s
			}
		}
	}
	return last
}

// breachText says in a sentence what a breach is. A rule of the lesson's own is told as its author says;
// where that is nothing, the sentence says so and has the rule itself.
func breachText(v *View, b engine.Violation) string {
	if _, own := invariantTexts[b.Invariant]; own {
		return SentenceOf(v.Lang, b.Detail)
	}
	if say := ruleSay(v.Lang, v.Lesson.Rules, b.Invariant); say != "" {
		return say
	}
	return joinSentences(v.Lang, []string{ruleUnsaid.in(v.Lang, Tell(v.Lang, b.Detail))})
}

// breachWhy is what else is to be said of a breach: what the engine's own rule is there for.
func breachWhy(v *View, b engine.Violation) string {
	if t, own := invariantTexts[b.Invariant]; own {
		return t.why.in(v.Lang)
	}
	return ""
}

// causes are the steps that led to a breach, in order, the breach itself last.
func causes(v *View, breach *engine.Step) []cause {
	told := map[int]cause{}
	for _, b := range breach.Broken {
		var from int
		var who []string
		if _, own := invariantTexts[b.Invariant]; own {
			c := newParties(v, breach, b)
			from, who = c.tell(told), c.touched()
		} else {
			from, who = (&rule{v, breach, b.Looked}).tell(told)
		}
		for i := from - 1; i < breach.N-1; i++ {
			if s := &v.Trace.Steps[i]; s.Choice.Kind.IsFault() && !s.Choice.Kind.Row().Harmless && touches(v, s.Choice, who) {
				told[s.N] = cause{s, faultText(v.Lang, s), "i-fault"}
			}
		}
	}
	var all []cause
	for n := 1; n < breach.N; n++ {
		if c, ok := told[n]; ok {
			all = append(all, c)
		}
	}
	if over := len(all) - mostCauses + 1; over > 0 {
		all = slices.Delete(all, 1, 1+over)
	}
	return append(all, cause{breach, lastCause(v, breach), icon(worstOf(breach))})
}

// lastCause is what the breach itself was: a move of the clock says little without what came of it.
func lastCause(v *View, breach *engine.Step) string {
	texts := []string{headline(v.Lang, breach)}
	for _, n := range breach.Notes {
		if n.Kind == engine.NoteEnter {
			texts = append(texts, noteText(v.Lang, n))
		}
	}
	for _, b := range breach.Broken {
		for _, at := range b.Looked {
			if c, ok := changeOf(breach.Changes, at.Node, at.Key); ok {
				texts = append(texts, changeSentence(v.Lang, breach, c))
			}
		}
	}
	if c := removed(breach, breach.After.IsSection); c != nil && len(texts) == 1 {
		texts = append(texts, saidDeleted.in(v.Lang, onNode(v, c.Node, c.Key)))
	}
	return clauses(v.Lang, texts...)
}

// clauses are parts of one sentence, which ends where its list item does.
func clauses(lang lessons.Lang, parts ...string) string {
	for i, p := range parts {
		parts[i] = strings.TrimRight(p, ".。")
	}
	return strings.Join(parts, clauseBreak.in(lang))
}

// removed is a key of a name that the step deleted; nil: none.
func removed(s *engine.Step, named func(string) bool) *engine.Change {
	for i := range s.Changes {
		c := &s.Changes[i]
		if _, expired := s.ExpiryOf(*c); c.New == nil && !expired && named(c.Key) {
			return c
		}
	}
	return nil
}

// touches tells whether a fault is of a server, or of a process in which one of the actors runs.
func touches(v *View, fault engine.Choice, who []string) bool {
	for _, end := range []string{fault.Target, fault.Other} {
		in := func(a lessons.Actor) bool { return a.Process == end }
		if slices.ContainsFunc(v.Lesson.Actors, in) && !slices.ContainsFunc(v.Lesson.Actors, func(a lessons.Actor) bool { return in(a) && slices.Contains(who, a.Name) }) {
			return false
		}
	}
	return true
}
