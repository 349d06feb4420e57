package search

import (
	"context"
	"errors"
	"slices"
	"time"

	"lockstep/engine"
)

// search looks at states in the order of how many choices lead to them. To look at one is to
// put the world into it and make each choice that may be made there.
type search struct {
	bounds  Bounds
	states  *states
	table   *table
	actorOf map[string]int    // by name
	looked  []map[string]bool // the clocks of each actor and of each node
	*choiceNumbers
	ticked  []bool          // of each state: the clock was moved from it already
	moved   map[uint32]edge // states that other choices led to first, with a move of the clock that leads there after no more choices
	at      uint32          // the state that is looked at next
	next    uint32          // the first state of the next level
	seen    sightings
	local   local
	idled   bool   // a state was met from which the clock could go on where nothing is due, with no moves for that left
	follows bool   // loops count, …
	edges   []edge // … so all edges are kept
	leases  bool   // no lock may be without a TTL

	starving engine.Holding // the first actor of it can wait for the section for ever
	found    uint32         // the state in which the choice that breaks a rule is made, or at which a loop begins …
	broke    engine.Choice  // … and that choice
	verdict  Verdict

	// The world as it is:
	left       budget
	late       []engine.Instant          // by thread of world.Ready: the time since it became ready; only if lateness is bounded
	lateBefore map[string]engine.Instant // late by name, before the current step
	before     engine.Snapshot           // of the state recalled last
	step       engine.Step               // made there last
	notes      []byte                    // of that step
	entered    bool                      // somebody entered a section in it
	closed     bool                      // a program or a task ended in it, and with it its connections

	words, from []uint64 // memory that is used again, as those below
	choice      []uint32
	ready       []string
	stops       []time.Duration
}

// errClock says that one more thread has looked at its clock: the search must begin anew, with
// the clock in all states in which that thread goes on.
var errClock = errors.New("a program looks at its clock")

// bare is a scenario without those who look on.
func bare(s engine.Scenario) engine.Scenario {
	s.Look, s.Positions, s.Watch, s.Reserve = nil, false, nil, nil
	return s
}

func newSearch(ctx context.Context, s engine.Scenario, b Bounds, clocks []string) (*search, error) {
	x := &search{bounds: b, table: &table{tuples: newTuples()}, actorOf: map[string]int{}, moved: map[uint32]edge{}, choiceNumbers: newChoiceNumbers(), lateBefore: map[string]engine.Instant{}}
	x.verdict.Clocks = clocks
	s = bare(s)
	turns := slices.ContainsFunc(s.Faults, func(c engine.Choice) bool { return c.Kind == engine.Clock })
	var nodes []*memoNode
	s.Nodes = slices.Clone(s.Nodes)
	for i, n := range s.Nodes {
		memo, err := newNodeMemo(ctx, n.Name, n.Node, !turns)
		if err != nil {
			return nil, err
		}
		x.looked = append(x.looked, memo.clocks)
		node := &memoNode{memo: memo}
		nodes, s.Nodes[i].Node = append(nodes, node), node.asNode()
	}
	var actors []*actorMemo
	s.Actors = slices.Clone(s.Actors)
	for i, a := range s.Actors {
		memo := newActorMemo(a, b.casts(len(s.Actors)))
		x.looked = append(x.looked, memo.clocks)
		actors, s.Actors[i].New = append(actors, memo), memo.actor
		x.actorOf[a.Name] = i
	}
	x.local = newLocal(s, b)
	s.Invariants = x.remember(s.Invariants)
	w, err := engine.NewModel(ctx, s)
	if err != nil {
		return nil, err
	}
	w.Ends = x.local.around
	x.states = newStates(w, actors, nodes, clocks, x.choiceNumbers)
	x.states.comparesRests = b.comparesRests()
	x.left = newBudget(b)
	for _, a := range actors {
		if first := a.moments[a.at]; first != nil {
			first.begins = true
		}
		if !b.Time.Any && !b.Time.Sync {
			clear(a.numbers) // whose program comes back to its first request has begun, and is at another moment
		}
	}
	x.seen.begin(s)
	return x, x.begin(ctx, s.Invariants)
}

