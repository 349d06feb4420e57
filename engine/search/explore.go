package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
)

// Bounds are the limits of a search, and its assumptions.
type Bounds struct {
	Time   TimeBound
	Grid   time.Duration             // the clock may also move by so much at a time, before anything is due; 0: it may not
	Beyond time.Duration             // how far the clock moves while nothing is due and somebody looks at it: on a grid in all, else at a time; 0: it does not
	Spans  []time.Duration           // that somebody may compare with what a clock shows, in ascending order: where there is no grid, a few times in a schedule the clock also stops after one of them
	Turns  bool                      // somebody may divide what a clock shows by one of Spans: where Idle is above 1, it also stops a moment before the next multiple, and so long before as one of them
	Idle   int                       // how often the clock does so without a grid; 0 or 1: once, after the longest of them
	Before bool                      // the clock also stops at the last moment before something is due: somebody looks at how long things last
	Faults map[engine.ChoiceKind]int // how often each kind of fault may happen; the end of a fault costs nothing
	Depth  int                       // choices; 0: no bound
	States int                       // 0: no bound
	Bytes  int                       // of all states; 0: no bound
	Full   func() bool               `json:"-"` // asked now and then whether there is no memory left for more; nil: there is
	Casts  int                       // running actors that are kept in memory to go on with; 0: 200 of each actor
}

// Progress is how far a search has come.
type Progress struct {
	States, Transitions int
	Depth               int // choices that lead to the states under way
	Bytes               int // of all states
	Casts               int // running actors in memory
}

// Ending is how a search ended.
type Ending string

// The ends of a search.
const (
	Breaks Ending = "breaks" // a schedule breaks an invariant
	Holds  Ending = "holds"  // no schedule does, however long
	Stops  Ending = "stops"  // no schedule within the bounds does, and there are others
)

// Verdict is the result of a search.
type Verdict struct {
	Ending Ending

	// A search that Breaks has these:
	Schedule  []engine.Choice   // none that breaks an invariant is shorter. It is Depth choices, or more where moves of the clock in a row, which count as one, cannot become one
	Violation *engine.Violation // by the last choice
	Loop      int               // where somebody starves, the number of last choices that can go round for ever; 0: nothing happens after the last one

	Stopped Bound // of a search that Stops: the bound that was reached

	Progress
	Levels    []int         // by number of choices, how many states need as many to be reached
	Branches  []Branch      // the same by the first choices
	Clocks    []string      // threads that look at their clocks: as long as one of them goes on, the clock is a part of a state
	Spins     string        // the first thread that was met asking again and again for what changes nothing, while no time may pass; empty: none was
	Bare      string        // of a search that holds in which no lock may be without a TTL: a key that had none while nobody was inside or waited, which the rule does not count; empty: none was met
	Rests     bool          // somebody was told how long a key still lasts, or had a server compare that
	Grid      time.Duration // of the bounds
	Idle      int           // how often at most the clock moved to where nothing is due; 0: never, as nobody would have noticed
	Unit      time.Duration // of which all times are a multiple after which something was due; 0: nothing was
	Sometimes []Sometimes
	Scripts   map[string]bool     // that were called, and whether a call has changed a key
	Deleted   map[string][]string // by actor, keys that it has deleted and that named nobody else as their owner
}

// Bound ends a search before it has seen everything.
type Bound string

// The bounds.
const (
	DepthBound  Bound = "depth"
	StatesBound Bound = "states"
	BytesBound  Bound = "bytes"
	IdleBound   Bound = "idle"       // of the moves of the clock where nothing is due: it has seen everything else
	CalledOff   Bound = "called-off" // by its user
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
	case IdleBound:
		return fact.Of("stopped-idle")
	case CalledOff:
		return fact.Of("stopped-called-off")
	}
	return fact.Fact{}
}

// Search is a search that goes on as far as it is told to. It needs no goroutine.
type Search struct {
	scenario engine.Scenario
	search   *search // begun anew whenever one more program looks at its clock
	done     bool
}

// New begins a search. The scenario's nodes must be Forkers, and its actors Digesters.
func New(ctx context.Context, s engine.Scenario, b Bounds) (*Search, error) {
	if err := b.valid(); err != nil {
		return nil, err
	}
	x, err := newSearch(ctx, s, b, nil)
	if err != nil {
		return nil, err
	}
	return &Search{scenario: s, search: x}, nil
}

