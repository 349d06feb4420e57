package search

import (
	"cmp"
	"slices"

	"lockstep/engine"
	"lockstep/engine/fact"
)

// edge is a transition: a choice in a state leads to a state.
type edge struct {
	from, to uint32
	choice   uint16
}

const edgeBytes = 12

// loops is a search that has found all edges, which are ordered by the states where they begin.
// waits, parts and members are about one actor that wants one section (divide).
type loops struct {
	*search
	first   []int      // of each state, the place of its first edge; one more for the end
	waits   []bool     // of each state: the actor wants the section in it
	parts   []uint32   // of each state that waits, the number of its strongly connected part, from 1
	members [][]uint32 // of each part, its states in their order
}

// starve ends a search with a schedule on which somebody waits for ever, if there is one: it leads
// to a loop of states in all of which an actor wants a section. The loop must be weakly fair: a
// choice that can be made in all its states is made in it, and time passes in it unless nothing is
// due. So threads run, and whatever is paused, crashed or cut recovers. There is no fault in a loop,
// as each takes something from the budget and no choice gives it back.
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
	x.verdict.Schedule = append(x.way(best[0]), round...)
	x.verdict.Loop = len(round)
	x.starving = who
	x.verdict.Violation = &engine.Violation{Invariant: NobodyStarves{}.Name(), Detail: fact.Of("nobody-starves", who.Actors[0], who.Section)}
	x.end(Breaks)
}

// waiters are all pairs of a section and an actor that wants it in a state.
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
	index, low := make([]uint32, n), make([]uint32, n) // 0: not seen
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

// mark finds the states in which an actor wants a section.
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
func (l *loops) must(choice uint16) bool {
	kind := l.kinds[choice].Kind
	return kind != engine.Tick && !kind.Costs()
}

// fair tells whether a part lets its actor starve: it has a weakly fair loop, or it is a dead end but for faults.
func (l *loops) fair(part []uint32) bool {
	inner, ticks, leads := false, false, false
	can, does := map[uint16]int{}, map[uint16]bool{}
	for _, state := range part {
		for _, e := range l.edges(state) {
			kind := l.kinds[e.choice].Kind
			leads = leads || !kind.Costs() && (kind != engine.Tick || !l.still(state)) // time by itself changes nothing where nothing is due
			if l.must(e.choice) {
				can[e.choice]++
			}
			if l.parts[e.to] == l.parts[state] {
				inner, does[e.choice] = true, true
				ticks = ticks || kind == engine.Tick
			}
		}
	}
	for choice, n := range can {
		if n == len(part) && !does[choice] {
			return false
		}
	}
	return !leads || inner && (ticks || slices.ContainsFunc(part, l.still))
}

// still tells whether nothing is due in a state.
func (l *loops) still(state uint32) bool {
	l.from = l.table.words(state, l.from[:0])
	l.restore(l.from)
	_, due := l.states.world.NextDue()
	return !due
}

// round is a short weakly fair loop in a part; nil: nothing but faults leads on from there.
func (l *loops) round(start uint32) []engine.Choice {
	var round []engine.Choice
	open := map[uint16]bool{}
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

// passes tells whether time passes on an edge, or nothing is due where it leads.
func (l *loops) passes(e edge) bool { return l.kinds[e.choice].Kind == engine.Tick || l.still(e.to) }

// closes tells whether one of the open choices cannot be made in a state, so that it need not be made.
func (l *loops) closes(open map[uint16]bool, state uint32) bool {
	can := 0
	for _, e := range l.edges(state) {
		if open[e.choice] {
			can++
		}
	}
	return can < len(open)
}

// drop takes the choices out of open that cannot be made in a state.
func (l *loops) drop(open map[uint16]bool, state uint32) {
	for choice := range open {
		if !slices.ContainsFunc(l.edges(state), func(e edge) bool { return e.choice == choice }) {
			delete(open, choice)
		}
	}
}

// nearest is the shortest way within a part that ends with an edge of a certain kind; nil: there is none.
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
