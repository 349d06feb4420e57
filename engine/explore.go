package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"lockstep/engine/fact"
)

// Bounds are how far a search goes, and what it assumes.
type Bounds struct {
	Time   TimeBound
	Grid   time.Duration      // the clock also stops every so often, not only where something is due; 0: it does not
	Faults map[ChoiceKind]int // how often each kind of fault may happen; what ends a fault may always happen
	Depth  int                // choices; 0: no bound
	States int                // 0: no bound
	Bytes  int                // that the states take; 0: no bound
	Casts  int                // how many running actors with their tasks are kept, so that they need not be made again; 0: 200 of each actor
}

// Progress is how far a search has come.
type Progress struct {
	States, Transitions int
	Depth               int // choices, of the states that it looks at now
	Bytes               int // that the states take
	Casts               int // running actors that are kept
}

// Ending is how a search ended.
type Ending string

// How it can end.
const (
	Breaks Ending = "breaks" // an invariant can be broken
	Holds  Ending = "holds"  // none can, however long a schedule is
	Stops  Ending = "stops"  // none was within the bounds, and there is more beyond
)

// Verdict is what a search found.
type Verdict struct {
	Ending    Ending
	Schedule  []Choice   // the shortest that breaks an invariant, moves of the clock in a row counted as one, which is Depth choices. Where they must not become one, it has more
	Violation *Violation // what its last choice breaks
	Loop      int        // how many of the last choices can go round for ever, where somebody starves; 0: it ends there, or something else breaks
	Stopped   Bound      // what ended a search that stops

	Progress
	Levels    []int    // how many states are first reached by so many choices
	Clocks    []string // threads that look at their clocks: as long as one of them goes on, the clock is a part of a state
	Sometimes []Sometimes
}

// Bound is what ends a search before it has seen everything.
type Bound string

// What can end it.
const (
	DepthBound  Bound = "depth"
	StatesBound Bound = "states"
	BytesBound  Bound = "bytes"
	CalledOff   Bound = "called-off" // its context ended
)

// Fact is the bound as a sentence.
func (b Bound) Fact() fact.Fact {
	switch b {
	case DepthBound:
		return fact.Of("stopped-depth")
	case StatesBound:
		return fact.Of("stopped-states")
	case BytesBound:
		return fact.Of("stopped-bytes")
	case CalledOff:
		return fact.Of("stopped-called-off")
	}
	return fact.Fact{}
}

// Search is a search of every schedule of a scenario, shorter ones first, which goes on as
// far as it is told to.
type Search struct {
	scenario Scenario
	states   *search
	done     bool
}

// NewSearch begins a search. The scenario's nodes must live in memory, and its actors be
// Digesters.
func NewSearch(ctx context.Context, s Scenario, b Bounds) (*Search, error) {
	if err := b.valid(); err != nil {
		return nil, err
	}
	x, err := newSearch(ctx, s, b, nil)
	if err != nil {
		return nil, err
	}
	return &Search{scenario: s, states: x}, nil
}

// Continue looks at so many more states, and tells whether the search has ended. An error means
// that the search itself went wrong; that a rule cannot be evaluated is one.
func (s *Search) Continue(ctx context.Context, states int) (done bool, err error) {
	if s.done {
		return true, nil
	}
	err = s.states.proceed(ctx, states)
	for errors.Is(err, errClock) {
		if s.states, err = newSearch(ctx, s.scenario, s.states.bounds, s.states.clocks()); err == nil {
			err = s.states.proceed(ctx, states)
		}
	}
	if err == nil && s.states.verdict.Ending == Breaks {
		err = s.states.replay(ctx, s.scenario)
	}
	s.done = err != nil || s.states.verdict.Ending != ""
	return s.done, err
}

// CallOff ends a search that has not ended.
func (s *Search) CallOff() {
	if !s.done {
		s.states.stop(CalledOff)
		s.done = true
	}
}

// Progress is how far the search has come.
func (s *Search) Progress() Progress { return s.states.verdict.Progress }

// Verdict is what a search that has ended found.
func (s *Search) Verdict() Verdict { return s.states.verdict }

// Explore searches to the end. It tells progress now and then how far it is; progress may be
// nil. When its context ends it tells what was found so far.
func Explore(ctx context.Context, s Scenario, b Bounds, progress func(Progress)) (Verdict, error) {
	const often = 1024
	search, err := NewSearch(ctx, s, b)
	if err != nil {
		return Verdict{}, err
	}
	for {
		if ctx.Err() != nil {
			search.CallOff()
		}
		done, err := search.Continue(ctx, often)
		if err != nil {
			return Verdict{}, err
		}
		if done {
			return search.Verdict(), nil
		}
		if progress != nil {
			progress(search.Progress())
		}
	}
}

func (b *Bounds) valid() error {
	if b.Grid < 0 || b.Depth < 0 || b.States < 0 || b.Bytes < 0 || b.Casts < 0 {
		return errors.New("a bound of a search cannot be below 0")
	}
	for kind, times := range b.Faults {
		if !kind.Costs() || times < 0 || times > MaxFaults {
			return fmt.Errorf("a search cannot have %d times %q: write a fault, and 0 to %d", times, kind, MaxFaults)
		}
	}
	return b.Time.valid()
}

// replay plays the schedule that was found on the scenario itself: what breaks there
// counts. Moves of the clock in a row become one, if that breaks the same.
func (x *search) replay(ctx context.Context, s Scenario) error {
	if x.verdict.Starves() {
		return x.replayLoop(ctx, s)
	}
	trace, err := breaksAtTheEnd(ctx, s, x.verdict.Schedule)
	if err != nil {
		return fmt.Errorf("the search does not agree with the world, and found %v: %w", x.verdict.Violation, err)
	}
	last := len(trace.Steps) - 1
	for _, shorter := range [][]Choice{merged(trace.Steps), append(merged(trace.Steps[:last]), trace.Steps[last].Choice)} {
		if len(shorter) == last+1 {
			break
		}
		if t, err := breaksAtTheEnd(ctx, s, shorter); err == nil {
			trace, x.verdict.Schedule = t, shorter
			break
		}
	}
	x.verdict.Violation = &trace.Steps[len(trace.Steps)-1].Broken[0]
	return nil
}

func breaksAtTheEnd(ctx context.Context, s Scenario, schedule []Choice) (*Trace, error) {
	s.Look, s.Positions, s.Watch, s.Reserve = nil, false, nil, nil
	_, trace, err := Replay(ctx, s, schedule)
	if err != nil {
		return nil, err
	}
	first := slices.IndexFunc(trace.Steps, func(s Step) bool { return len(s.Broken) > 0 })
	if first != len(schedule)-1 {
		return nil, fmt.Errorf("%v breaks nothing at its end", schedule)
	}
	return trace, nil
}

// merged are the choices of steps, moves of the clock in a row taken together.
func merged(steps []Step) []Choice {
	var out []Choice
	for i := range steps {
		c, last := steps[i].Choice, len(out)-1
		if c.Kind == Tick && i > 0 && steps[i-1].Choice.Kind == Tick {
			if out[last].Span == 0 {
				out[last].Span = steps[i-1].At - steps[i-1].From
			}
			out[last].Span += steps[i].At - steps[i].From
			continue
		}
		out = append(out, c)
	}
	return out
}
