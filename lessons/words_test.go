package lessons_test

import (
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
)

var words = lessons.Words{{En: "-- the newest", Zh: "-- 最新的"}, {En: "has written", Zh: "写完了"}}

func TestCommentsAndWhatProgramsSayAreInTheReadersLanguage(t *testing.T) {
	step := &engine.Step{Notes: []engine.Note{{Kind: engine.NoteEnter, Text: "has written"}, {Kind: engine.NoteSay, Text: "A has written 3"}}}
	for lang, want := range map[lessons.Lang]struct{ comment, said string }{
		lessons.Zh: {"-- 最新的", "A 写完了 3"},
		lessons.En: {"-- the newest", "A has written 3"},
	} {
		got := "-- the newest"
		if translated, known := words.Comment(lang, got); known {
			got = translated
		}
		notes := words.Step(lang, step).Notes
		if got != want.comment || notes[1].Text != want.said || notes[0].Text != "has written" {
			t.Errorf("in %s: the comment %q, and %q, after %q", lang, got, notes[1].Text, notes[0].Text)
		}
	}
	if step.Notes[1].Text != "A has written 3" {
		t.Errorf("the trace itself says %q", step.Notes[1].Text)
	}
}
