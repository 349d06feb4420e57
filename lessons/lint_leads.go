package lessons

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"lockstep/engine/fact"
)

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
