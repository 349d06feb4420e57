package ui

import (
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/search"
	"lockstep/lessons"
)

// A story that breaks a rule because somebody was late is followed by a search in which
// somebody may be late, one that does after a fault by a search with faults, and what holds otherwise is said with its condition.
func TestASearchBeginsWithWhatTheStoryAssumed(t *testing.T) {
	tick, _ := engine.ParseChoice("tick 10s")
	pause, _ := engine.ParseChoice("pause jvm-1")
	late := lessons.Claim{Ending: search.Breaks, Question: lessons.Question{Bounds: search.Bounds{Time: search.AnyLate}}}
	quick := lessons.Claim{Ending: search.Breaks}
	broken := &lessons.Expect{Parts: []lessons.Expected{{Key: "broken", Texts: []string{"mutual-exclusion"}}}}
	for name, tt := range map[string]struct {
		claims []lessons.Claim
		story  []engine.Choice
		expect *lessons.Expect
		faults []engine.Choice
		first  string
	}{
		"somebody is late":           {[]lessons.Claim{late}, []engine.Choice{tick}, broken, nil, "any"},
		"late, and there are faults": {[]lessons.Claim{late}, []engine.Choice{tick}, broken, []engine.Choice{pause}, "any"},
		"it breaks in any case":      {[]lessons.Claim{late, quick}, []engine.Choice{tick}, broken, nil, "arrive"},
		"a process is paused":        {[]lessons.Claim{late}, []engine.Choice{pause, tick}, broken, []engine.Choice{pause}, "arrive,faults"},
		"paused, and nothing breaks": {[]lessons.Claim{late}, []engine.Choice{pause, tick}, nil, []engine.Choice{pause}, "arrive"},
		"nothing breaks":             {[]lessons.Claim{late}, []engine.Choice{tick}, nil, nil, "arrive"},
	} {
		l := lessons.Lesson{Claims: tt.claims, Faults: tt.faults, Story: []lessons.Beat{{Choices: tt.story, Expect: tt.expect}}}
		if got := asks(&View{Lesson: &l}); got[0] != tt.first || !slices.Contains(got, "any") {
			t.Errorf("%s: the page offers %v", name, got)
		}
	}
	s := Search{Question: &lessons.Question{}, Verdict: &search.Verdict{Ending: search.Holds}}
	if got := SearchSentence(lessons.En, &s); !strings.HasPrefix(got, "It holds as long as everybody is quick:") {
		t.Errorf("it says %q", got)
	}
}

// The editor of a program names what the lesson's client offers.
func TestAClientNamesWhatItOffers(t *testing.T) {
	c := lessons.Client{Source: "local function channel(name) end\n\nfunction trylock(name)\nend\nfunction unlock(name) end\n"}
	if got := c.Functions(); !slices.Equal(got, []string{"trylock", "unlock"}) {
		t.Errorf("it offers %v", got)
	}
}
