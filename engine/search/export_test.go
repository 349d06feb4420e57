package search

import (
	"context"
	"errors"
	"time"

	"lockstep/engine"
)

// Forget has a search run all scripts again for the next state that it looks at.
func Forget(s *Search) {
	x := s.search
	x.local.causes.forget()
	x.local.effects = x.local.effects[:0]
	for i, n := range x.states.nodes {
		if len(x.from) > 0 {
			clear(n.memo.moments[x.from[i]].moves)
		}
	}
}

func (t *tuples) forget() {
	clear(t.slots)
	t.bytes, t.ends = t.bytes[:0], t.ends[:0]
}

// Number has a search give numbers to so many moves of the clock before it begins.
func Number(s *Search, moves int) {
	for i := range moves {
		s.search.tickBy(time.Duration(i))
	}
}

// Stepwise is a search that looks at one state after another as it is told to, whatever breaks in them.
type Stepwise struct{ x *search }

// NewStepwise begins with the first state, which has the number 0.
func NewStepwise(ctx context.Context, s engine.Scenario, b Bounds) (*Stepwise, error) {
	s.Invariants = nil
	x, err := newSearch(ctx, s, b, nil)
	return &Stepwise{x}, err
}

// Choices may be made in a state.
func (w *Stepwise) Choices(state uint32) []engine.Choice {
	w.x.restore(w.x.table.words(state, nil))
	var cs []engine.Choice
	for _, c := range w.x.choices(nil) {
		cs = append(cs, w.x.kinds[c])
	}
	return cs
}

// Make makes one of them, as a search does, and returns the state that it leads to. When a program
// looks at its clock the states get other numbers: then again is true, and Stepwise has begun anew.
func (w *Stepwise) Make(ctx context.Context, s engine.Scenario, state uint32, c engine.Choice) (to uint32, again bool, err error) {
	x := w.x
	from, number := x.table.words(state, nil), x.number(c)
	to, known := x.again(from, state, number)
	if !known {
		x.recall(ctx, from)
		to, err = x.make(ctx, &x.before, state, number)
		if errors.Is(err, errClock) {
			s.Invariants = nil
			w.x, err = newSearch(ctx, s, x.bounds, x.clocks())
			return 0, true, err
		}
		if err != nil {
			return 0, false, err
		}
		x.learn(from, number)
	}
	return to, false, nil
}

// Ways are the choices that lead to each state that was met, with moves of the clock in a row as one.
func Ways(s *Search) [][]string {
	var all [][]string
	for state := range s.search.table.len() {
		var way []string
		for _, c := range s.search.way(uint32(state), engine.Choice{}) {
			name := c.String()
			if c.Kind == engine.Tick {
				if name = "tick"; len(way) > 0 && way[len(way)-1] == name {
					continue
				}
			}
			way = append(way, name)
		}
		all = append(all, way)
	}
	return all
}

// Unremembered searches to the end, and makes each step in the world, also those that it has met before.
func Unremembered(ctx context.Context, s engine.Scenario, b Bounds) (Verdict, error) {
	var clocks []string
	for {
		x, err := newSearch(ctx, s, b, clocks)
		if err != nil {
			return Verdict{}, err
		}
		x.local.alone = false
		for ended := false; err == nil && !ended; ended = x.verdict.Ending != "" {
			err = x.proceed(ctx, 1024)
		}
		if !errors.Is(err, errClock) {
			return x.verdict, err
		}
		clocks = x.clocks()
	}
}
