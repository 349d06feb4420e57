package lessons

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"lockstep/engine/fact"
	"lockstep/luaexec/syntax"
)

// words compares what a lesson says in two languages with its sources: a lesson that has some has all.
func (n *lint) words() {
	l := n.lesson
	if len(l.Words) == 0 {
		return
	}
	var all strings.Builder
	var told []string // a repair has the comments of what it repairs
	look := func(p Part, source string, first Place) {
		all.WriteString(source + "\n")
		for _, comment := range commentsOf(source) {
			if !l.Words.knows(comment) && !slices.Contains(told, comment) {
				told = append(told, comment)
				n.warn(CodeMissingLanguage, l.commentPlace(first, source, comment), fact.Of("lesson-one-language", comment),
					fact.Of("lesson-add-words", comment))
			}
		}
	}
	for _, p := range l.Parts() {
		source, _ := l.Source(p)
		look(p, source, l.begins(p))
	}
	for _, c := range l.Challenges {
		for _, e := range c.Edits {
			look(e.Part, e.Source, c.Place)
		}
	}
	for _, w := range l.Words {
		if !strings.Contains(all.String(), w.En) && !strings.Contains(all.String(), w.Zh) {
			n.warn(CodeUnknownName, l.Declared["words "+w.En], fact.Of("lesson-unsaid", w.En), fact.Of("lesson-write-as-there"))
		}
	}
}

// knows tells whether a comment has both languages.
func (w Words) knows(comment string) bool {
	_, english := commentIn()[En][comment]
	_, chinese := commentIn()[Zh][comment]
	return english || chinese || slices.ContainsFunc(w, func(t Text) bool { return t.En == comment || t.Zh == comment })
}

// begins is the first line of a part.
func (l *Lesson) begins(p Part) Place {
	if p.Kind == ClientPart {
		return Place{File: l.Client.File, Line: 1, Col: 1}
	}
	if a, ok := find(l.Actors, func(a Actor) bool { return p == Part{ProgramPart, a.Name} }); ok {
		return a.Place
	}
	script, _ := l.Script(p.Name)
	return script.Place
}

// commentPlace is where a comment stands in a source that begins at a place; of a repair, which has no lines that are known, that place.
func (l *Lesson) commentPlace(first Place, source, comment string) Place {
	before, _, _ := strings.Cut(source, comment)
	head, _, _ := strings.Cut(comment, "\n")
	at := l.lineOf(first, 1+strings.Count(before, "\n"))
	col := strings.Index(l.line(at), head)
	if col < 0 {
		return first
	}
	at.Col = 1 + utf8.RuneCountInString(l.line(at)[:col])
	at.EndCol = at.Col + utf8.RuneCountInString(head)
	return at
}

// commentsOf are those of a source, as they stand there.
func commentsOf(source string) []string {
	var all []string
	for _, t := range syntax.Tokens(source) {
		if t.Kind == syntax.TokComment {
			all = append(all, source[t.Start:t.End])
		}
	}
	return all
}

// mostLead is how many characters the first sentence of a beat may have: it is read while the picture changes.
const mostLead = 200

// leads looks for beats that begin with a sentence that is too long.
func (n *lint) leads() {
	for _, b := range n.lesson.Story {
		for _, text := range []string{b.Say.Source.En, b.Say.Source.Zh} {
			if has := utf8.RuneCountInString(lead(text)); has > mostLead {
				n.warn(CodeLongLead, b.Place, fact.Of("lesson-long-lead", has), fact.Of("lesson-shorter-lead", mostLead))
				break
			}
		}
	}
}

// sentenceEnd is behind a sentence, in either language.
var sentenceEnd = regexp.MustCompile(`[.!?:…]["”)]?\s|[。！？：]|\n\n`)

// lead is the first sentence of a text.
func lead(text string) string {
	text = strings.TrimSpace(text)
	if end := sentenceEnd.FindStringIndex(text); end != nil {
		return strings.TrimSpace(text[:end[1]])
	}
	return text
}
