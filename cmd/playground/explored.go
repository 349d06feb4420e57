package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// explored is what a search of a lesson found.
type explored struct {
	named    string // as it was asked for
	lesson   *lessons.Lesson
	question lessons.Question
	search.Verdict
	between string        // how far a search on a finer grid came, which was stopped; empty: there was none
	trace   *engine.Trace // of the schedule that was found; nil: none was
	weakest *lessons.Weakest
}

// lookBetween searches again where the clock stops more often.
func (e *explored) lookBetween(ctx context.Context, nodes []engine.NodeSpec) error {
	closer, err := e.lesson.Finer(ctx, nodes, e.question, e.Verdict)
	if err != nil {
		return err
	}
	e.Verdict = closer.Verdict
	switch between := cmp.Or(closer.Between, closer.Most); {
	case between == nil:
	case between.Stopped == search.IdleBound:
		e.between = fmt.Sprintf("where %s, nothing breaks, and longer was not searched", between.Stops().Error())
	default:
		e.between = fmt.Sprintf("where %s, nothing breaks in %d choices or fewer, and more were not searched", between.Stops().Error(), max(between.Depth-1, 0))
	}
	return nil
}

// lookCloser plays what was found, and asks how little has to be allowed for it.
func (e *explored) lookCloser(ctx context.Context, nodes []engine.NodeSpec) error {
	v := e.Verdict
	if e.between != "" {
		v.Ending = search.Stops // what allows so much may yet break
	}
	e.weakest = e.lesson.NewWeakest(e.question, v, lessons.WeakestStates)
	if e.Ending != search.Breaks {
		return nil
	}
	s, err := e.lesson.Scenario(nodes)
	if err != nil {
		return err
	}
	if _, e.trace, err = engine.Replay(ctx, s, e.Schedule); err != nil {
		return err
	}
	for done := false; !done && err == nil && ctx.Err() == nil; {
		done, err = e.weakest.Continue(ctx, 1024)
	}
	e.weakest.CallOff()
	return err
}

// headline is what a step was, when, and what was answered.
func headline(s *engine.Step) string {
	text, _, _ := strings.Cut(s.String(), "\n")
	return text
}

// The document of explore --format json. Keys are only ever added to it; what changes
// otherwise gets another version.
type exploredJSON struct {
	Version     int                                 `json:"version"`
	Lesson      string                              `json:"lesson"`
	Ending      search.Ending                       `json:"ending"`
	Invariant   string                              `json:"invariant,omitempty"` // that breaks
	Detail      string                              `json:"detail,omitempty"`
	Choices     []string                            `json:"choices,omitempty"`
	Loop        int                                 `json:"loop,omitempty"`     // how many of the last choices can go round for ever
	Steps       []string                            `json:"steps,omitempty"`    // the choices with their instants, requests and replies
	Schedule    string                              `json:"schedule,omitempty"` // the choices for links, and for run --schedule
	Without     map[engine.ChoiceKind]search.Ending `json:"without,omitempty"`  // fault that may not happen: how the search ends then
	Under       map[string]search.Ending            `json:"under,omitempty"`    // stricter assumption about time: how the search ends then
	Weakest     weakestJSON                         `json:"weakest"`
	Doubts      []string                            `json:"doubts,omitempty"`  // why it would prove little that the rules hold
	Clock       string                              `json:"clock"`             // where it stops
	Beyond      string                              `json:"beyond,omitempty"`  // how far the clock moves on a grid where nothing is due
	Between     string                              `json:"between,omitempty"` // how far a search on a finer grid came, which was stopped
	Stopped     search.Bound                        `json:"stopped,omitempty"`
	Time        string                              `json:"time"`
	Assumption  string                              `json:"assumption"`
	Grid        string                              `json:"grid,omitempty"`
	Faults      map[engine.ChoiceKind]int           `json:"faults"`
	States      int                                 `json:"states"`
	Transitions int                                 `json:"transitions"`
	Depth       int                                 `json:"depth"`
	Levels      []int                               `json:"levels"`
	Branches    []branchJSON                        `json:"branches"` // the first choices, with what was met first behind them
	Dated       bool                                `json:"dated"`
	Sometimes   []sometimesJSON                     `json:"sometimes"`
}

