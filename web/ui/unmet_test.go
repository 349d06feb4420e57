package ui

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"lockstep/engine"
	"lockstep/lessons"
)

// What the check of a lesson says in English must have a translation.
func TestEveryUnmetExpectationSpeaksChinese(t *testing.T) {
	text, nilReply, ttl := "v", "nil", time.Second
	before := &engine.Snapshot{Nodes: []engine.NodeView{{Node: "redis"}}}
	after := engine.Snapshot{
		Nodes: []engine.NodeView{{Node: "redis", Keys: []engine.Key{
			{Name: "a", Type: engine.ListKey, Deadline: engine.NoDeadline}, {Name: "b", Type: engine.StringKey, Text: "w", Deadline: engine.NoDeadline},
		}}},
		Held:   []engine.Holding{{Section: "lock", Actors: []string{"A"}}},
		Actors: []engine.ActorState{{Name: "A", Status: engine.Sleeping}},
	}
	expect := &lessons.Expect{
		Reply: &nilReply, Error: "WRONGTYPE",
		Keys: []lessons.ExpectKey{
			{Name: "gone"}, {Name: "a", Type: engine.HashKey}, {Name: "b", Text: &text, TTL: &ttl}, {Name: "c", Node: "redis"},
		},
		Gone:   []string{"a"},
		Holds:  []lessons.ExpectHolding{{Section: "lock"}},
		Status: []lessons.ExpectStatus{{Actor: "A", Status: engine.Ready}, {Actor: "Z", Status: engine.Finished}},
		Woke:   []string{"A"}, Messages: []string{"0"}, Broken: []string{"mutual-exclusion"},
	}
	steps := []engine.Step{{
		After: after, Notes: []engine.Note{{Actor: "B", Kind: engine.NoteFailed, Text: "boom"}},
		Broken: []engine.Violation{{Invariant: "nobody-waits-forever", Detail: "A waits, and nothing is left that could wake it"}},
	}}
	unmet := expect.Unmet(before, steps)
	if len(unmet) < 13 {
		t.Fatalf("only %d expectations are unmet: %v", len(unmet), unmet)
	}
	for _, u := range unmet {
		got := unmetText(lessons.Zh, u)
		if what := unmetWord(lessons.Zh, u.What); what == u.What || strings.Contains(got, "%!") {
			t.Errorf("%s in Chinese is %q", u, got)
		}
		for _, word := range []string{u.Want, u.Got} {
			if zh := unmetWord(lessons.Zh, word); strings.Contains(word, " ") && !strings.ContainsFunc(zh, func(r rune) bool { return unicode.Is(unicode.Han, r) }) && !strings.HasPrefix(word, "list") && !strings.HasPrefix(word, "string") {
				t.Errorf("%q in Chinese is %q", word, zh)
			}
		}
		if en := unmetText(lessons.En, u); !strings.Contains(en, ": expected ") {
			t.Errorf("in English: %q", en)
		}
	}
}
