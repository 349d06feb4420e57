package class

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"lockstep/engine/fact"
)

// Bounds of what is sent.
const (
	mostName    = 24 // characters
	mostQuery   = 2000
	mostText    = 300
	mostAnswer  = 60
	mostOptions = 12
	mostSteps   = 100_000

	// Bytes of a class; an event about a step has some 300. A class that grows too large loses first what matters
	// least: beyond mostPlaces, where learners stand; beyond mostBytes, all that learners send. A teacher's events
	// are always taken.
	mostPlaces  = 24 << 20
	mostBytes   = 32 << 20
	mostLearner = 1 << 20 // of one learner
)

// blanks are letters and signs that look like a space.
const blanks = "\u115f\u1160\u2800\u3164\uffa0"

// piled are more marks on one letter than any writing has: they cover what stands above.
var piled = regexp.MustCompile(`\pM{5}`)

// CleanName is a name as it is shown: its words with single spaces, without invisible characters and those that change the
// direction of writing. The error is a fact if no letter or digit is left, or more than mostName characters are.
func CleanName(text string) (string, error) {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || strings.ContainsRune(blanks, r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, text)
	name := strings.Join(strings.Fields(text), " ")
	visible := strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	if !utf8.ValidString(name) || !visible || utf8.RuneCountInString(name) > mostName || piled.MatchString(name) {
		return "", fact.Of("class-bad-name", strconv.Itoa(mostName))
	}
	return name, nil
}

var lessonName = regexp.MustCompile(`^[a-z0-9-]{1,80}$`)

// OfTeacher tells whether the teacher alone may send a kind, to a class that is open.
func (k Kind) OfTeacher() bool {
	return slices.Contains([]Kind{Mode, Lead, Ask, Reveal, Names, Door, Remove, Close}, k)
}

// ofLearners are the kinds that those may send who have joined.
var ofLearners = []Kind{At, Answer, Guessed}

// Allow is the reason, a fact, for which e.Who may not send the event now; nil: they may. Whether they are e.Who is the
// caller's to know.
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
	l := s.Learner(e.Who)
	switch {
	case s.Removed[e.Who]:
		return fact.Of("class-removed")
	case s.Bytes >= mostBytes || s.Bytes >= mostPlaces && e.Kind == At:
		return fact.Of("class-full")
	case e.Kind == Join && l == nil:
		return s.mayJoin(e)
	case e.Kind == Answer && s.Poll != nil && s.Poll.N == e.Step && !s.Poll.offers(e.Text):
		return wrong
	case l == nil || e.Kind != Join && !slices.Contains(ofLearners, e.Kind):
		return wrong
	case l.Bytes >= mostLearner:
		return fact.Of("class-slower")
	}
	return nil
}

// mayJoin is the reason for which nobody new may join by the event; nil: there is a place.
func (s *State) mayJoin(e Event) error {
	from := 0
	for _, l := range s.Learners {
		if l.From != "" && l.From == e.From {
			from++
		}
	}
	switch {
	case s.Removed[e.Who]:
		return fact.Of("class-removed")
	case s.Shut:
		return fact.Of("class-shut")
	case len(s.Learners) >= MostLearners:
		return fact.Of("class-full")
	case from >= mostFromOne:
		return fact.Of("class-network-full")
	}
	return nil
}

// bounded tells whether the fields of an event are within their bounds and have values that pages send.
func (e Event) bounded() bool {
	if e.Place.Lesson != "" && !lessonName.MatchString(e.Place.Lesson) || !e.Place.shareable() || len(e.Options) > 0 && e.Kind != Ask {
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
		if e.Place.Lesson == "" {
			return false
		}
		for reached := range strings.FieldsSeq(e.Text) {
			if reached != Broke && reached != Solved && reached != Ended {
				return false
			}
		}
	case Answer:
		hidden := func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }
		if strings.TrimSpace(e.Text) == "" || utf8.RuneCountInString(e.Text) > mostAnswer || strings.ContainsFunc(e.Text, hidden) {
			return false
		}
	case Guessed:
		if e.Place.Lesson == "" || e.Text != Right && e.Text != Wrong {
			return false
		}
	}
	return len(e.Text) <= mostText && len(e.Of) <= 32 &&
		len(e.Options) <= mostOptions && e.Step >= 0 && e.Step <= mostSteps
}

// ofTab are the keys of a query that say who looks, and how: a place that is shown to others has none.
var ofTab = []string{"class", "view", "a"}

func (p Place) shareable() bool {
	q, err := url.ParseQuery(p.Query)
	return err == nil && len(p.Query) <= mostQuery && !slices.ContainsFunc(ofTab, q.Has)
}
