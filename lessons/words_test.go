package lessons_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/luaexec/syntax"
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
			for _, said := range saidBy(source) {
				if !slices.ContainsFunc(built.Words, func(w lessons.Text) bool { return strings.Contains(said, w.En) }) {
					t.Errorf("%s, %s says %s: add {en: …, zh: …} to words", l.Name, p, said)
				}
			}
		}
	}
}

var letters = regexp.MustCompile(`[a-z]{2}`)

// saidBy are the texts of a source's calls of say that have words of a language in them.
func saidBy(source string) (all []string) {
	open, saying := 0, false
	tokens := syntax.Tokens(source)
	for i, t := range tokens {
		text := source[t.Start:t.End]
		switch {
		case text == "(" && !saying:
			saying, open = i > 0 && source[tokens[i-1].Start:tokens[i-1].End] == "say", 1
		case text == "(":
			open++
		case text == ")":
			open--
			saying = saying && open > 0
		case saying && open == 1 && t.Kind == syntax.TokString && letters.MatchString(text):
			all = append(all, text)
		}
	}
	return all
}
