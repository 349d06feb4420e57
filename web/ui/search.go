package ui

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/search"
	"lockstep/lessons"
)

// The texts of a request for a search: AskRepair, AskStarve, AskRule with the name of a rule, or an assumption about
// time. AskFaults behind an assumption allows each fault of the lesson once.
const (
	AskRepair = "repair"
	AskStarve = "starve"
	AskFaults = ",faults"
	AskRule   = "rule:"
)

// Search is a search of the lesson's schedules, with its findings.
type Search struct {
	Asked    string            // AskRepair, …
	Original bool              // a repair was asked for, and nothing had been edited
	Question *lessons.Question // nil: no search was made of the lesson as it is
	Running  bool
	Waits    bool               // it runs, and has no memory yet
	Progress search.Progress    // while it runs
	Branches []search.Branch    // while it runs
	Coarse   bool               // it holds, and a closer look was not finished
	Again    *search.Progress   // of the closer look at what holds, while that runs
	Verdict  *search.Verdict    // nil: none yet
	Played   bool               // the timeline begins with the breach
	Forked   bool               // the timeline before is a branch
	Doubted  bool               // each doubt alone is proven not to be the culprit
	Culprit  int                // the step without which the rule holds; 0: not known
	Weakest  *lessons.Weakest   // how little has to be allowed for the breach; nil: not asked
	Finding  bool               // Weakest and the culprit are not yet known
	Late     bool               // the culprit is the clock's, while somebody could have acted
	Yours    int                // the moves to the same breach in the timeline before; 0: it had none
	Told     bool               // the timeline before was the story's
	Lost     []search.Sometimes // could happen in the original, and cannot with the edits
}

// asks are the searches on offer, as Search.Asked has them.
func asks(v *View) []string {
	times := []string{search.Arrive.String(), search.AnyLate.String()}
	if storyIsLate(v.Lesson) {
		slices.Reverse(times)
	}
	if len(v.Lesson.Faults) > 0 {
		likely, other := times[0]+AskFaults, times[1]+AskFaults
		if _, failed := storyBreaks(v.Lesson); failed {
			times = []string{likely, times[0], times[1], other}
		} else {
			times = append(times, likely, other)
		}
	}
	if _, starves := v.Lesson.Starving(); starves {
		times = append(times, AskStarve)
	}
	return times
}

// askText words a search on offer.
func askText(lang lessons.Lang, ask string) string {
	if ask == AskStarve {
		return askStarve.in(lang)
	}
	late, faults := strings.CutSuffix(ask, AskFaults)
	text := askArrive
	if late == search.AnyLate.String() {
		text = askAny
	}
	if faults {
		return text.in(lang) + askFaults.in(lang)
	}
	return text.in(lang)
}

// offered tells whether the page has the panel of searches: once the story has ended or was left, or a search was made.
func (s *Search) offered(v *View) bool {
	return s != nil && (s.Question != nil || !v.Story.OnStory || v.Story.Done)
}

// SearchSentence words the verdict of a search; empty: there is none yet.
func SearchSentence(lang lessons.Lang, s *Search, rules ...lessons.Rule) string {
	v := s.Verdict
	if v == nil {
		return ""
	}
	switch v.Ending {
	case search.Breaks:
		if v.Starves() {
			return starvesSentence(lang, v)
		}
		text := searchBreaks.in(lang, ruleName(lang, rules, v.Violation.Invariant), v.Moves())
		if s.Original {
			return searchOriginal.in(lang) + text
		}
		return text
	case search.Stops:
		return searchStops.in(lang, max(v.Depth-1, 0), Tell(lang, v.Stopped.Fact()))
	case search.Holds:
	}
	switch {
	case len(s.Lost) > 0:
		return searchLost.in(lang, joined(s.Lost, clauseBreak.in(lang), func(l search.Sometimes) string { return Tell(lang, lessons.Loss(l)) }))
	case s.Asked == AskStarve:
		return searchNobodyStarves.in(lang)
	}
	return searchHolds.in(lang, timely(lang, s.Question.Bounds.Time))
}

// timely words a search's assumption about time, in brief.
func timely(lang lessons.Lang, t search.TimeBound) string {
	switch {
	case t.Any:
		return searchIfAny.in(lang)
	case t.Late > 0:
		return searchIfLate.in(lang, span(lang, t.Late))
	}
	return searchIfQuick.in(lang)
}