func (x *search) begin(ctx context.Context, rules []engine.Invariant) error {
	x.states.world.View(ctx, &x.before)
	x.seen.start(&x.before)
	if x.bounds.Time.Late > 0 {
		x.late = make([]engine.Instant, len(x.readyNow()))
	}
	x.add(ctx, &x.before, 0, 0)
	x.follows = slices.Contains(rules, engine.Invariant(NobodyStarves{}))
	x.leases = slices.ContainsFunc(rules, func(r engine.Invariant) bool { return r.Name() == noBareLock })
	return x.judgeTheStart(ctx)
}

// judgeTheStart ends a search whose rules do not hold from the start: steps are judged, and the shortest
// one that leaves everything as it is is a move of the clock.
func (x *search) judgeTheStart(ctx context.Context) error {
	if x.mayPass(x.readyNow()) == 0 {
		return nil
	}
	w, step := x.states.world, engine.Step{Choice: engine.Choice{Kind: engine.Tick, Span: x.states.world.Resolution()}}
	if err := w.Happen(ctx, &x.before, &step); err != nil {
		return err
	}
	step.After.Options = x.options(&step.After)
	if err := w.Judge(&x.before, &step); err != nil || len(step.Broken) == 0 {
		return err
	}
	x.breaks(0, step.Choice, &step)
	return nil
}

// proceed looks at so many more states, or fewer when the search ends.
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

// deepen goes on to the states that are one choice farther away. If there are none, the search ends.
func (x *search) deepen() {
	if int(x.next) == x.table.len() {
		if x.follows {
			x.starve()
		}
		switch {
		case x.verdict.Ending != "":
		case x.idled:
			x.stop(IdleBound)
		default:
			x.end(Holds)
			x.verdict.Bare = x.bare()
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
	x.verdict.Sometimes, x.verdict.Scripts, x.verdict.Deleted = x.seen.list(), x.seen.scripts, x.seen.deleted
	x.verdict.Grid = x.bounds.Grid
	for _, n := range x.states.nodes {
		x.verdict.Rests = x.verdict.Rests || n.memo.rests
	}
	if len(x.states.clocks) > 0 || x.states.comparesRests {
		x.verdict.Idle = int(x.bounds.idle())
	}
	x.measure()
}

func (x *search) measure() {
	x.verdict.States, x.verdict.Bytes, x.verdict.Casts = x.table.len(), x.size(), 0
	for _, a := range x.states.actors {
		x.verdict.Casts += len(a.living)
	}
}

func (x *search) expand(ctx context.Context, state uint32) error {
	x.from = x.table.words(state, x.from[:0])
	choices, plain := x.plainChoices(x.from, x.choice[:0])
	if !plain {
		x.restore(x.from)
		choices = x.choices(x.choice[:0])
	}
	x.choice = choices
	if x.hasTicked(state) {
		choices = slices.DeleteFunc(choices, func(c uint32) bool { return x.kinds[c].Kind == engine.Tick })
	}
	return x.makeAll(ctx, x.from, state, choices)
}

func (x *search) choices(cs []uint32) []uint32 {
	ready := x.readyNow()
	for _, name := range ready {
		cs = append(cs, x.number(engine.Choice{Kind: engine.Run, Target: name}))
	}
	cs = x.ticks(cs, ready)
	for _, c := range x.states.world.Possible(nil, x.left.affords) {
		cs = append(cs, x.number(c))
	}
	return cs
}

// readyNow are the threads of the world that may run, until it is called again.
func (x *search) readyNow() []string {
	x.ready = x.states.world.Ready(x.ready[:0])
	return x.ready
}

func (x *search) breaks(from uint32, c engine.Choice, step *engine.Step) {
	x.found, x.broke = from, c
	x.verdict.Violation = &step.Broken[0]
	x.verdict.Schedule = append(x.way(from, c), c)
	x.verdict.Depth++
	x.end(Breaks)
}

// way is a schedule to a state in which a choice is made then: none is shorter. A move of the clock goes on with one before it,
// if as few choices lead to where that ends.
func (x *search) way(to uint32, then engine.Choice) []engine.Choice {
	var schedule []engine.Choice
	for to > 0 {
		e := edge{from: x.table.parents[to], choice: x.table.choices[to]}
		if by, moved := x.moved[to]; moved && then.Kind == engine.Tick {
			e = by
		}
		then = x.kinds[e.choice]
		schedule, to = append(schedule, then), e.from
	}
	slices.Reverse(schedule)
	return schedule
}
