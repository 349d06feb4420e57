package search

import (
	"slices"
	"time"

	"lockstep/engine"
)

// As long as nobody is paused, no timer stays and nothing is on its way, a move of the clock changes each lane and
// each node without regard to the others. So it can be put together from moves that were made in other
// states. Such a state is plain.

// plain tells whether a state is plain, and the scenario and the bounds allow it to count.
func (x *search) plain(from []uint64) bool {
	s := x.states
	if !x.local.alone || len(s.clocks) > 0 || x.bounds.Grid > 0 || x.bounds.Before || !s.rests[from[s.restAt()]].plain {
		return false
	}
	for i, word := range s.lanesOf(from) {
		if l := &s.lanes[i][word]; l.sent || l.stays && x.bounds.Time.Any { // else whom the message has made ready acts before time passes
			return false
		}
	}
	return true
}

// plainChoices are the choices of a plain state in which no fault may happen; ok is false for
// other states.
func (x *search) plainChoices(from []uint64, cs []uint32) (all []uint32, ok bool) {
	s := x.states
	if !x.plain(from) || s.rests[from[s.restAt()]].left != (budget{}) {
		return cs, false
	}
	for i, word := range s.lanesOf(from) {
		cs = append(cs, s.lanes[i][word].ready...)
	}
	return x.plainTicks(from, cs), true
}

// plainTicks adds the move of the clock in a plain state, if the assumption about time allows it.
func (x *search) plainTicks(from []uint64, cs []uint32) []uint32 {
	due, ok := x.due(from)
	if ok {
		x.met(due)
	}
	if ok && (due == 0 || !x.hurry(from)) {
		cs = append(cs, theTick)
	}
	if !ok && x.local.idle && len(x.states.wanted[from[x.states.restAt()+1]].holdings) > 0 && !x.hurry(from) {
		cs = append(cs, x.tickBy(x.states.world.Resolution()))
	}
	return cs
}

// hurry tells whether somebody must act before any time passes, as the assumption about time has it.
func (x *search) hurry(from []uint64) bool {
	if x.bounds.Time.Any {
		return false
	}
	s := x.states
	for i, word := range s.lanesOf(from) {
		if l := &s.lanes[i][word]; len(l.ready) > 0 && (x.bounds.Time.Sync || !s.actors[i].moments[l.moment].begins) {
			return true
		}
	}
	return false
}

// due is how long it takes in a plain state until something expires or somebody wakes; ok is false
// when nothing does.
func (x *search) due(from []uint64) (span time.Duration, ok bool) {
	s := x.states
	span = engine.LastInstant
	for i := range s.nodes {
		if m := s.nodes[i].memo.moments[from[i]]; m.waits && m.due <= span {
			span, ok = max(m.due, 0), true
		}
	}
	for i, word := range s.lanesOf(from) {
		if l := &s.lanes[i][word]; l.due != engine.NoDeadline && l.due <= span {
			span, ok = l.due, true
		}
	}
	return span, ok
}

// tickAgain makes the move of the clock in a plain state from memory. known is false when it must
// be made in the world.
func (x *search) tickAgain(from []uint64, state uint32) (to uint32, known bool) {
	s := x.states
	if !x.plain(from) || x.local.looksAtKeys || x.local.idle && len(s.wanted[from[s.restAt()+1]].holdings) > 0 {
		return 0, false
	}
	due, _ := x.due(from)
	words := append(x.local.words[:0], from...)
	expires, ok := x.tickNodes(words, due)
	if !ok {
		return 0, false
	}
	for i, word := range s.lanesOf(from) {
		if l := &s.lanes[i][word]; l.timed {
			later, known := l.later[due]
			if !known {
				return 0, false
			}
			words[len(s.nodes)+i] = uint64(later)
		}
	}
	x.local.words = words
	if x.local.goesOn && !s.somebodyRuns(words) {
		return 0, false
	}
	x.verdict.Transitions++
	x.seen.expires = x.seen.expires || expires
	return x.put(words, state, theTick), true
}

// tickNodes writes the moments of nodes after some time into words. ok is false when one of them
// is not known, or an actor hears of it.
func (x *search) tickNodes(words []uint64, due time.Duration) (expires, ok bool) {
	for i, n := range x.states.nodes {
		m := n.memo.moments[words[i]]
		if !m.waits {
			continue
		}
		move := m.spans[due]
		if move == nil || len(move.result.Delivered) > 0 || len(move.result.Answered) > 0 {
			return false, false
		}
		words[i] = uint64(move.to)
		expires = expires || len(move.result.Expired) > 0
	}
	return expires, true
}

// learnTick remembers what a move of the clock has made of each lane, unless others, or nodes, could notice
// that an actor has woken.
func (x *search) learnTick(from []uint64) {
	s, words := x.states, x.words
	same := slices.Equal(from[s.restAt():], words[s.restAt():])
	if !same || !x.plain(from) || x.entered || x.closed {
		return
	}
	due, _ := x.due(from)
	x.local.key = append(x.local.key[:0], from...)
	if _, ok := x.tickNodes(x.local.key, due); !ok {
		return
	}
	for i, word := range s.lanesOf(from) {
		if l := &s.lanes[i][word]; l.timed {
			if l.later == nil {
				l.later = map[engine.Instant]uint32{}
			}
			l.later[due] = uint32(s.lanesOf(words)[i])
		}
	}
}
