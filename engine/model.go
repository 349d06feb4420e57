package engine

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// Model is a world that a search drives (engine/search): it keeps no trace, and can be put
// into any state that it has been in. All that happens in it is the doing of the world.
//
// A state of a model has five parts: the instant, a Lane for each actor, the Rest, who waits
// for which section, and, outside of the model, what its nodes hold and how far its actors'
// programs are. Of that last part the search takes care by itself, with nodes and actors of
// its own. Two states whose parts have the same keys (Parts) have the same future.
type Model struct {
	// Ends tells apart whether an actor finished, broke off or crashed. Only rules can ask for it: where
	// none does, states that differ in nothing else are one.
	Ends bool

	world *World
	pool  []*thread // of the world, all that Restore has made so far: it uses them again
}

// NewModel begins with the start of a scenario. Data of its nodes must be TimedData.
func NewModel(ctx context.Context, s Scenario) (*Model, error) {
	w, err := NewWorld(ctx, s)
	return &Model{world: w}, err
}

// Ready appends the names of the threads that may run, in the order of the picture.
func (m *Model) Ready(names []string) []string {
	for _, t := range m.world.threads {
		if m.world.status(t) == Ready {
			names = append(names, t.name)
		}
	}
	return names
}

// HasSent tells whether an actor or a task of it has sent a request whose reply it has not taken.
func (m *Model) HasSent(actor int) bool {
	return slices.ContainsFunc(m.world.ownThreads(actor), func(t *thread) bool { return t.sent != nil })
}

// Possible appends the choices that may be made now, without runs and moves of the clock. Only
// choices of kinds that are wanted are considered.
func (m *Model) Possible(cs []Choice, wanted func(ChoiceKind) bool) []Choice {
	for _, c := range m.world.besides() {
		if wanted(c.Kind) && m.world.reason(c).Code == "" {
			cs = append(cs, c)
		}
	}
	return cs
}

// Resolution is the shortest time that can pass.
func (m *Model) Resolution() time.Duration { return m.world.scenario.Resolution }

// NextDue is the instant of the next move of the clock; ok is false when nothing is due.
func (m *Model) NextDue() (at Instant, ok bool) { return m.world.nextDue() }

// Dormant appends how long it takes until each thing would be due that stands still: timers of paused
// processes, of requests in paused nodes, and of threads for which a message is there that another may take; deadlines on paused
// nodes and in data that nodes may load, and when a paused leader counts a replica no more. What is over already is not among them.
func (m *Model) Dormant(spans []time.Duration) []time.Duration {
	w := m.world
	add := func(at Instant) {
		if at > w.now && !slices.Contains(spans, at-w.now) {
			spans = append(spans, at-w.now)
		}
	}
	for _, t := range w.threads {
		if _, due := w.timer(t); !due && w.goesOn(t) && t.until != NoDeadline && (w.keeper(t).paused || w.hasRivals(t)) {
			add(t.until)
		}
	}
	for _, v := range w.servers {
		var timed []any
		if v.paused && !v.crashed {
			timed = append(timed, v.node)
			if at, silent := v.nextSilent(); silent {
				add(at)
			}
		}
		timed = append(timed, v.saved)
		for _, q := range v.queue {
			timed = append(timed, q.data)
		}
		for _, kept := range timed {
			if d, ok := kept.(Deadlines); ok {
				for _, at := range d.Deadlines() {
					add(at - v.clock)
				}
			}
		}
	}
	slices.Sort(spans)
	return spans
}

// Deadlines is a node or data in which things end, at instants of the node's clock.
type Deadlines interface{ Deadlines() []Instant }

// View writes the model as it is into a snapshot, except for what may happen next. It takes
// over the memory of the snapshot.
func (m *Model) View(ctx context.Context, s *Snapshot) {
	_ = m.world.snapshot(ctx, s) // a node in memory has no errors
	m.world.describeNodes(s)
}

// Happen makes the choice of a step, which must be possible, and fills the step in, except for
// what may happen next and what it breaks. After an error the model must be restored.
func (m *Model) Happen(ctx context.Context, before *Snapshot, step *Step) error {
	step.From = m.world.now
	if err := m.world.happen(ctx, step.Choice, step); err != nil {
		return err
	}
	return m.world.observe(ctx, before, step)
}

// Judge fills in what a step breaks, as if nothing had been broken before it.
func (m *Model) Judge(before *Snapshot, step *Step) error {
	m.world.standing = nil
	return m.world.judge(before, step)
}

// Parts are the keys of a model's state: texts that nobody reads.
type Parts struct {
	Lanes   [][]byte // of each actor
	Over    []bool   // of each actor: no thread of it goes on, so how far its program was no longer counts
	Rest    []byte
	Delayed bool      // requests wait for a node that is paused, also of threads that have given up
	Wanted  []Holding // who waits for which section, in the order of sections; it is the model's own, and changes with it
}

// Parts writes the keys of the state, and takes over the memory of those that p has. It brings
// the model into normal form, so it must come before Lane and Rest, and once after each step.
func (m *Model) Parts(ctx context.Context, p *Parts) {
	w := m.world
	w.age(ctx)
	w.renumber()
	slices.SortFunc(w.wanted, func(a, b Holding) int { return cmp.Compare(a.Section, b.Section) })
	actors := len(w.scenario.Actors)
	p.Lanes, p.Over = slices.Grow(p.Lanes, actors)[:actors], slices.Grow(p.Over, actors)[:actors]
	for i := range actors {
		threads := w.ownThreads(i)
		p.Over[i] = !slices.ContainsFunc(threads, w.goesOn)
		p.Lanes[i] = m.laneKey(p.Lanes[i][:0], i, threads, p.Over[i])
	}
	p.Rest, p.Wanted = w.restKey(p.Rest[:0]), w.wanted
	p.Delayed = slices.ContainsFunc(w.servers, func(s *server) bool { return len(s.inbox) > 0 })
}

// Restore puts the model into a state, of which the caller has restored the nodes and the
// actors' programs.
func (m *Model) Restore(now Instant, lanes []*Lane, rest *Rest, wanted []Holding) {
	w := m.world
	w.now = now
	used := 0
	w.threads, w.mail = w.threads[:0], w.mail[:0]
	for _, l := range lanes {
		for i := range l.threads {
			if used == len(m.pool) {
				m.pool = append(m.pool, new(thread))
			}
			l.threads[i].restore(m.pool[used], now)
			w.threads = append(w.threads, m.pool[used])
			used++
		}
		w.mail = append(w.mail, l.Mail...)
	}
	w.restoreRest(rest)
	w.wanted = append(w.wanted[:0], wanted...)
}
