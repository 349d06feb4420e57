package search

import (
	"context"
	"maps"
	"slices"
	"time"

	"lockstep/engine"
)

// level is a state in which choices are still to be made. Moves of the clock in a row count as one choice, so a level leads
// to others: on a fine grid to a hundred thousand in a row, which no stack of calls could hold.
type level struct {
	from     []uint64
	state    uint32
	choices  []uint32
	recalled bool // the world has looked at it last
}

// makeAll makes choices in a state, and moves the clock on where it was moved.
func (x *search) makeAll(ctx context.Context, from []uint64, state uint32, choices []uint32) error {
	levels := []level{{from: from, state: state, choices: choices}}
	for len(levels) > 0 {
		l := &levels[len(levels)-1]
		if len(l.choices) == 0 {
			levels = levels[:len(levels)-1]
			continue
		}
		c := l.choices[0]
		l.choices = l.choices[1:]
		to, err := x.makeOne(ctx, l, c)
		if err != nil || x.verdict.Ending != "" {
			return err
		}
		if x.kinds[c].Kind != engine.Tick || !x.ticksOn(to) {
			continue
		}
		if x.kinds[x.table.choices[to]].Kind != engine.Tick {
			x.moved[to] = edge{l.state, to, c}
		}
		l.recalled = false
		if len(l.choices) == 0 {
			levels = levels[:len(levels)-1]
		}
		levels = append(levels, x.nextLevel(to))
	}
	return nil
}

// makeOne makes a choice, from memory if it can.
func (x *search) makeOne(ctx context.Context, l *level, c uint32) (to uint32, err error) {
	if to, known := x.again(l.from, l.state, c); known {
		return to, nil
	}
	if l.recalled {
		x.restore(l.from)
	} else {
		x.recall(ctx, l.from)
	}
	l.recalled = true
	to, err = x.make(ctx, &x.before, l.state, c)
	if err == nil && x.verdict.Ending == "" {
		x.learn(l.from, c)
	}
	return to, err
}

// ticksOn tells whether the clock moves on from a state that a move of the clock has led to: not if the state
// was found on a level before, or this was done already.
func (x *search) ticksOn(state uint32) bool {
	if state < x.next || x.hasTicked(state) {
		return false
	}
	for len(x.ticked) <= int(state) {
		x.ticked = append(x.ticked, false)
	}
	x.ticked[state] = true
	return true
}

// nextLevel has the moves of the clock in a state.
func (x *search) nextLevel(state uint32) level {
	l := level{from: x.table.words(state, nil), state: state}
	if x.plain(l.from) {
		l.choices = x.plainTicks(l.from, nil)
		return l
	}
	x.restore(l.from)
	l.choices = x.ticks(nil, x.readyNow())
	return l
}

func (x *search) hasTicked(state uint32) bool { return int(state) < len(x.ticked) && x.ticked[state] }

// restore puts the world into a state.
func (x *search) restore(words []uint64) {
	late := x.states.restore(words)
	x.left = x.states.left
	x.late = x.late[:0]
	for _, span := range late {
		x.late = append(x.late, engine.Instant(span)*time.Millisecond)
	}
}

// recall puts the world into a state and looks at it: x.before.
func (x *search) recall(ctx context.Context, words []uint64) {
	x.restore(words)
	x.states.world.View(ctx, &x.before)
}

