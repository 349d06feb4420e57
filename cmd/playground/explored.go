package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/search"
	"lockstep/lessons"
)

// explored is what a search of a lesson found.
type explored struct {
	named    string // as it was asked for
	lesson   *lessons.Lesson
	question lessons.Question
	search.Verdict
}

// The document of explore --format json. Keys are only ever added to it; what changes
// otherwise gets another version.
type exploredJSON struct {
	Version     int             `json:"version"`
	Lesson      string          `json:"lesson"`
	Ending      search.Ending   `json:"ending"`
	Invariant   string          `json:"invariant,omitempty"` // that breaks
	Detail      string          `json:"detail,omitempty"`
	Choices     []string        `json:"choices,omitempty"`
	Loop        int             `json:"loop,omitempty"`     // how many of the last choices can go round for ever
	Schedule    string          `json:"schedule,omitempty"` // the same for links, and for run --schedule
	Stopped     search.Bound    `json:"stopped,omitempty"`
	Time        string          `json:"time"`
	Assumption  string          `json:"assumption"`
	Grid        string          `json:"grid,omitempty"`
	Faults      map[string]int  `json:"faults"`
	States      int             `json:"states"`
	Transitions int             `json:"transitions"`
	Depth       int             `json:"depth"`
	Levels      []int           `json:"levels"`
	Dated       bool            `json:"dated"`
	Sometimes   []sometimesJSON `json:"sometimes"`
}

type sometimesJSON struct {
	Name search.SometimesName `json:"name"`
	Of   string               `json:"of,omitempty"`
	Seen bool                 `json:"seen"`
	Why  string               `json:"why,omitempty"`
}

func (e explored) json() exploredJSON {
	doc := exploredJSON{
		Version: 1, Lesson: e.lesson.Name, Ending: e.Ending, Stopped: e.Stopped,
		Time: e.question.Bounds.Time.String(), Assumption: e.question.Bounds.Time.Fact().Error(), Faults: map[string]int{},
		States: e.States, Transitions: e.Transitions, Depth: e.Depth, Levels: e.Levels, Dated: len(e.Clocks) > 0,
	}
	if e.question.Bounds.Grid > 0 {
		doc.Grid = engine.FormatSpan(e.question.Bounds.Grid)
	}
	for kind, n := range e.question.Bounds.Faults {
		doc.Faults[string(kind)] = n
	}
	if e.Violation != nil {
		doc.Invariant, doc.Detail = e.Violation.Invariant, e.Violation.Detail.Error()
		doc.Schedule = engine.Schedule{Lesson: e.lesson.Hash, Choices: e.Verdict.Schedule}.String()
		doc.Loop = e.Loop
		for _, c := range e.Schedule {
			doc.Choices = append(doc.Choices, c.String())
		}
	}
	for _, s := range e.Sometimes {
		doc.Sometimes = append(doc.Sometimes, sometimesJSON{s.Name, s.Of, s.Seen, failure(s)})
	}
	return doc
}

func (e explored) text() string {
	var b strings.Builder
	switch e.Ending {
	case search.Breaks:
		fmt.Fprintf(&b, "%s breaks in %d: %v\n\n", e.lesson.Name, len(e.Schedule), e.Violation)
		for i, c := range e.Schedule {
			if e.Loop > 0 && i == len(e.Schedule)-e.Loop {
				b.WriteString("  and then, for ever:\n")
			}
			fmt.Fprintf(&b, "  %v\n", c)
		}
		fmt.Fprintf(&b, "\nplayground run %s --schedule %s\n\n", e.named, engine.Schedule{Lesson: e.lesson.Hash, Choices: e.Schedule})
	case search.Holds:
		fmt.Fprintf(&b, "%s holds, for schedules of any length\n\n", e.lesson.Name)
	case search.Stops:
		fmt.Fprintf(&b, "%s: nothing breaks in %d choices or fewer; the search stopped there: %s\n\n", e.lesson.Name, max(e.Depth-1, 0), e.why())
	}
	fmt.Fprintf(&b, "assumed   %s; the clock stops %s\n", e.question.Bounds.Time.Fact().Error(), e.stops())
	fmt.Fprintf(&b, "faults    %s\n", e.faults())
	fmt.Fprintf(&b, "searched  %d states, %d transitions, %d choices deep\n", e.States, e.Transitions, e.Depth)
	seen, never := e.sights()
	fmt.Fprintf(&b, "seen      %s\n", seen)
	if never != "" {
		fmt.Fprintf(&b, "never     %s\n", never)
	}
	if len(e.Clocks) > 0 {
		b.WriteString("clock     a client looks at it, so each instant is a state of its own as long as that client goes on\n")
	}
	return b.String()
}

func (e explored) why() string {
	return map[search.Bound]string{
		search.DepthBound: "that is --depth", search.StatesBound: "--states is used up",
		search.BytesBound: "--memory is used up", search.CalledOff: "it was interrupted",
	}[e.Stopped]
}

func (e explored) stops() string {
	if e.question.Bounds.Grid > 0 {
		return "where something is due, and every " + engine.FormatSpan(e.question.Bounds.Grid)
	}
	return "where something is due"
}

func (e explored) faults() string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(e.question.Bounds.Faults)) {
		parts = append(parts, fmt.Sprintf("%s %d×", kind, e.question.Bounds.Faults[kind]))
	}
	return cmp.Or(strings.Join(parts, ", "), "none")
}

// sights are what the search has seen happen, and what it has not.
func (e explored) sights() (seen, never string) {
	var yes, no []string
	for _, s := range e.Sometimes {
		text := map[search.SometimesName]string{
			search.Contended: "somebody came while another was inside", search.Expires: "a key expired", search.Enters: s.Of + " got inside",
			search.Fails: s.Of + " broke off: " + failure(s),
		}[s.Name]
		switch {
		case s.Seen:
			yes = append(yes, text)
		case s.Name != search.Fails: // that no program breaks off is no news
			no = append(no, text)
		}
	}
	return strings.Join(yes, "; "), strings.Join(no, "; ")
}

// failure is why a program broke off; empty: none did.
func failure(s search.Sometimes) string {
	if s.Failure.Code == "" {
		return ""
	}
	return s.Failure.Error()
}
