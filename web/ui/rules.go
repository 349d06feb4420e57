package ui

import (
	"strings"

	"lockstep/engine"
	"lockstep/lessons"
)

// Rules are the rules of an author's text, each with what a search of it found.
type Rules struct {
	Lesson *lessons.Lesson // nil: the page does not play the text
	Search *Search         // the newest
	Steps  []engine.Step   // of the shortest schedule that was found, as long as the timeline begins with it
}

// names are those of the rules; none, if the page does not play the text.
func (r Rules) names() []string {
	if r.Lesson == nil {
		return nil
	}
	return r.Lesson.RuleNames()
}

// of is the search of a rule; nil: the newest was of something else.
func (r Rules) of(name string) *Search {
	if r.Search.Asked != AskRule+name || r.Search.Question == nil {
		return nil
	}
	return r.Search
}

// said is what a search of a rule has found, or how far it is.
func (r Rules) said(lang lessons.Lang, s *Search) string {
	if s.Running {
		return runningText(lang, s)
	}
	said := []string{SearchSentence(lang, s, r.Lesson.Rules...)}
	if s.Weakest != nil && !s.Finding {
		said = append(said, WeakestText(lang, s.Weakest))
	}
	return joinSentences(lang, append(said, assumed(lang, s)))
}

// ruleStep is a step of a schedule that breaks a rule, in brief.
func ruleStep(lang lessons.Lang, s *engine.Step) string { return strings.TrimSpace(Brief(lang, s)) }
