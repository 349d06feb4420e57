package ui

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
)

// cause is a step that had its part in a breach, with what it did to it.
type cause struct {
	Step *engine.Step
	Text string
	Icon string
}

// mostCauses is how many steps are told of one breach, unless more got in or went wrong: the first, those in which somebody
// got in, the faults, and the last of the others; of a lock that was renewed again and again rather who took it than each renewal.
const mostCauses = 9

// stays tells whether a step is told however many there are. What else a step did may be told of it instead of who got in.
func stays(c engine.Cause) bool {
	return slices.ContainsFunc(c.Step.Notes, func(n engine.Note) bool { return n.Kind == engine.NoteEnter }) ||
		slices.ContainsFunc(c.Told, func(f fact.Fact) bool { return f.Code == "cause-fault" })
}

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
	if say := ruleOf(v.Lesson.Rules, b.Invariant).Say.In(v.Lang); say != "" {
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
	all := v.Trace.Causes(breach)
	over := len(all) - mostCauses
	first := all[0].Step
	for _, mayGo := range []func(engine.Cause) bool{renews, func(engine.Cause) bool { return true }} {
		all = slices.DeleteFunc(all, func(c engine.Cause) bool {
			if over <= 0 || c.Step == first || c.Step == breach || stays(c) || !mayGo(c) {
				return false
			}
			over--
			return true
		})
	}
	told := make([]cause, len(all))
	for i, c := range all {
		told[i] = cause{c.Step, ledText(v, c, c.Step == breach), causeIcon(c)}
		if c.Step == breach {
			told[i].Icon = icon(worstOf(breach))
		}
	}
	return told
}

// renews tells whether a step only moved on when a key ends.
func renews(c engine.Cause) bool {
	return len(c.Told) > 0 && !slices.ContainsFunc(c.Told, func(f fact.Fact) bool {
		if f.Code != "cause-wrote" {
			return true
		}
		change, ok := engine.ChangeOf(c.Step.Changes, f.Args[1].(string), f.Args[0].(string))
		return !ok || change.Old == nil || change.New == nil || valueChange(lessons.En, change.Old, change.New) != ""
	})
}

// ledText says what a step did to a breach: first what it was, unless what came of it says more.
func ledText(v *View, c engine.Cause, breach bool) string {
	var texts []string
	if len(c.Told) == 0 || breach || !causeAlone[c.Told[0].Code] {
		texts = append(texts, headline(v.Lang, c.Step))
	}
	for _, f := range c.Told {
		switch f.Code {
		case "cause-read", "cause-lost", "cause-took", "cause-fault": // the step says it
		case "cause-wrote":
			if change, ok := engine.ChangeOf(c.Step.Changes, f.Args[1].(string), f.Args[0].(string)); ok {
				texts = append(texts, changeSentence(v.Lang, c.Step, change))
			}
		case "cause-removed", "cause-expired":
			f.Args = []any{onNode(v, f.Args[1].(string), f.Args[0].(string))}
			texts = append(texts, Tell(v.Lang, f))
		default:
			texts = append(texts, Tell(v.Lang, f))
		}
	}
	return clauses(v.Lang, texts...)
}

// causeAlone are the facts that say more than the step of which they are: a move of the clock says little.
var causeAlone = map[string]bool{"cause-entered": true, "cause-unanswered": true, "cause-expired": true, "cause-wants": true, "cause-ended": true}

var causeIcons = map[string]string{
	"cause-entered": "i-lock", "cause-unanswered": "i-time", "cause-expired": "i-expired", "cause-removed": "i-dead",
	"cause-wants": "i-dot", "cause-ended": "i-dead", "cause-fault": "i-fault",
}

func causeIcon(c engine.Cause) string {
	if len(c.Told) > 0 && causeIcons[c.Told[0].Code] != "" {
		return causeIcons[c.Told[0].Code]
	}
	return icon(outcomeOf(c.Step))
}

// clauses are parts of one sentence, which ends where its list item does.
func clauses(lang lessons.Lang, parts ...string) string {
	return joined(parts, clauseBreak.in(lang), func(p string) string { return strings.TrimRight(p, ".。") })
}
