package ui

import (
	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
)

// Tell is the text of an error, or the reason why a choice cannot happen now, in a language.
// An error without a fact is in English. Rules of the lesson's own that it names are called as they say.
func Tell(lang lessons.Lang, err error, rules ...lessons.Rule) string {
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
			return ruleName(lang, rules, string(arg))
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
func unmetText(v *View, u lessons.Unmet) string {
	say := func(err error) string { return Tell(v.Lang, err, v.Lesson.Rules...) }
	return unmetLine.in(v.Lang, say(u.What), clip(say(u.Want), 80), clip(say(u.Got), 80))
}
