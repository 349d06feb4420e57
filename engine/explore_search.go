package engine

import (
	"context"
	"errors"
	"slices"
	"time"
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
	kinds   []Choice       // all choices that were made, by number
	numbers map[Choice]uint16
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

	words, from []uint64
	choice      []Choice
	entered     bool // somebody entered a section in the last step
	wasReady    map[*thread]Instant
}

// errDated says that a program has looked at its clock, so that the search must begin
// anew with the clock as a part of its states.
var errDated = errors.New("a program looks at its clock")

func newSearch(ctx context.Context, s Scenario, b Bounds, dated bool) (*search, error) {
	x := &search{bounds: b, table: newTable(), actorOf: map[string]int{}, numbers: map[Choice]uint16{}, wasReady: map[*thread]Instant{}}
	x.verdict.Dated = dated
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
	x.states = newStates(w, actors, nodes, dated)
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
	if plain {
		x.choice = choices
	} else {
		x.restore(x.from)
		choices = x.choices()
	}
	if x.has(state) {
		choices = slices.DeleteFunc(choices, func(c Choice) bool { return c.Kind == Tick })
	}
	return x.makeAll(ctx, x.from, state, choices)
}

// makeAll makes choices in a state. What the clock moves on to after it was moved counts as one
// choice.
func (x *search) makeAll(ctx context.Context, from []uint64, state uint32, choices []Choice) error {
	var before *Snapshot
	for _, c := range choices {
		to, known := x.again(from, state, c)
		if !known {
			var err error
			if before == nil {
				before, err = x.recall(ctx, from)
			} else {
				x.restore(from)
			}
			if err != nil {
				return err
			}
			to, err = x.make(ctx, before, state, c)
			if err != nil || x.verdict.Ending != "" {
				return err
			}
			x.learn(from, c)
		}
		if x.verdict.Ending != "" {
			return nil
		}
		if c.Kind == Tick {
			if err := x.tickOn(ctx, to); err != nil || x.verdict.Ending != "" {
				return err
			}
		}
	}
	return nil
}

// tickOn moves the clock on from a state that was reached by a move of the clock: both
// count as one choice.
func (x *search) tickOn(ctx context.Context, state uint32) error {
	if state < x.next || x.has(state) {
		return nil
	}
	for len(x.ticked) <= int(state) {
		x.ticked = append(x.ticked, false)
	}
	x.ticked[state] = true
	from := x.table.words(state, nil)
	if r, plain := x.plain(from); plain {
		return x.makeAll(ctx, from, state, x.plainTicks(from, r, nil))
	}
	x.restore(from)
	return x.makeAll(ctx, from, state, x.ticks(nil))
}

func (x *search) has(state uint32) bool { return int(state) < len(x.ticked) && x.ticked[state] }

// restore makes the world what it was in a state.
func (x *search) restore(words []uint64) {
	w := x.states.world
	rest := x.states.restore(words)
	x.left = x.states.left
	x.late = x.late[:0]
	for _, t := range w.threads {
		late := Instant(0)
		if x.bounds.Time.Late > 0 && x.ready(t) {
			late, rest = Instant(rest[0])*time.Millisecond, rest[1:]
		}
		x.late = append(x.late, late)
	}
}

// recall restores a state and looks at it.
func (x *search) recall(ctx context.Context, words []uint64) (*Snapshot, error) {
	x.restore(words)
	before, err := x.states.world.snapshot(ctx)
	if err == nil {
		x.states.world.describeNodes(before)
	}
	return before, err
}

// choices are those that may be made in the world as it is.
func (x *search) choices() []Choice {
	w := x.states.world
	var cs []Choice
	for _, t := range w.threads {
		if x.ready(t) {
			cs = append(cs, Choice{Kind: Run, Target: t.name})
		}
	}
	cs = x.ticks(cs)
	for _, o := range w.options() {
		if _, affordable := x.left.spend(o.Choice.Kind); o.Choice.Kind.IsFault() && affordable && o.Enabled() {
			cs = append(cs, o.Choice)
		}
	}
	return cs
}

