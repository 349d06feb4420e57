package class

import (
	"cmp"
	"slices"
	"strings"
)

// Shared is what every page of a class is told.
type Shared struct {
	Lesson string     `json:"lesson"`
	Mode   string     `json:"mode"`
	Limit  int        `json:"limit"`
	Lead   SharedLead `json:"lead"`
	Poll   *SharedAsk `json:"poll,omitempty"`
	Closed bool       `json:"closed,omitempty"`
}

// SharedLead is where the teacher leads.
type SharedLead struct {
	N int `json:"n"`
	Place
	Shown bool   `json:"shown,omitempty"` // it is the place of a learner
	By    string `json:"by,omitempty"`    // the learner, unless names are hidden
}

// SharedAsk is a question to the class.
type SharedAsk struct {
	N int `json:"n"`
	Place
	Beat   int     `json:"beat"`
	Shown  bool    `json:"shown"`
	Counts []Count `json:"counts,omitempty"` // once they are shown
}

// Count is how many gave an answer.
type Count struct {
	Option
	N int `json:"n"`
}

// Wall is what the teacher sees besides.
type Wall struct {
	Shared
	Words       string       `json:"words,omitempty"` // of the question
	Answers     []Count      `json:"answers,omitempty"`
	Answered    int          `json:"answered"`
	NamesHidden bool         `json:"namesHidden,omitempty"`
	Shut        bool         `json:"shut,omitempty"` // nobody new joins
	Learners    []Tile       `json:"learners"`
	Heat        []Heat       `json:"heat,omitempty"`
	Race        []RaceResult `json:"race,omitempty"` // the shortest first
}

// Tile is a learner on the wall.
type Tile struct {
	ID     string `json:"id"`
	Number int    `json:"number"`
	Name   string `json:"name"`
	Place  Place  `json:"place"`
	Step   int    `json:"step"`
	Since  int64  `json:"since"`
	Solved bool   `json:"solved,omitempty"`
	Ended  bool   `json:"ended,omitempty"`
	Broke  bool   `json:"broke,omitempty"`
}

// Heat is how the class guessed about a beat.
type Heat struct {
	Lesson string `json:"lesson"`
	Beat   int    `json:"beat"`
	Right  int    `json:"right"`
	Wrong  int    `json:"wrong"`
}

// RaceResult is the shortest schedule of a learner that broke a rule.
type RaceResult struct {
	Name  string `json:"name"`
	Place Place  `json:"place"`
	Moves int    `json:"moves"`
}

// Shared is the class as all pages see it.
func (s *State) Shared() Shared {
	v := Shared{Lesson: s.Lesson, Mode: s.Mode, Limit: s.Limit, Lead: SharedLead{N: s.Lead.N, Place: s.Lead.Place}, Closed: s.Closed}
	if l := s.Learner(s.Lead.Of); l != nil {
		v.Lead.Shown = true
		if !s.NamesHidden {
			v.Lead.By = l.Name
		}
	}
	if p := s.Poll; p != nil {
		v.Poll = &SharedAsk{N: p.N, Place: p.Place, Beat: p.Beat, Shown: p.Shown}
		if p.Shown {
			v.Poll.Counts = p.counts()
		}
	}
	return v
}

// counts are the answers, those that the question offers first, then the most frequent.
func (p *Poll) counts() []Count {
	given := map[string]int{}
	for _, a := range p.Answers {
		given[a]++
	}
	var all []Count
	for _, o := range p.Options {
		all = append(all, Count{Option: o, N: given[o.Value]})
		delete(given, o.Value)
	}
	offered := len(all)
	for a, n := range given {
		all = append(all, Count{Option: Option{Value: a, Text: a}, N: n})
	}
	slices.SortFunc(all[offered:], func(a, b Count) int { return cmp.Or(b.N-a.N, strings.Compare(a.Value, b.Value)) })
	return all[:min(len(all), mostOptions)]
}

// mostHeat is how many beats the wall tells of.
const mostHeat = 20

// Wall is the class as its teacher sees it.
func (s *State) Wall() Wall {
	w := Wall{Shared: s.Shared(), NamesHidden: s.NamesHidden, Shut: s.Shut, Learners: []Tile{}}
	if p := s.Poll; p != nil {
		w.Words, w.Answers, w.Answered = p.Words, p.counts(), len(p.Answers)
	}
	heat := map[Beat]*Heat{}
	for _, l := range s.Learners {
		has := func(what string) bool { return l.Reached[l.Place.Lesson+" "+what] }
		w.Learners = append(w.Learners, Tile{
			ID: l.ID, Number: l.Number, Name: l.Name, Place: l.Place, Step: l.Step, Since: l.Since, Solved: has(Solved), Ended: has(Ended), Broke: has(Broke),
		})
		if l.Broken != nil {
			w.Race = append(w.Race, RaceResult{Name: l.Name, Place: l.Broken.Place, Moves: l.Broken.Moves})
		}
		for beat, right := range l.Guesses {
			h := heat[beat]
			if h == nil {
				h = &Heat{Lesson: beat.Lesson, Beat: beat.Beat}
				heat[beat] = h
			}
			if right {
				h.Right++
			} else {
				h.Wrong++
			}
		}
	}
	for _, h := range heat {
		w.Heat = append(w.Heat, *h)
	}
	slices.SortFunc(w.Heat, func(a, b Heat) int {
		return cmp.Or(b.Wrong-a.Wrong, strings.Compare(a.Lesson, b.Lesson), a.Beat-b.Beat)
	})
	w.Heat = w.Heat[:min(len(w.Heat), mostHeat)]
	slices.SortStableFunc(w.Race, func(a, b RaceResult) int { return a.Moves - b.Moves })
	return w
}
