package decode_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lockstep/lessons"
	"lockstep/lessons/decode"
	"lockstep/luaexec/syntax"
)

// Chinese pages show in Chinese what programs say, and the comments of programs and scripts, repaired ones, too.
func TestProgramsSpeakBothLanguages(t *testing.T) {
	all, err := decode.All(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range all {
		look := func(p lessons.Part, source string) {
			if p.Kind != lessons.ClientPart { // whose comments are English, as those of a library
				for _, comment := range commentsOf(source) {
					if _, own := lessons.EnglishComment(comment); !own && !slices.ContainsFunc(l.Words, func(w lessons.Text) bool { return w.En == comment }) {
						t.Errorf("%s, %s: add {en: %q, zh: …} to words", l.Name, p, comment)
					}
				}
			}
			for _, said := range saidBy(source) {
				if !slices.ContainsFunc(l.Words, func(w lessons.Text) bool { return strings.Contains(said, w.En) }) {
					t.Errorf("%s, %s says %q: add {en: …, zh: …} to words", l.Name, p, said)
				}
			}
		}
		for _, p := range l.Parts() {
			source, _ := l.Source(p)
			look(p, source)
		}
		for _, c := range l.Challenges {
			for _, e := range c.Edits {
				look(e.Part, e.Source)
			}
		}
	}
}

func commentsOf(source string) (all []string) {
	for _, t := range syntax.Tokens(source) {
		if t.Kind == syntax.TokComment {
			all = append(all, source[t.Start:t.End])
		}
	}
	return all
}

var word = regexp.MustCompile(`[a-z]{2}`)

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
		case saying && open == 1 && t.Kind == syntax.TokString && word.MatchString(text):
			all = append(all, text)
		}
	}
	return all
}