type branchJSON struct {
	Choice   string       `json:"choice"`
	Passed   string       `json:"passed,omitempty"` // of moves of the clock: how far they go
	States   int          `json:"states"`
	Levels   []int        `json:"levels"`          // by number of choices, from this one on: how many of them were met first
	Found    bool         `json:"found,omitempty"` // the schedule that was found begins so
	Branches []branchJSON `json:"branches,omitempty"`
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
		Time: e.question.Bounds.Time.String(), Assumption: e.assumption(), Faults: map[engine.ChoiceKind]int{},
		States: e.States, Transitions: e.Transitions, Depth: e.Depth, Levels: e.Levels, Branches: branchesJSON(e.Branches),
		Dated: len(e.Clocks) > 0,
	}
	if e.Grid > 0 {
		doc.Grid = engine.FormatSpan(e.Grid)
	}
	doc.Clock = e.Stops().Error()
	if e.Grid > 0 && e.Idle > 0 {
		doc.Beyond = engine.FormatSpan(time.Duration(e.Idle) * e.Grid)
	}
	maps.Copy(doc.Faults, e.question.Bounds.Faults)
	if e.Violation != nil {
		doc.Invariant, doc.Detail = e.Violation.Invariant, e.Violation.Detail.Error()
		doc.Schedule = engine.Schedule{Lesson: e.lesson.Hash, Choices: e.Verdict.Schedule}.String()
		doc.Loop = e.Loop
		for _, c := range e.Schedule {
			doc.Choices = append(doc.Choices, c.String())
		}
		for i := range e.trace.Steps {
			doc.Steps = append(doc.Steps, strings.TrimSpace(headline(&e.trace.Steps[i])))
		}
		doc.Without, doc.Under = withoutEach(e.weakest), e.weakest.Under()
	}
	doc.Weakest = weakestAsJSON(e.weakest)
	doc.Between = e.between
	for _, p := range e.lesson.Doubts() {
		doc.Doubts = append(doc.Doubts, p.Message.Error())
	}
	for _, s := range e.Sometimes {
		doc.Sometimes = append(doc.Sometimes, sometimesJSON{s.Name, s.Of, s.Seen, s.Failure.Error()})
	}
	return doc
}

func branchesJSON(all []search.Branch) []branchJSON {
	out := []branchJSON{}
	for i := range all {
		b := &all[i]
		one := branchJSON{Choice: b.Choice.String(), States: b.States(), Levels: b.Levels, Found: b.Found, Branches: branchesJSON(b.Branches)}
		if b.Passed > 0 {
			one.Passed = engine.FormatSpan(b.Passed)
		}
		out = append(out, one)
	}
	return out
}

func (e explored) text() string {
	var b strings.Builder
	switch e.Ending {
	case search.Breaks:
		fmt.Fprintf(&b, "%s breaks in %d: %v\n\n", e.lesson.Name, e.Moves(), e.Violation)
		for i := range e.trace.Steps {
			if e.Loop > 0 && i == len(e.Schedule)-e.Loop {
				b.WriteString("  and then, for ever:\n")
			}
			b.WriteString(headline(&e.trace.Steps[i]) + "\n")
		}
		fmt.Fprintf(&b, "\nplayground run %s --schedule %s\n\n", e.named, engine.Schedule{Lesson: e.lesson.Hash, Choices: e.Schedule})
	case search.Holds:
		fmt.Fprintf(&b, "%s holds, for schedules of any length in which %v%s\n\n", e.lesson.Name, e.Stops(), e.onlyThere())
	case search.Stops:
		fmt.Fprintf(&b, "%s: nothing breaks in %d choices or fewer; the search stopped there: %s\n\n", e.lesson.Name, max(e.Depth-1, 0), e.why())
	}
	fmt.Fprintf(&b, "assumed   %s\n", e.assumption())
	fmt.Fprintf(&b, "clock     it %s\n", e.clock())
	fmt.Fprintf(&b, "faults    %s\n", e.faults())
	fmt.Fprintf(&b, "searched  %d states, %d transitions, %d choices deep\n", e.States, e.Transitions, e.Depth)
	seen, never := e.sights()
	if seen != "" {
		fmt.Fprintf(&b, "seen      %s\n", seen)
	}
	if never != "" {
		fmt.Fprintf(&b, "never     %s\n", never)
	}
	if text := ui.WeakestText(lessons.En, e.weakest); text != "" {
		fmt.Fprintf(&b, "weakest   %s\n", text)
	}
	for _, p := range e.lesson.Doubts() {
		fmt.Fprintf(&b, "\n%v\n", p)
	}
	return b.String()
}