// storyIsLate tells whether lateness alone breaks a rule in the story. The lesson's claims must say that
// somebody's lateness is needed, and no fault may come before the breach.
func storyIsLate(l *lessons.Lesson) bool {
	late := false
	for _, c := range l.Claims {
		if c.Ending != search.Breaks || len(c.Question.Bounds.Faults) > 0 {
			continue
		}
		if !c.Question.Bounds.Time.Any && c.Question.Bounds.Time.Late == 0 {
			return false
		}
		late = true
	}
	breaks, failed := storyBreaks(l)
	return late && breaks && !failed
}

// storyBreaks tells whether a rule is broken in the story, and whether after a fault.
func storyBreaks(l *lessons.Lesson) (breaks, failed bool) {
	for _, b := range l.Story {
		failed = failed || slices.ContainsFunc(b.Choices, func(c engine.Choice) bool { return c.Kind.IsFault() })
		if b.Expect.Breaks() {
			return true, failed
		}
	}
	return false, false
}

// starvesSentence words the verdict that somebody can wait for ever: stuck, or in a loop of steps.
func starvesSentence(lang lessons.Lang, v *search.Verdict) string {
	who := Tell(lang, v.Violation.Detail)
	if v.Loop == 0 {
		return searchStuck.in(lang, who, len(v.Schedule))
	}
	return searchRound.in(lang, who, len(v.Schedule)-v.Loop+1, len(v.Schedule))
}

// assumed words a search's assumptions: about time, about programs, and the faults allowed.
func assumed(lang lessons.Lang, s *Search) string {
	q := s.Question
	facts := q.Bounds.Time.Assumed(s.Verdict)
	if s.Verdict != nil {
		facts = append(facts, s.Verdict.Stops())
	}
	if s.Coarse {
		facts = append(facts, fact.Of("clock-coarse"))
	}
	text := joined(facts, clauseBreak.in(lang), func(f fact.Fact) string { return Tell(lang, f) })
	var faults []string
	for _, kind := range slices.Sorted(maps.Keys(q.Bounds.Faults)) {
		if n := q.Bounds.Faults[kind]; n > 0 {
			faults = append(faults, fmt.Sprintf("%s × %d", choiceWords[string(kind)].bounded.in(lang), n))
		}
	}
	if len(faults) == 0 {
		return searchAssumed.in(lang, text)
	}
	return searchAssumedFaults.in(lang, text, strings.Join(faults, clauseAnd.in(lang)))
}

// culpritText words the culprit of a breach.
func culpritText(v *View) string {
	s := v.Search
	step := &v.Trace.Steps[s.Culprit-1]
	if s.Late {
		return searchLate.in(v.Lang, s.Culprit)
	}
	return searchCulprit.in(v.Lang, s.Culprit, faultText(v.Lang, step))
}

// culpritMarkText is the text beside the culprit in the timeline.
func culpritMarkText(v *View) string {
	if v.Search.Late {
		return culpritLateMark.in(v.Lang)
	}
	return culpritMark.in(v.Lang)
}

// markedCulprit is the culprit to mark in the timeline; 0: none.
func markedCulprit(v *View) int {
	if s := v.Search; s != nil && s.Played && s.Culprit <= len(v.Trace.Steps) {
		return s.Culprit
	}
	return 0
}

// golf compares a learner's moves with the fewest possible.
func golf(lang lessons.Lang, more, best msg, yours, fewest int) string {
	if yours <= fewest {
		return best.in(lang, yours)
	}
	return more.in(lang, yours, fewest)
}

// trying tells whether the learner began with the challenge from the start.
func (c *Challenge) trying() bool { return c != nil && c.Trying }

// aboutRepair tells whether the search belongs to the challenge. The challenge's panel shows it then.
func (s *Search) aboutRepair() bool { return s != nil && s.Asked == AskRepair && s.Question != nil }

// urgent is the reason for which the challenge stands before all other panels; empty: none.
func urgent(v *View) string {
	switch {
	case v.Challenge == nil:
		return ""
	case v.Challenge.done():
		return "won"
	case v.Search.aboutRepair():
		return "checked"
	case v.Challenge.Trying:
		return "tried"
	case v.Challenge.Edited && v.Challenge.At > 0: // with the repair of the one before, which has to go first
		return "blocked"
	case len(v.Challenge.Repair) > 0 && v.Challenge.edits(v): // to be checked
		return "edited"
	}
	return ""
}

// done tells whether the challenge's goal is reached.
func (c *Challenge) done() bool { return c != nil && (c.Won > 0 || c.Repaired) }