// Continue looks at so many more states, and tells whether the search has ended. An error ends it
// without a verdict: an actor or a node failed, or a rule could not be evaluated. The end of the context calls it off.
func (s *Search) Continue(ctx context.Context, states int) (done bool, err error) {
	if s.done {
		return true, nil
	}
	err = s.search.proceed(ctx, states)
	for errors.Is(err, errClock) {
		if s.search, err = newSearch(context.WithoutCancel(ctx), s.scenario, s.search.bounds, s.search.clocks()); err == nil {
			err = s.search.proceed(ctx, states)
		}
	}
	if err != nil && ctx.Err() != nil { // in the middle of a step
		s.search.stop(CalledOff)
		err = nil
	}
	if err == nil && s.search.verdict.Ending != "" {
		s.search.verdict.Branches = s.search.branches()
	}
	if err == nil && s.search.verdict.Ending == Breaks {
		err = s.search.replay(context.WithoutCancel(ctx), s.scenario)
	}
	s.done = err != nil || s.search.verdict.Ending != ""
	return s.done, err
}

// CallOff ends a search that has not ended.
func (s *Search) CallOff() {
	if !s.done {
		s.search.stop(CalledOff)
		s.search.verdict.Branches = s.search.branches()
		s.done = true
	}
}

// Progress is how far the search has come.
func (s *Search) Progress() Progress { return s.search.verdict.Progress }

// Verdict is the result of a search that has ended without an error.
func (s *Search) Verdict() Verdict { return s.search.verdict }

// Explore searches to the end, or until its context ends. It calls progress now and then, which may
// be nil.
func Explore(ctx context.Context, s engine.Scenario, b Bounds, progress func(Progress)) (Verdict, error) {
	const often = 1024
	search, err := New(context.WithoutCancel(ctx), s, b)
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
	if b.Grid < 0 || b.Beyond < 0 || b.Depth < 0 || b.States < 0 || b.Bytes < 0 || b.Casts < 0 {
		return errors.New("a bound of a search cannot be below 0")
	}
	for kind, times := range b.Faults {
		if !kind.Costs() || times < 0 || times > MaxFaults {
			return fmt.Errorf("a search cannot have %d times %q: write a fault, and 0 to %d", times, kind, MaxFaults)
		}
	}
	return b.Time.valid()
}

// replay plays the schedule of the verdict on the scenario's own nodes, and fails unless a rule
// breaks there, too, by its last choice. Moves of the clock in a row become one if that still is so.
func (x *search) replay(ctx context.Context, s engine.Scenario) error {
	if x.verdict.Starves() {
		return x.replayLoop(ctx, s)
	}
	trace, err := breaksAtTheEnd(ctx, s, x.verdict.Schedule)
	if err != nil {
		return fmt.Errorf("the search does not agree with the world, and found %v: %w", x.verdict.Violation, err)
	}
	last := len(trace.Steps) - 1
	for _, shorter := range [][]engine.Choice{merged(trace.Steps), append(merged(trace.Steps[:last]), trace.Steps[last].Choice)} {
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

// breaksAtTheEnd plays a schedule, and fails unless its last choice is the first that breaks anything.
func breaksAtTheEnd(ctx context.Context, s engine.Scenario, schedule []engine.Choice) (*engine.Trace, error) {
	_, trace, err := engine.Replay(ctx, bare(s), schedule)
	if err != nil {
		return nil, err
	}
	first := slices.IndexFunc(trace.Steps, func(s engine.Step) bool { return len(s.Broken) > 0 })
	if first != len(schedule)-1 {
		return nil, fmt.Errorf("%v breaks nothing at its end", schedule)
	}
	return trace, nil
}

// merged are the choices of steps, with moves of the clock in a row made one.
func merged(steps []engine.Step) []engine.Choice {
	var out []engine.Choice
	for i := range steps {
		c, last := steps[i].Choice, len(out)-1
		if c.Kind == engine.Tick && i > 0 && steps[i-1].Choice.Kind == engine.Tick {
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

// Moves is the length of the schedule of a search that Breaks, as a search counts.
func (v *Verdict) Moves() int { return Moves(v.Schedule) }

// Moves counts choices as a search does: moves of the clock in a row are one.
func Moves(choices []engine.Choice) int {
	n := 0
	for i, c := range choices {
		if c.Kind != engine.Tick || i == 0 || choices[i-1].Kind != engine.Tick {
			n++
		}
	}
	return n
}
