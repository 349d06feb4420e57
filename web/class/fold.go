package class

import (
	"fmt"
	"slices"
	"strings"
)

// MostLearners is how many take part in a class at most, and mostFromOne how many of them from one network: all of
// a lecture hall, and whoever joins again and again there leaves places for the others.
const (
	MostLearners = 300
	mostFromOne  = 200
)

// State is a class as its events have made it.
type State struct {
	Teacher     string // the hash of the token of who opened it; empty: there is no class
	Lesson      string
	Mode        string
	Limit       int // the last step of Paced
	NamesHidden bool
	Shut        bool // nobody new joins
	Lead        Leading
	Poll        *Poll // nil: nothing was asked
	Learners    []*Learner
	Joined      int             // learners so far
	Removed     map[string]bool // learners that the teacher has taken out
	Closed      bool
	Bytes       int    // of all events
	Last        string // the id of the last event
}

// Leading is where the teacher leads.
type Leading struct {
	N     int // grows with every event
	Place Place
	Of    string // the learner whose place it is; empty: the teacher's
}

// Poll is a question to the class.
type Poll struct {
	N       int
	Place   Place
	Beat    int
	Words   string
	Options []Option
	Answers map[string]string // by learner
	Shown   bool
}

// offers tells whether an answer may be given: any, to a question that asks for words.
func (p *Poll) offers(answer string) bool {
	return len(p.Options) == 0 || slices.ContainsFunc(p.Options, func(o Option) bool { return o.Value == answer })
}

// Learner is one of the class.
type Learner struct {
	ID      string
	Number  int // in the order in which they joined
	Name    string
	From    string
	Place   Place
	Step    int
	Since   int64           // when they came to that step
	Reached map[string]bool // lesson and what was reached, as "set-nx solved"
	Broken  *Breach         // their shortest one
	Guesses map[Beat]bool   // whether the first guess about it was right
	Bytes   int             // of their events
}

// Breach is a schedule that broke a rule.
type Breach struct {
	Place Place
	Moves int
}

// Beat is a beat of a lesson's story, about which learners guess.
type Beat struct {
	Lesson string
	Beat   int
}

// Learner finds one of the class; nil: there is none.
func (s *State) Learner(id string) *Learner {
	i := slices.IndexFunc(s.Learners, func(l *Learner) bool { return l.ID == id })
	if i < 0 {
		return nil
	}
	return s.Learners[i]
}

// Apply folds one event into the state. It must be deterministic, as each server folds the stream by itself. An event
// that comes twice, since its sender may not have heard that it was taken, must show nobody more than once.
func (s *State) Apply(e Event) {
	s.Bytes += e.Size
	s.Last = e.ID
	if e.Kind == Opened {
		if s.Teacher == "" {
			s.Teacher, s.Lesson, s.Mode = e.Who, e.Place.Lesson, Free
			s.Lead.Place = Place{Lesson: e.Place.Lesson}
		}
		return
	}
	if s.Closed {
		return
	}
	if e.Who == s.Teacher {
		s.applyTeacher(e)
		return
	}
	if l := s.Learner(e.Who); l != nil {
		l.Bytes += e.Size
		s.applyLearner(l, e)
	} else if e.Kind == Join && s.mayJoin(e) == nil {
		s.join(e)
	}
}

func (s *State) applyTeacher(e Event) {
	switch e.Kind { //nolint:exhaustive // the others are of learners
	case Mode:
		s.Mode, s.Limit = e.Text, e.Step
	case Lead:
		s.Lead = Leading{N: s.Lead.N + 1, Place: e.Place}
		if l := s.Learner(e.Of); l != nil {
			s.Lead.Place, s.Lead.Of = l.Place, l.ID
		}
	case Ask:
		n := 1
		if p := s.Poll; p != nil {
			if !p.Shown && p.Place == e.Place && p.Beat == e.Step {
				return // it was sent twice, and has answers perhaps
			}
			n = p.N + 1
		}
		s.Poll = &Poll{N: n, Place: e.Place, Beat: e.Step, Words: e.Text, Options: e.Options, Answers: map[string]string{}}
	case Reveal:
		if s.Poll != nil {
			s.Poll.Shown = true
		}
	case Names:
		s.NamesHidden = e.Text == Hidden
	case Door:
		s.Shut = e.Text == Shut
	case Remove:
		s.remove(e.Of)
	case Close:
		s.Closed = true
	}
}

// join gives a name that is taken the next free number.
func (s *State) join(e Event) {
	taken := func(name string) bool {
		return slices.ContainsFunc(s.Learners, func(l *Learner) bool { return strings.EqualFold(l.Name, name) })
	}
	name := e.Text
	for n := 2; taken(name); n++ {
		name = fmt.Sprintf("%s %d", e.Text, n)
	}
	s.Joined++
	s.Learners = append(s.Learners, &Learner{
		ID: e.Who, Number: s.Joined, Name: name, From: e.From, Place: Place{Lesson: s.Lesson}, Since: e.Time, Reached: map[string]bool{}, Guesses: map[Beat]bool{},
	})
}

// remove takes a learner out, with what they have done.
func (s *State) remove(id string) {
	if s.Learner(id) == nil {
		return
	}
	s.Learners = slices.DeleteFunc(s.Learners, func(l *Learner) bool { return l.ID == id })
	if s.Removed == nil {
		s.Removed = map[string]bool{}
	}
	s.Removed[id] = true
	if s.Poll != nil {
		delete(s.Poll.Answers, id)
	}
}

func (s *State) applyLearner(l *Learner, e Event) {
	switch e.Kind { //nolint:exhaustive // the others are of the teacher
	case At:
		if l.Place != e.Place {
			l.Place, l.Step, l.Since = e.Place, e.Step, e.Time
		}
		for reached := range strings.FieldsSeq(e.Text) {
			l.Reached[e.Place.Lesson+" "+reached] = true
			if reached == Broke && (l.Broken == nil || e.Step < l.Broken.Moves) {
				l.Broken = &Breach{Place: e.Place, Moves: e.Step}
			}
		}
	case Answer:
		if p := s.Poll; p != nil && p.N == e.Step && !p.Shown && p.offers(e.Text) {
			if _, answered := p.Answers[l.ID]; !answered {
				p.Answers[l.ID] = e.Text
			}
		}
	case Guessed:
		beat := Beat{Lesson: e.Place.Lesson, Beat: e.Step}
		if _, guessed := l.Guesses[beat]; !guessed {
			l.Guesses[beat] = e.Text == Right
		}
	}
}