// ticks adds the moves of the clock that the assumption about time allows.
func (x *search) ticks(cs []Choice) []Choice {
	w := x.states.world
	due, ok := w.nextDue()
	room, span := x.mayPass(), due-w.now
	if grid := x.bounds.Grid; grid > 0 && ok && grid < span && (room < 0 || grid <= room) {
		cs = append(cs, Choice{Kind: Tick, Span: grid})
	}
	if ok && (room < 0 || span <= room) {
		cs = append(cs, Choice{Kind: Tick})
	}
	return cs
}

// make has a choice happen in the world as it is, and adds the state that it leads to.
func (x *search) make(ctx context.Context, before *Snapshot, from uint32, c Choice) (to uint32, err error) {
	w := x.states.world
	x.left, _ = x.left.spend(c.Kind)
	x.noteReady()
	step := &Step{Choice: c, From: w.now}
	if err := w.happen(ctx, c, step); err != nil {
		return 0, err
	}
	if err := w.observe(ctx, before, step); err != nil {
		return 0, err
	}
	if err := x.failed(); err != nil {
		return 0, err
	}
	x.verdict.Transitions++
	x.entered = slices.ContainsFunc(step.Notes, func(n Note) bool { return n.Kind == NoteEnter || n.Kind == NoteReenter })
	x.stepReady(step)
	x.seen.look(before, step)
	step.After.Options = x.options(&step.After)
	w.standing = nil
	if err := w.judge(before, step); err != nil {
		return 0, err
	}
	if len(step.Broken) > 0 {
		x.breaks(from, c, step)
		return 0, nil
	}
	return x.add(from, x.number(c))
}

// failed tells what the actors cannot tell themselves.
func (x *search) failed() error {
	for _, a := range x.states.actors {
		if a.failed != nil {
			return a.failed
		}
		if a.dated && !x.states.dated {
			return errDated
		}
	}
	return nil
}

// add saves the world as it is.
func (x *search) add(from uint32, choice uint16) (state uint32, err error) {
	w := x.states.world
	x.words, err = x.states.save(x.words[:0], x.left)
	if err != nil {
		return 0, err
	}
	if x.bounds.Time.Late > 0 {
		for i, t := range w.threads {
			if x.ready(t) {
				x.words = append(x.words, uint64(x.late[i]/time.Millisecond))
			}
		}
	}
	return x.put(x.words, from, choice), nil
}

// put finds or adds a state.
func (x *search) put(words []uint64, from uint32, choice uint16) (state uint32) {
	state, fresh := x.table.add(words, from, choice)
	if x.follows {
		x.edges = append(x.edges, edge{from, state, choice})
	}
	if fresh && x.bounds.States > 0 && x.table.len() > x.bounds.States {
		x.stop(StatesBound)
	}
	if fresh && x.bounds.Bytes > 0 && state%1024 == 0 && x.size() > x.bounds.Bytes {
		x.stop(BytesBound)
	}
	return state
}

func (x *search) size() int { return x.table.size() + edgeBytes*cap(x.edges) }

// noteReady and stepReady follow how long each thread has been ready.
func (x *search) noteReady() {
	if x.bounds.Time.Late == 0 {
		return
	}
	clear(x.wasReady)
	for i, t := range x.states.world.threads {
		if x.ready(t) && (x.bounds.Time.Sync || !x.arrives(t)) {
			x.wasReady[t] = x.late[i]
		}
	}
}

func (x *search) stepReady(step *Step) {
	w := x.states.world
	x.late = x.late[:0]
	for _, t := range w.threads {
		late, was := x.wasReady[t]
		if was && x.ready(t) && step.Choice.Target != t.name {
			late += step.At - step.From
		} else {
			late = 0
		}
		x.late = append(x.late, late)
	}
}

func (x *search) number(c Choice) uint16 {
	n, known := x.numbers[c]
	if !known {
		n = uint16(len(x.kinds))
		x.numbers[c] = n
		x.kinds = append(x.kinds, c)
	}
	return n
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
