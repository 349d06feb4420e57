package ui

import (
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/search"
	"lockstep/lessons"
)

// A mistake that was seen when the scripts were tried stands as one before all verdicts, even those that say that all holds.
func TestAMistakeStandsBeforeVerdicts(t *testing.T) {
	var b strings.Builder
	err := OwnVerdict(lessons.En, Drafted{
		Doubts: []fact.Fact{fact.Of("draft-takes-by-set", "unlock"), fact.Of("draft-frees-anothers", "unlock"), fact.Of("draft-deletes-anothers", "DEL")},
		Found:  []lessons.Found{{Verdict: search.Verdict{Ending: search.Holds}}},
	}).Render(t.Context(), &b)
	if err != nil {
		t.Fatal(err)
	}
	html := b.String()
	mistake, holds, note := strings.Index(html, "another client holds"), strings.Index(html, "it holds in every schedule"), strings.Index(html, "SET NX PX")
	if mistake < 0 || mistake > holds || holds > note || strings.Count(html, "grade wrong") != 2 || strings.Count(html, "another client holds") != 1 {
		t.Error(html)
	}
}

// A rule of the draft's own is told in its words.
func TestABrokenRuleOfADraftIsToldInItsWords(t *testing.T) {
	rule := lessons.Rule{Name: "one-gets-it", Say: lessons.Text{En: "Two got it.", Zh: "给了两个。"}}
	broken := engine.Violation{Invariant: rule.Name, Detail: fact.Of("rule-broken", "get(1) <= 1")}
	f := lessons.Found{
		Verdict: search.Verdict{Ending: search.Breaks, Violation: &broken},
		Trace:   &engine.Trace{Steps: []engine.Step{{Choice: engine.Choice{Kind: engine.Run, Target: "A"}, Broken: []engine.Violation{broken}}}},
	}
	for lang, says := range map[lessons.Lang]string{lessons.En: rule.Say.En, lessons.Zh: rule.Say.Zh} {
		var b strings.Builder
		if err := OwnVerdict(lang, Drafted{Found: []lessons.Found{f}, Rules: []lessons.Rule{rule}}).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if html := b.String(); strings.Count(html, says) != 2 || strings.Contains(html, "get(1)") {
			t.Errorf("%s: %s", lang, html)
		}
	}
}

// A search in which requests may be late does not say that nobody was.
func TestAVerdictOfLateRequestsSaysSo(t *testing.T) {
	var b strings.Builder
	if err := OwnVerdict(lessons.En, Drafted{Found: []lessons.Found{{Question: lessons.Question{Bounds: search.Bounds{Time: search.TimeBound{Late: 2 * time.Second}}}, Verdict: search.Verdict{Ending: search.Holds}}}}).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if html := b.String(); !strings.Contains(html, "Each request may be late by up to 2 s: it holds in every schedule.") {
		t.Error(html)
	}
}

// What a search has not finished is neither right nor wrong.
func TestAVerdictThatIsNotFinishedIsNoGrade(t *testing.T) {
	for says, f := range map[string]lessons.Found{
		"with more of them the search was not finished": {Verdict: search.Verdict{Ending: search.Holds}, Coarse: true},
		"more were not searched":                        {Verdict: search.Verdict{Ending: search.Stops}},
	} {
		var b strings.Builder
		if err := OwnVerdict(lessons.En, Drafted{Found: []lessons.Found{f}}).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if html := b.String(); !strings.Contains(html, says) || strings.Contains(html, "right") || strings.Contains(html, "wrong") {
			t.Error(html)
		}
	}
}
