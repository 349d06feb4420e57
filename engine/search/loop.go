package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"lockstep/engine"
	"lockstep/engine/fact"
)

// edge is a transition between two states.
type edge struct {
	from, to uint32
	choice   uint32
}

const edgeBytes = 12

// loops looks for starvation in a search that has found all edges. Invariant: edges are ordered by from.
// waits, parts and members belong to one actor and one section at a time (divide).
type loops struct {
	*search
	first   []int      // the edges of state s are edges[first[s]:first[s+1]]
	waits   []bool     // by state: the actor wants the section there
	parts   []uint32   // by state: the number of its strongly connected part, from 1; 0: the actor does not wait there
	members [][]uint32 // by part, from number 1: its states in ascending order
}

// starve ends a search with a schedule that somebody waits on for ever, if there is one: the way to a
// loop of states in all of which an actor wants a section. The loop is weakly fair: a choice that can be
// made in all its states is made in it, and time passes in it unless nothing is due. So threads run,
// and paused, crashed or cut machines recover. A loop has no fault: each takes from the budget, and no
// choice gives back. Of all parts with such a loop, the one found first wins: its way is the shortest.
func (x *search) starve() {
	slices.SortStableFunc(x.edges, func(a, b edge) int { return cmp.Compare(a.from, b.from) })
	l := &loops{search: x, first: make([]int, x.table.len()+1)}
	for _, e := range x.edges {
		l.first[e.from+1]++
	}
	for i := range x.table.len() {
		l.first[i+1] += l.first[i]
	}
	var best []uint32
	var who engine.Holding
	for _, h := range l.waiters() {
		l.divide(h)
		for _, part := range l.members {
			if (best == nil || part[0] < best[0]) && l.fair(part) {
				best, who = part, h
			}
		}
	}
	if best == nil {
		return
	}
	l.divide(who)
	round := l.round(best[0])
	x.verdict.Schedule = append(x.way(best[0], engine.Choice{}), round...)
	x.verdict.Loop = len(round)
	x.starving, x.found = who, best[0]
	x.verdict.Violation = &engine.Violation{Invariant: NobodyStarves{}.Name(), Detail: fact.Of("nobody-starves", who.Actors[0], who.Section)}
	x.end(Breaks)
}

// waiters are all pairs of a section and one actor that wants it in some state.
func (l *loops) waiters() []engine.Holding {
	var all []engine.Holding
	for _, w := range l.states.wanted {
		for _, h := range w.holdings {
			for _, a := range h.Actors {
				if !slices.ContainsFunc(all, func(o engine.Holding) bool { return o.Section == h.Section && o.Actors[0] == a }) {
					all = append(all, engine.Holding{Section: h.Section, Actors: []string{a}})
				}
			}
		}
	}
	return all
}

func (l *loops) edges(state uint32) []edge {
	return l.search.edges[l.first[state]:l.first[state+1]]
}

// divide finds the strongly connected parts of the states in which an actor wants a section
// (Tarjan, without recursion).
func (l *loops) divide(who engine.Holding) {
	l.mark(who)
	n := l.table.len()
	index, low := make([]uint32, n), make([]uint32, n) // index 0: not seen
	l.parts, l.members = make([]uint32, n), nil
	var stack []uint32
	type frame struct {
		state uint32
		next  int // edge
	}
	seen := uint32(0)
	for root := range uint32(n) {
		if !l.waits[root] || index[root] != 0 {
			continue
		}
		var calls []frame
		enter := func(state uint32) {
			seen++
			index[state], low[state] = seen, seen
			stack, calls = append(stack, state), append(calls, frame{state, l.first[state]})
		}
		enter(root)
		for len(calls) > 0 {
			at := &calls[len(calls)-1]
			if at.next < l.first[at.state+1] {
				to := l.search.edges[at.next].to
				at.next++
				switch {
				case !l.waits[to] || l.parts[to] != 0:
				case index[to] == 0:
					enter(to)
				default:
					low[at.state] = min(low[at.state], index[to])
				}
				continue
			}
			state := at.state
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				above := calls[len(calls)-1].state
				low[above] = min(low[above], low[state])
			}
			if low[state] == index[state] {
				from := len(stack) - 1
				for stack[from] != state {
					from--
				}
				l.part(slices.Clone(stack[from:]))
				stack = stack[:from]
			}
		}
	}
}

func (l *loops) part(members []uint32) {
	slices.Sort(members)
	l.members = append(l.members, members)
	for _, state := range members {
		l.parts[state] = uint32(len(l.members))
	}
}

// mark fills in waits.
func (l *loops) mark(who engine.Holding) {
	wants := make([]bool, len(l.states.wanted))
	for i, w := range l.states.wanted {
		wants[i] = slices.ContainsFunc(w.holdings, func(h engine.Holding) bool {
			return h.Section == who.Section && slices.Contains(h.Actors, who.Actors[0])
		})
	}
	l.waits = make([]bool, l.table.len())
	for state := range l.waits {
		l.from = l.table.words(uint32(state), l.from[:0])
		l.waits[state] = wants[l.from[l.states.restAt()+1]]
	}
}

// must tells whether weak fairness covers a choice. It covers neither ticks (see passes) nor faults.
func (l *loops) must(choice uint32) bool {
	kind := l.kinds[choice].Kind
	return kind != engine.Tick && !kind.Costs()
}

