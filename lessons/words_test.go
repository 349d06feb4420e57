package lessons_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/luaexec/syntax"
)

var words = lessons.Words{{En: "-- the newest", Zh: "-- 最新的"}, {En: "has written", Zh: "写完了"}}

func TestCommentsAndWhatProgramsSayAreInTheReadersLanguage(t *testing.T) {
	step := &engine.Step{Notes: []engine.Note{{Kind: engine.NoteEnter, Text: "has written"}, {Kind: engine.NoteSay, Text: "A has written 3"}, {Kind: engine.NoteFailed, Failure: fact.Text("B has written 3")}}}
	for lang, want := range map[lessons.Lang]struct{ comment, said string }{
		lessons.Zh: {"-- 最新的", "A 写完了 3"},
		lessons.En: {"-- the newest", "A has written 3"},
	} {
		got := "-- the newest"
		if translated, known := words.Comment(lang, got); known {
			got = translated
		}
		notes := words.Step(lang, step).Notes
		if got != want.comment || notes[1].Text != want.said || notes[2].Failure.Error() != strings.Replace(want.said, "A", "B", 1) || notes[0].Text != "has written" {
			t.Errorf("in %s: the comment %q, %q and the failure %q, after %q", lang, got, notes[1].Text, notes[2].Failure, notes[0].Text)
		}
	}
	if step.Notes[1].Text != "A has written 3" {
		t.Errorf("the trace itself says %q", step.Notes[1].Text)
	}
}

// Chinese pages show in Chinese what programs say, and the comments of programs and scripts.
func TestBuiltInProgramsSpeakBothLanguages(t *testing.T) {
	for _, built := range builtIn(t) {
		l := *built
		l.Words = append(slices.Clone(l.Words), words[0]) // a lesson without any owes none
		for _, p := range l.Lint() {
			if p.Code == lessons.CodeMissingLanguage {
				t.Error(p)
			}
		}
		for _, p := range l.Parts() {
			source, _ := l.Source(p)
			for _, said := range saidBy(p, source) {
				if !slices.ContainsFunc(built.Words, func(w lessons.Text) bool { return strings.Contains(said, w.En) }) {
					t.Errorf("%s, %s says %s: add {en: …, zh: …} to words", l.Name, p, said)
				}
			}
		}
	}
}

var letters = regexp.MustCompile(`[a-z]{2}`)

// saidBy are the texts of a source's calls of say and of error that have words of a language in them, without those that a product says.
func saidBy(p lessons.Part, source string) (all []string) {
	open, saying := 0, false
	tokens := syntax.Tokens(source)
	for i, t := range tokens {
		text := source[t.Start:t.End]
		switch {
		case text == "(" && !saying:
			before := source[tokens[max(i-1, 0)].Start:tokens[max(i-1, 0)].End]
			saying, open = before == "say" || before == "error" && p.Kind != lessons.ClientPart, 1
		case text == "(":
			open++
		case text == ")":
			open--
			saying = saying && open > 0
		case saying && open == 1 && t.Kind == syntax.TokString && letters.MatchString(text) && !strings.Contains(text, "Exception"):
			all = append(all, text)
		}
	}
	return all
}