// make makes a choice in the world as it is, and adds the state that it leads to, unless it breaks
// a rule: then the search has ended, as it has when its context ends. A vain move of the clock leads nowhere.
func (x *search) make(ctx context.Context, before *engine.Snapshot, from uint32, number uint32) (to uint32, err error) {
	if ctx.Err() != nil { // on a fine grid, a single state can have the clock move on a hundred thousand times
		x.stop(CalledOff)
		return 0, nil
	}
	w, c := x.states.world, x.kinds[number]
	vain := len(x.states.clocks) > 0 && x.isVain(c)
	x.left, _ = x.left.spend(c.Kind)
	last := false
	if x.isIdle(c) {
		x.left.idle--
		last = x.left.idle == 0
	}
	x.noteReady()
	step := &x.step
	*step = engine.Step{
		Choice: c, Notes: step.Notes[:0], Changes: step.Changes[:0],
		After: engine.Snapshot{Nodes: step.After.Nodes, Actors: step.After.Actors, Options: step.After.Options[:0]},
	}
	if err := w.Happen(ctx, before, step); err != nil {
		return 0, err
	}
	if err := x.looksAtClock(); err != nil {
		return 0, err
	}
	x.verdict.Transitions++
	x.notes = x.notes[:0]
	for _, n := range step.Notes {
		x.notes = appendText(appendText(appendText(x.notes, n.Actor), string(n.Kind)), n.Text)
	}
	x.entered = slices.ContainsFunc(step.Notes, func(n engine.Note) bool { return n.Kind == engine.NoteEnter || n.Kind == engine.NoteReenter })
	x.closed = x.local.connected && slices.ContainsFunc(step.Notes, func(n engine.Note) bool {
		return n.Kind == engine.NoteDone || n.Kind == engine.NoteFailed || n.Kind == engine.NoteCancel
	})
	x.stepReady(step)
	x.seen.look(before, step)
	step.After.Options = x.options(&step.After)
	if err := w.Judge(before, step); err != nil {
		return 0, err
	}
	if len(step.Broken) > 0 {
		x.breaks(from, c, step)
		return 0, nil
	}
	if vain {
		return from, nil
	}
	to = x.add(ctx, &step.After, from, number)
	x.idled = x.idled || last && x.bounds.shortOfBeyond() && x.states.watched(x.words)
	return to, nil
}

// looksAtClock is errClock if a thread has looked at a clock for the first time.
func (x *search) looksAtClock() error {
	for _, looked := range x.looked {
		for thread := range looked {
			if !slices.Contains(x.states.clocks, thread) {
				return errClock
			}
		}
	}
	return nil
}

// clocks are the threads that have looked at a clock so far.
func (x *search) clocks() []string {
	all := slices.Clone(x.states.clocks)
	for _, looked := range x.looked {
		all = slices.AppendSeq(all, maps.Keys(looked))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// add finds or adds the state of the world as it is, whose snapshot is after.
func (x *search) add(ctx context.Context, after *engine.Snapshot, from uint32, choice uint32) (state uint32) {
	x.words = x.states.save(ctx, x.words[:0], x.left, after)
	for _, late := range x.late {
		x.words = append(x.words, uint64(late/time.Millisecond))
	}
	return x.put(x.words, from, choice)
}

// put finds or adds a state. It ends the search when that is one too many.
func (x *search) put(words []uint64, from uint32, choice uint32) (state uint32) {
	state, fresh := x.table.add(words, from, choice)
	if !fresh && x.verdict.Spins == "" && x.spins(from, state, choice) {
		x.verdict.Spins = x.kinds[choice].Target
	}
	if x.follows && (from != state || choice == theTick || x.kinds[choice].Kind != engine.Tick) { // time that changes nothing leads nowhere
		x.edges = append(x.edges, edge{from, state, choice})
	}
	if fresh && x.bounds.States > 0 && x.table.len() > x.bounds.States {
		x.stop(StatesBound)
	}
	if fresh && state%256 == 0 && (x.bounds.Bytes > 0 && x.size() > x.bounds.Bytes || x.bounds.Full != nil && x.bounds.Full()) {
		x.stop(BytesBound)
	}
	return state
}

// spins tells whether a choice of a thread leads back to where the thread set out, while nobody may be late: no time passes on the way.
func (x *search) spins(from, state uint32, choice uint32) bool {
	if x.kinds[choice].Kind != engine.Run || x.bounds.Time.Any || x.bounds.Time.Late > 0 {
		return false
	}
	for from > state && x.table.choices[from] == choice {
		from = x.table.parents[from]
	}
	return from == state
}

func (x *search) size() int { return x.table.size() + edgeBytes*(cap(x.edges)+2*len(x.moved)) }

// choiceNumbers are all choices that were met, by number.
type choiceNumbers struct {
	kinds   []engine.Choice
	numbers map[engine.Choice]uint32
}

// theTick is the number of the move of the clock to the next instant at which something is due.
const theTick = 0

func newChoiceNumbers() *choiceNumbers {
	n := &choiceNumbers{numbers: map[engine.Choice]uint32{}}
	n.number(engine.Choice{Kind: engine.Tick})
	return n
}

func (x *choiceNumbers) number(c engine.Choice) uint32 {
	n, known := x.numbers[c]
	if !known {
		n = uint32(len(x.kinds))
		x.numbers[c] = n
		x.kinds = append(x.kinds, c)
	}
	return n
}
