package ui

import (
	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
)

// Tell is the text of an error, or the reason why a choice cannot happen now, in a language.
// An error without a fact is in English.
func Tell(lang lessons.Lang, err error) string {
	words := fact.English
	if lang == lessons.Zh {
		words = chinese
	}
	return words.Tell(err, func(arg any) any {
		switch arg := arg.(type) {
		case engine.At:
			return instant(lang, engine.Instant(arg))
		case engine.Status:
			return statusWords[string(arg)].in(lang)
		case lessons.RuleName:
			return invariantName(lang, string(arg))
		}
		return arg
	})
}

// SentenceOf is that text as a sentence of its own.
func SentenceOf(lang lessons.Lang, err error) string {
	return joinSentences(lang, []string{sentenceCase(Tell(lang, err))})
}

var unmetLine = msg{"%s: expected %s, here %s", "%s：应为 %s，实际为 %s"}

// unmetText describes an expectation of the lesson that does not hold.
func unmetText(lang lessons.Lang, u lessons.Unmet) string {
	return unmetLine.in(lang, Tell(lang, u.What), clip(Tell(lang, u.Want), 80), clip(Tell(lang, u.Got), 80))
}
