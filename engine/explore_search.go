package engine

import (
	"context"
	"errors"
	"slices"
)

// search looks at states in the order of how many choices lead to them. A state is looked
// at by making the world what it was then, and having it do each thing that may happen:
// all that happens is the world's own doing.
type search struct {
	bounds  Bounds
	states  *states
	table   *table
	actorOf map[string]int // by name
	began   []uint32       // the moment of each actor at its beginning
	*choiceNumbers
	ticked  []bool    // states from which the clock was moved already
	late    []Instant // how long each thread of the world has been ready, where that is bounded
	left    budget    // of the world
	at      uint32    // the state that is looked at next
	next    uint32    // the first state of the next level
	seen    sightings
	local   local
	follows bool   // it looks for loops, …
	edges   []edge // … and needs all edges

	starving Holding // who starves, and for which section
	verdict  Verdict

	before      Snapshot // of the state that is looked at, …
	step        Step     // … and the step that was made in it last
	words, from []uint64
	choice      []uint16
	notes       []byte // of the last step
	entered     bool   // somebody entered a section in it
	wasReady    map[*thread]Instant
}

// errClock says that another thread has looked at its clock, so that the search must begin
// anew with the clock as a part of the states in which that thread goes on.
var errClock = errors.New("a program looks at its clock")

func newSearch(ctx context.Context, s Scenario, b Bounds, clocks []string) (*search, error) {
	x := &search{bounds: b, table: &table{tuples: newTuples()}, actorOf: map[string]int{}, choiceNumbers: newChoiceNumbers(), wasReady: map[*thread]Instant{}}
	x.verdict.Clocks = clocks
	s.Look, s.Positions, s.Watch, s.Reserve = nil, false, nil, nil
	var nodes []*nodeMemo
	s.Nodes = slices.Clone(s.Nodes)
	for i, n := range s.Nodes {
		memo, err := newNodeMemo(ctx, n.Name, n.Node)
		if err != nil {
			return nil, err
		}
		nodes, s.Nodes[i].Node = append(nodes, memo), memo.asNode()
	}
	var actors []*actorMemo
	s.Actors = slices.Clone(s.Actors)
	for i, a := range s.Actors {
		memo := newActorMemo(a, b.casts(len(s.Actors)))
		actors, s.Actors[i].New = append(actors, memo), memo.actor
		x.actorOf[a.Name] = i
	}
	x.local = newLocal(s, b)
	s.Invariants = x.remember(s.Invariants)
	w, err := NewWorld(ctx, s)
	if err != nil {
		return nil, err
	}
	x.states = newStates(w, actors, nodes, clocks, x.choiceNumbers)
	x.left = newBudget(b.Faults)
	for _, a := range actors {
		x.began = append(x.began, a.at)
	}
	x.late = make([]Instant, len(w.threads))
	x.seen.begin(s)
	_, err = x.add(0, 0)
	x.follows = slices.Contains(s.Invariants, Invariant(NobodyStarves{}))
	return x, err
}

// proceed looks at so many more states.
func (x *search) proceed(ctx context.Context, most int) error {
	defer x.measure()
	for range most {
		if x.at == x.next {
			x.deepen()
		}
		if x.verdict.Ending != "" {
			return nil
		}
		if err := x.expand(ctx, x.at); err != nil || x.verdict.Ending != "" {
			return err
		}
		x.at++
	}
	return nil
}

// deepen begins with the states that one more choice leads to.
func (x *search) deepen() {
	if int(x.next) == x.table.len() {
		if x.follows {
			x.starve()
		}
		if x.verdict.Ending == "" {
			x.end(Holds)
		}
		return
	}
	x.verdict.Depth = len(x.verdict.Levels)
	x.next = uint32(x.table.len())
	x.verdict.Levels = append(x.verdict.Levels, int(x.next-x.at))
	if x.bounds.Depth > 0 && x.verdict.Depth >= x.bounds.Depth {
		x.stop(DepthBound)
	}
}

func (x *search) stop(b Bound) {
	x.verdict.Stopped = b
	x.end(Stops)
}

func (x *search) end(how Ending) {
	x.verdict.Ending = how
	x.verdict.Sometimes = x.seen.list()
	x.measure()
}

func (x *search) measure() {
	x.verdict.States, x.verdict.Bytes, x.verdict.Casts = x.table.len(), x.size(), 0
	for _, a := range x.states.actors {
		x.verdict.Casts += len(a.living)
	}
}

// expand makes each choice that may happen in a state.
func (x *search) expand(ctx context.Context, state uint32) error {
	x.from = x.table.words(state, x.from[:0])
	choices, plain := x.plainChoices(x.from, x.choice[:0])
	if !plain {
		x.restore(x.from)
		choices = x.choices(x.choice[:0])
	}
	x.choice = choices
	if x.has(state) {
		choices = slices.DeleteFunc(choices, func(c uint16) bool { return c == theTick })
	}
	return x.makeAll(ctx, x.from, state, choices)
}

// choices are those that may be made in the world as it is.
func (x *search) choices(cs []uint16) []uint16 {
	w := x.states.world
	for _, t := range w.threads {
		if x.ready(t) {
			cs = append(cs, x.number(Choice{Kind: Run, Target: t.name}))
		}
	}
	cs = x.ticks(cs)
	for _, c := range w.besides() {
		if _, affordable := x.left.spend(c.Kind); affordable && w.reason(c).Code == "" {
			cs = append(cs, x.number(c))
		}
	}
	return cs
}

// breaks ends the search with a schedule.
func (x *search) breaks(from uint32, c Choice, step *Step) {
	x.verdict.Violation = &step.Broken[0]
	x.verdict.Schedule = append(x.way(from), c)
	x.verdict.Depth++
	x.end(Breaks)
}

// way is the shortest schedule that leads to a state.
func (x *search) way(to uint32) []Choice {
	var schedule []Choice
	for ; to > 0; to = x.table.parents[to] {
		schedule = append(schedule, x.kinds[x.table.choices[to]])
	}
	slices.Reverse(schedule)
	return schedule
}