// fair tells whether a part lets its actor starve: it has a weakly fair loop, or it is a dead end but for faults.
func (l *loops) fair(part []uint32) bool {
	inner, ticks, leads := false, false, false // there is an edge within the part; a tick within it; any edge but faults
	enabled, made := map[uint32]int{}, map[uint32]bool{}
	for _, state := range part {
		for _, e := range l.edges(state) {
			kind := l.kinds[e.choice].Kind
			leads = leads || !kind.Costs() && (kind != engine.Tick || !l.still(state)) // a tick where nothing is due leads nowhere
			if l.must(e.choice) {
				enabled[e.choice]++
			}
			if l.parts[e.to] == l.parts[state] {
				inner, made[e.choice] = true, true
				ticks = ticks || kind == engine.Tick
			}
		}
	}
	for choice, n := range enabled {
		if n == len(part) && !made[choice] {
			return false
		}
	}
	return !leads || inner && (ticks || slices.ContainsFunc(part, l.still))
}

func (l *loops) still(state uint32) bool {
	l.from = l.table.words(state, l.from[:0])
	l.restore(l.from)
	_, due := l.states.world.NextDue()
	return !due
}

// round is a weakly fair loop from a state within its part: it goes to the nearest obligation until none
// is open, then back. Not always the shortest. nil: nothing but faults leads on from there.
func (l *loops) round(start uint32) []engine.Choice {
	var round []engine.Choice
	open := map[uint32]bool{}
	for _, e := range l.edges(start) {
		if l.must(e.choice) {
			open[e.choice] = true
		}
	}
	time := !l.still(start)
	at := start
	for {
		way := l.nearest(at, func(e edge) bool {
			if len(open) == 0 && !time {
				return e.to == start
			}
			return open[e.choice] || time && l.passes(e) || l.closes(open, e.to)
		})
		if len(way) == 0 {
			return nil
		}
		done := len(open) == 0 && !time
		for _, e := range way {
			round = append(round, l.kinds[e.choice])
			time = time && !l.passes(e)
			delete(open, e.choice)
			l.drop(open, e.to)
			at = e.to
		}
		if done || at == start && len(open) == 0 && !time {
			return round
		}
	}
}

// passes tells whether an edge meets the obligation that time passes: it is a tick, or leads to where
// nothing is due.
func (l *loops) passes(e edge) bool { return l.kinds[e.choice].Kind == engine.Tick || l.still(e.to) }

// closes tells whether a state frees the loop from an open choice, because it cannot be made there.
func (l *loops) closes(open map[uint32]bool, state uint32) bool {
	can := 0
	for _, e := range l.edges(state) {
		if open[e.choice] {
			can++
		}
	}
	return can < len(open)
}

// drop removes from open the choices that cannot be made in a state.
func (l *loops) drop(open map[uint32]bool, state uint32) {
	for choice := range open {
		if !slices.ContainsFunc(l.edges(state), func(e edge) bool { return e.choice == choice }) {
			delete(open, choice)
		}
	}
}

// nearest is a shortest way within a part whose last edge satisfies last; nil: there is none.
func (l *loops) nearest(start uint32, last func(edge) bool) []edge {
	by := map[uint32]edge{}
	queue := []uint32{start}
	for len(queue) > 0 {
		state := queue[0]
		queue = queue[1:]
		for _, e := range l.edges(state) {
			if l.parts[e.to] != l.parts[start] {
				continue
			}
			if last(e) {
				way := []edge{e}
				for ; e.from != start; way = append(way, e) {
					e = by[e.from]
				}
				slices.Reverse(way)
				return way
			}
			if _, known := by[e.to]; !known && e.to != start {
				by[e.to] = e
				queue = append(queue, e.to)
			}
		}
	}
	return nil
}

// NobodyStarves is the rule that whoever wants a section gets inside eventually. No step breaks it: a
// loop of states does that can go on for ever, or a state after which nothing has to happen. So only a
// search can judge it.
type NobodyStarves struct{}

// Name is what lessons call the rule.
func (NobodyStarves) Name() string { return engine.StarvesRule }

// Check finds nothing, as no step breaks the rule.
func (NobodyStarves) Check(*engine.Snapshot, *engine.Step) ([]engine.Violation, error) {
	return nil, nil
}

// Starves tells whether it is NobodyStarves that breaks.
func (v *Verdict) Starves() bool {
	return v.Violation != nil && v.Violation.Invariant == NobodyStarves{}.Name()
}

// replayLoop plays the schedule of the verdict on the scenario's own nodes, and fails unless the
// starving actor wants its section there, too, all the way round.
func (x *search) replayLoop(ctx context.Context, s engine.Scenario) error {
	_, trace, err := engine.Replay(ctx, bare(s), x.verdict.Schedule)
	if err != nil {
		return fmt.Errorf("the search does not agree with the world, and found %v: %w", x.verdict.Violation, err)
	}
	wants := func(h engine.Holding) bool {
		return h.Section == x.starving.Section && slices.Contains(h.Actors, x.starving.Actors[0])
	}
	for i := len(trace.Steps) - x.verdict.Loop; i <= len(trace.Steps); i++ {
		if !slices.ContainsFunc(trace.At(i).Wanted, wants) {
			return fmt.Errorf("the search does not agree with the world, and found %v: not after %d choices of %v", x.verdict.Violation, i, x.verdict.Schedule)
		}
	}
	return nil
}
