package ui

import (
	"errors"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
)

// Tell is the text of an error, or the reason why a choice cannot happen now, in a language.
// An error without a fact is in English. Rules of the lesson's own that it names are called as they say.
func Tell(lang lessons.Lang, err error, rules ...lessons.Rule) string {
	language := fact.English
	if lang == lessons.Zh {
		language = fact.Chinese
	}
	return language.Tell(err, func(arg any) any {
		switch arg := arg.(type) {
		case engine.At:
			return instant(lang, engine.Instant(arg))
		case engine.Span:
			return span(lang, time.Duration(arg))
		case engine.Status:
			return statusWords[string(arg)].in(lang)
		case lessons.RuleName:
			return ruleName(lang, rules, string(arg))
		}
		return arg
	})
}

// SentenceOf is that text as a sentence of its own. A name that it begins with stays as it is.
func SentenceOf(lang lessons.Lang, err error) string {
	text := Tell(lang, err)
	if !beginsWithName(err, text) {
		text = sentenceCase(text)
	}
	return joinSentences(lang, []string{text})
}

// beginsWithName tells whether a text begins with what its fact is about first.
func beginsWithName(err error, text string) bool {
	of, ok := errors.AsType[fact.Fact](err)
	if !ok || len(of.Args) == 0 {
		return false
	}
	name, ok := of.Args[0].(string)
	return ok && name != "" && strings.HasPrefix(text, name)
}

var unmetLine = msg{"%s: expected %s, here %s", "%s：应为 %s，实际为 %s"}

// unmetText describes an expectation of the lesson that does not hold.
func unmetText(v *View, u lessons.Unmet) string {
	say := func(err error) string { return Tell(v.Lang, err, v.Lesson.Rules...) }
	return unmetLine.in(v.Lang, say(u.What), clip(say(u.Want), 80), clip(say(u.Got), 80))
}
