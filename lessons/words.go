package lessons

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"lockstep/engine"
	"lockstep/engine/fact"
)

// Words is what comments of programs and scripts say, and what programs say and raise, in both languages: the
// sources stand there in one of them.
type Words []Text

// Comment is a comment in the reader's language. It is false when it stands there so already.
func (w Words) Comment(lang Lang, comment string) (string, bool) {
	for _, t := range w {
		if there := t.In(lang); comment == t.In(lang.Other()) && comment != there {
			return there, true
		}
	}
	there, known := commentIn()[lang][comment]
	return there, known
}

// Step is a step with what programs say in the reader's language.
func (w Words) Step(lang Lang, s *engine.Step) *engine.Step {
	if notes := w.Notes(lang, s.Notes); len(notes) > 0 && &notes[0] != &s.Notes[0] {
		told := *s
		told.Notes = notes
		return &told
	}
	return s
}

// Notes are notes with what programs say, and the errors that they raise, in the reader's language; the same ones when there is nothing to change.
func (w Words) Notes(lang Lang, notes []engine.Note) []engine.Note {
	own := func(n engine.Note) bool { return n.Kind == engine.NoteSay || n.Kind == engine.NoteFailed }
	if len(w) == 0 || !slices.ContainsFunc(notes, own) {
		return notes
	}
	told := slices.Clone(notes)
	for i, n := range told {
		switch n.Kind { //nolint:exhaustive // the others have the engine's words
		case engine.NoteSay:
			told[i].Text = w.said(lang, n.Text)
		case engine.NoteFailed:
			told[i].Failure = w.Failure(lang, n.Failure)
		}
	}
	return told
}

// Failure is why a program failed, in the reader's language where the program raised the error itself.
func (w Words) Failure(lang Lang, failure fact.Fact) fact.Fact {
	if text := failure.Error(); len(w) > 0 && failure.Code == fact.Text(text).Code {
		return fact.Text(w.said(lang, text))
	}
	return failure
}

// said is what a program says in the reader's language. Programs put names and numbers between the words.
func (w Words) said(lang Lang, text string) string {
	for _, t := range w {
		text = strings.ReplaceAll(text, t.In(lang.Other()), t.In(lang))
	}
	return text
}

// Other is the language that is not the reader's.
func (lang Lang) Other() Lang {
	if lang == Zh {
		return En
	}
	return Zh
}

// sharedComments are those of the documents' scripts and of the lock clients, which many lessons have: each on a line in
// English, and on the next in Chinese. The sources run as they are, in one of the two: a script's SHA1 is its own.
//
//go:embed comments.txt
var sharedComments string

// commentIn is a shared comment of the other language in the language of the reader.
var commentIn = sync.OnceValue(func() map[Lang]map[string]string {
	in := map[Lang]map[string]string{En: {}, Zh: {}}
	for both := range slices.Chunk(strings.Split(strings.TrimSpace(sharedComments), "\n"), 2) {
		in[En][both[1]], in[Zh][both[0]] = both[0], both[1]
	}
	return in
})
