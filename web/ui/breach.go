package ui

import (
	"slices"

	"lockstep/engine"
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

// breachText says in a sentence what a breach is.
func breachText(v *View, b engine.Violation) string {
	if _, own := invariantTexts[b.Invariant]; !own {
		if say := invariantWhy(v, b.Invariant); say != "" {
			return say
		}
	}
	return SentenceOf(v.Lang, b.Detail)
}

// breachWhy is what else is to be said of a breach.
func breachWhy(v *View, b engine.Violation) string {
	why := invariantWhy(v, b.Invariant)
	if _, own := invariantTexts[b.Invariant]; own || why == "" {
		return why
	}
	return Tell(v.Lang, b.Detail)
}

// causes are the steps that led to a breach, in order, the breach itself last. What counts is
// what happened since the actors that it names got in, or began to wait: who entered, which
// lease ended or was removed, what failed, and which message was lost. A rule about values is
// broken by what was read and written before.
func causes(v *View, breach *engine.Step) []cause {
	who := concerned(&breach.After)
	from := breach.N
	for _, name := range who {
		from = min(from, beganAt(v, breach, name))
	}
	values := aboutValues(v, breach)
	var all []cause
	for i := range breach.N - 1 {
		s := &v.Trace.Steps[i]
		text, mark := "", ""
		if s.N >= from {
			text, mark = part(v, s, who)
		}
		if text == "" && slices.Contains(values, s.N) {
			text, mark = Brief(v.Lang, s), icon(outcomeOf(s))
		}
		if text != "" {
			all = append(all, cause{s, text, mark})
		}
	}
	if over := len(all) - mostCauses + 1; over > 0 {
		all = slices.Delete(all, 1, 1+over)
	}
	return append(all, cause{breach, Brief(v.Lang, breach), icon(worstOf(breach))})
}

// aboutValues are the steps that had their part in breaking a lesson's own rule, which looks at
// values: those that wrote the keys that the breach wrote, and what its client had read last.
func aboutValues(v *View, breach *engine.Step) []int {
	if _, own := invariantTexts[breach.Broken[0].Invariant]; own {
		return nil
	}
	var all []int
	read := false
	for i := breach.N - 2; i >= 0; i-- {
		s := &v.Trace.Steps[i]
		wrote := false
		for _, c := range s.Changes {
			wrote = wrote || changed(breach, c.Node, c.Key)
		}
		_, asked := s.Request.(engine.Exec)
		reads := !read && asked && s.Choice == breach.Choice && len(s.Changes) == 0
		if wrote || reads {
			all = append(all, s.N)
		}
		read = read || reads
	}
	return all
}

// concerned are the actors inside of a section, and those that want one.
func concerned(s *engine.Snapshot) []string {
	var names []string
	for _, h := range slices.Concat(s.Held, s.Wanted) {
		for _, a := range h.Actors {
			if !slices.Contains(names, a) {
				names = append(names, a)
			}
		}
	}
	return names
}

// beganAt is the step since which an actor has been inside or has waited, without a break,
// before a breach.
func beganAt(v *View, breach *engine.Step, name string) int {
	n := breach.N
	for n > 1 {
		a, ok := v.Trace.At(n - 1).Actor(name)
		if !ok || len(a.Inside)+len(a.Wants) == 0 {
			break
		}
		n--
	}
	return n
}

// part is what a step had to do with a breach about some actors; empty: nothing.
func part(v *View, s *engine.Step, who []string) (text, mark string) {
	if s.Choice.Kind.IsFault() && s.Choice.Kind != engine.Replicate {
		return faultText(v.Lang, s), "i-fault"
	}
	for _, n := range s.Notes {
		concerns := slices.Contains(who, n.Actor)
		if concerns && (n.Kind == engine.NoteEnter || n.Kind == engine.NoteNoReply) {
			return noteText(v.Lang, n), noteIcon(n.Kind)
		}
	}
	for _, e := range s.Expired {
		return saidExpired.in(v.Lang, onNode(v, e.Node, e.Key)), "i-expired"
	}
	for _, c := range s.Changes {
		if c.Old != nil && c.New == nil && (c.Old.Deadline != engine.NoDeadline || s.After.IsSection(c.Key)) {
			return Brief(v.Lang, s) + clauseColon.in(v.Lang) + saidDeleted.in(v.Lang, onNode(v, c.Node, c.Key)), "i-dead"
		}
	}
	if len(s.Missed) > 0 || s.NoReply != "" {
		return Brief(v.Lang, s), icon(outcomeOf(s))
	}
	for _, n := range s.Notes {
		if n.Kind == engine.NoteWant && slices.Contains(who, n.Actor) {
			return noteText(v.Lang, n), noteIcon(n.Kind)
		}
	}
	return "", ""
}
