package lessons

import (
	"fmt"
	"slices"
	"strings"

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
	look := func(p Part, source string) {
		all.WriteString(source + "\n")
		if p.Kind == ClientPart {
			return
		}
		for _, comment := range commentsOf(source) {
			if !l.Words.knows(comment) && !slices.Contains(told, comment) {
				told = append(told, comment)
				n.warn(CodeMissingLanguage, l.Declared[owner(p)], fmt.Sprintf("the comment %q stands there in one language only", comment),
					fmt.Sprintf("add {en: %q, zh: \"-- …\"} to words", comment))
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
	for _, w := range l.Words {
		if !strings.Contains(all.String(), w.En) && !strings.Contains(all.String(), w.Zh) {
			n.warn(CodeUnknownName, l.Declared["words "+w.En], fmt.Sprintf("no source of this lesson says %q", w.En), "write it as it stands there, or leave it out")
		}
	}
}

// knows tells whether a comment has both languages.
func (w Words) knows(comment string) bool {
	_, own := EnglishComment(comment)
	return own || slices.ContainsFunc(w, func(t Text) bool { return t.En == comment || t.Zh == comment })
}

// owner is what Declared calls the part: a program is its actor's.
func owner(p Part) string {
	if p.Kind == ProgramPart {
		return "actor " + p.Name
	}
	return "script " + p.Name
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