// onlyThere is why nothing may follow for other instants from where the clock stops; empty: something does.
func (e explored) onlyThere() string {
	switch {
	case e.between != "":
		return "; " + fact.Of("clock-coarse").Error()
	case len(e.Clocks) > 0 && e.Grid != e.lesson.Resolution:
		return "; a client that calculates with what its clock shows may tell other instants apart"
	}
	return ""
}

func (e explored) why() string {
	return map[search.Bound]string{
		search.DepthBound: "that is --depth", search.StatesBound: "--states is used up",
		search.BytesBound: "--memory is used up", search.CalledOff: "it was interrupted",
		search.IdleBound: search.IdleBound.Fact().Error(),
	}[e.Stopped]
}

// assumption is what the search takes for granted.
func (e explored) assumption() string {
	var all []string
	for _, f := range e.question.Bounds.Time.Assumed(&e.Verdict) {
		all = append(all, f.Error())
	}
	return strings.Join(all, "; ")
}

// clock is where the clock stops, and what a program that looks at it means for a state.
func (e explored) clock() string {
	text := strings.TrimPrefix(e.Stops().Error(), "the clock ")
	if e.between != "" {
		text += "; " + e.between
	}
	if e.Ending == search.Breaks && e.Moves() > 2 {
		text += ": where it stops elsewhere, fewer choices may do"
	}
	if len(e.Clocks) > 0 {
		text += "; a client looks at it, so each instant is a state of its own as long as that client goes on"
	}
	return text
}

func (e explored) faults() string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(e.question.Bounds.Faults)) {
		parts = append(parts, fmt.Sprintf("%s %d×", kind, e.question.Bounds.Faults[kind]))
	}
	return cmp.Or(strings.Join(parts, ", "), "none")
}

// sights tells what the search has seen happen, and what never happened: a claim about a section that nobody enters proves
// nothing. If nobody enters any section, no more is told about sections. A search that has not seen everything knows nothing of what never
// happens: only that somebody starves is found when it has.
func (e explored) sights() (seen, never string) {
	var yes, no []string
	all := e.Ending == search.Holds || e.Starves()
	entered := slices.ContainsFunc(e.Sometimes, func(s search.Sometimes) bool { return s.Name == search.Enters && s.Seen })
	if !entered && all {
		no = append(no, "anybody got inside a section")
	}
	for _, s := range e.Sometimes {
		if !entered && (s.Name == search.Enters || s.Name == search.Contended) {
			continue
		}
		text := map[search.SometimesName]string{
			search.Contended: "somebody came while another was inside", search.Expires: "a key expired", search.Enters: s.Of + " got inside",
			search.Fails: s.Of + " broke off: " + s.Failure.Error(),
		}[s.Name]
		switch {
		case s.Seen:
			yes = append(yes, text)
		case s.Name != search.Fails && all: // that no program breaks off is no news
			no = append(no, text)
		}
	}
	return strings.Join(yes, "; "), strings.Join(no, "; ")
}
