package player

import (
	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// refuse is an error in the session's language.
func (s *Session) refuse(code Code, why error) *Error { return refusal(s.lang, code, why) }

func refusal(lang lessons.Lang, code Code, why error) *Error {
	return &Error{Code: code, Msg: ui.Tell(lang, why)}
}

// warn puts a notice on the page; step is the one that it is about, or 0.
func (s *Session) warn(kind ui.NoticeKind, step int, of error) {
	s.notice = &ui.Notice{Kind: kind, Step: step, Text: ui.Tell(s.lang, of)}
}

// warned is the same about what an engine could not do, as an error.
func (s *Session) warned(kind ui.NoticeKind, step int, of error) *Error {
	s.warn(kind, step, of)
	return &Error{Code: CodeEngine, Msg: s.notice.Text}
}

// nothingRan says that a step has no lines to walk through; 0 is the start.
func nothingRan(step int) fact.Fact {
	if step == 0 {
		return fact.Of("nothing-ran-yet")
	}
	return fact.Of("nothing-ran", step)
}

func lostBranches(n int) fact.Fact {
	if n == 1 {
		return fact.Of("lost-branch")
	}
	return fact.Of("lost-branches", n)
}

// clip keeps a message about something overlong short.
func clip(text string) string {
	const most = 40
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}
