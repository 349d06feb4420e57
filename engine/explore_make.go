package engine

import (
	"context"
	"maps"
	"slices"
	"time"
)

// makeAll makes choices in a state. What the clock moves on to after it was moved counts as one
// choice.
func (x *search) makeAll(ctx context.Context, from []uint64, state uint32, choices []uint16) error {
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
		if x.kinds[c].Kind == Tick {
			if err := x.tickOn(ctx, to); err != nil || x.verdict.Ending != "" {
				return err
			}
			before = nil // another state was looked at
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
	if x.plain(from) {
		return x.makeAll(ctx, from, state, x.plainTicks(from, nil))
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

// recall restores a state and looks at it. What it returns is good until the next one.
func (x *search) recall(ctx context.Context, words []uint64) (*Snapshot, error) {
	x.restore(words)
	if err := x.states.world.snapshot(ctx, &x.before); err != nil {
		return nil, err
	}
	x.states.world.describeNodes(&x.before)
	return &x.before, nil
}

// make has a choice happen in the world as it is, and adds the state that it leads to.
func (x *search) make(ctx context.Context, before *Snapshot, from uint32, number uint16) (to uint32, err error) {
	w, c := x.states.world, x.kinds[number]
	x.left, _ = x.left.spend(c.Kind)
	x.noteReady()
	step := &x.step
	*step = Step{
		Choice: c, From: w.now, Notes: step.Notes[:0], Changes: step.Changes[:0],
		After: Snapshot{Nodes: step.After.Nodes, Actors: step.After.Actors, Options: step.After.Options[:0]},
	}
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
	x.notes = x.notes[:0]
	for _, n := range step.Notes {
		x.notes = appendText(appendText(appendText(x.notes, n.Actor), string(n.Kind)), n.Text)
	}
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
	return x.add(from, number)
}

// failed tells what the actors cannot tell themselves.
func (x *search) failed() error {
	for _, a := range x.states.actors {
		if a.failed != nil {
			return a.failed
		}
		for thread := range a.clocks {
			if !slices.Contains(x.states.clocks, thread) {
				return errClock
			}
		}
	}
	return nil
}

// clocks are the threads that have looked at their clocks so far.
func (x *search) clocks() []string {
	all := slices.Clone(x.states.clocks)
	for _, a := range x.states.actors {
		all = slices.AppendSeq(all, maps.Keys(a.clocks))
	}
	slices.Sort(all)
	return slices.Compact(all)
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

// choiceNumbers are all choices that were made, by number.
type choiceNumbers struct {
	kinds   []Choice
	numbers map[Choice]uint16
}

// theTick is the number of the move of the clock to what is due.
const theTick = 0

func newChoiceNumbers() *choiceNumbers {
	n := &choiceNumbers{numbers: map[Choice]uint16{}}
	n.number(Choice{Kind: Tick})
	return n
}

func (x *choiceNumbers) number(c Choice) uint16 {
	n, known := x.numbers[c]
	if !known {
		n = uint16(len(x.kinds))
		x.numbers[c] = n
		x.kinds = append(x.kinds, c)
	}
	return n
}
