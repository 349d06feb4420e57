package class

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lockstep/engine/fact"
)

// Bounds of what is sent.
const (
	mostName          = 24 // characters
	mostQuery         = 2000
	mostText          = 300
	mostOptions       = 12
	mostSteps         = 100_000
	mostLearnerEvents = 2000   // of one learner
	mostEvents        = 40_000 // of learners in a class: the teacher can always go on
)

// CleanName is a name as it is shown: its words, without what is invisible or turns the writing round.
func CleanName(text string) (string, error) {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, text)
	name := strings.Join(strings.Fields(text), " ")
	visible := strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	marks := 0
	for _, r := range name {
		if unicode.Is(unicode.Mn, r) {
			marks++
		}
	}
	if !utf8.ValidString(name) || !visible || utf8.RuneCountInString(name) > mostName || marks > mostName/2 {
		return "", fact.Of("class-bad-name", "24")
	}
	return name, nil
}

var lessonName = regexp.MustCompile(`^[a-z0-9-]{1,80}$`)

// OfTeacher tells whether the teacher alone may send a kind, to a class that is open.
func (k Kind) OfTeacher() bool {
	return slices.Contains([]Kind{Mode, Lead, Ask, Reveal, Names, Close}, k)
}

// ofLearners are the kinds that those may send who have joined.
var ofLearners = []Kind{At, Answer, Guessed}

// Allow tells whether somebody may send an event now, as who it names.
func (s *State) Allow(e Event) error {
	wrong := fact.Of("class-not-allowed")
	if s.Closed {
		return fact.Of("class-closed")
	}
	if !e.bounded() {
		return wrong
	}
	if e.Who == s.Teacher {
		if !e.Kind.OfTeacher() {
			return wrong
		}
		return nil
	}
	if s.Events >= mostEvents {
		return fact.Of("class-full")
	}
	l := s.Learner(e.Who)
	switch {
	case e.Kind == Join && l == nil && len(s.Learners) == MostLearners:
		return fact.Of("class-full")
	case e.Kind == Join && l == nil:
		return nil
	case l == nil || e.Kind != Join && !slices.Contains(ofLearners, e.Kind):
		return wrong
	case l.Events >= mostLearnerEvents:
		return fact.Of("class-slower")
	}
	return nil
}

// bounded tells whether an event is one that a page sends.
func (e Event) bounded() bool {
	if e.Place.Lesson != "" && !lessonName.MatchString(e.Place.Lesson) {
		return false
	}
	for _, o := range e.Options {
		if len(o.Value) > mostText || len(o.Text) > mostText {
			return false
		}
	}
	switch e.Kind { //nolint:exhaustive // the others have no more to say
	case Mode:
		if e.Text != Free && e.Text != Led && e.Text != Paced {
			return false
		}
	case At:
		for reached := range strings.FieldsSeq(e.Text) {
			if reached != Broke && reached != Solved && reached != Ended {
				return false
			}
		}
	}
	return len(e.Place.Query) <= mostQuery && len(e.Text) <= mostText && len(e.Of) <= 32 &&
		len(e.Options) <= mostOptions && e.Step >= 0 && e.Step <= mostSteps
}
