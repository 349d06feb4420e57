package engine

import (
	"slices"
	"time"
)

// What the clock does to one actor depends on its own lane, as long as nobody is paused and nothing
// is on its way: so a move of the clock can be put together from what it was seen to do to each of them.

// isPlain tells whether only actors and the clock can change anything.
func (r *rest) isPlain() bool {
	for _, p := range r.processes {
		m := p.machine
		m.crashed, m.clock = false, 0 // lanes tell who has crashed, and no timer follows the clock of a process
		if m != (machine{name: p.name}) {
			return false
		}
	}
	for i, v := range r.servers {
		if v.machine != (machine{name: v.name}) || v.stale || v.saved != nil || len(v.queue) > 0 || len(r.inboxes[i]) > 0 || r.late[i] != 0 {
			return false
		}
	}
	return len(r.cuts) == 0 && len(r.watches) == 0
}

// outlook is what may happen in a lane of an actor that has a process of its own.
type outlook struct {
	ready []uint16 // choices
	due   Instant  // when the first of its timers ends
	waits bool     // there is one
	timed bool     // time changes the lane
}

func (s *states) look(l *lane) outlook {
	o := outlook{due: lastInstant}
	for i := range l.threads {
		t := &l.threads[i]
		receive, receives := t.next.(Receive)
		takes := receives && slices.ContainsFunc(l.mail, func(d Delivery) bool {
			return d.Process == t.process && d.Node == receive.Node && d.Channel == receive.Channel
		})
		if _, sends := toNode(t.next); sends && t.sent == nil || takes {
			o.ready = append(o.ready, s.number(Choice{Kind: Run, Target: t.name}))
		}
		o.timed = o.timed || t.until != NoDeadline
		if t.until != NoDeadline && !takes && t.until <= o.due {
			o.due, o.waits = t.until, true
		}
	}
	return o
}

// plain tells whether only actors and the clock can change anything in a state.
func (x *search) plain(from []uint64) bool {
	s := x.states
	if !x.local.alone || len(s.clocks) > 0 || x.bounds.Grid > 0 || !s.rests[from[s.restAt()]].plain {
		return false
	}
	for i, word := range s.lanesOf(from) {
		if s.lanes[i][word].sent {
			return false
		}
	}
	return true
}

// plainChoices are the choices of a plain state in which no fault may happen.
func (x *search) plainChoices(from []uint64, cs []uint16) ([]uint16, bool) {
	s := x.states
	if !x.plain(from) || s.rests[from[s.restAt()]].left != (budget{}) {
		return cs, false
	}
	for i, word := range s.lanesOf(from) {
		cs = append(cs, s.lanes[i][word].ready...)
	}
	return x.plainTicks(from, cs), true
}

// plainTicks adds the move of the clock, if the assumption about time allows it.
func (x *search) plainTicks(from []uint64, cs []uint16) []uint16 {
	due, ok := x.due(from)
	if ok && (due == 0 || !x.hurry(from)) {
		cs = append(cs, theTick)
	}
	return cs
}

// hurry tells whether somebody must act before any time passes.
func (x *search) hurry(from []uint64) bool {
	if x.bounds.Time.Any {
		return false
	}
	s := x.states
	for i, word := range s.lanesOf(from) {
		if l := &s.lanes[i][word]; len(l.ready) > 0 && (x.bounds.Time.Sync || l.moment != x.began[i]) {
			return true
		}
	}
	return false
}

// due is how long it takes in a plain state until a key expires or somebody wakes.
func (x *search) due(from []uint64) (span time.Duration, ok bool) {
	s := x.states
	span = lastInstant
	for i := range s.nodes {
		if m := s.nodes[i].moments[from[i]]; m.waits && m.due <= span {
			span, ok = max(m.due, 0), true
		}
	}
	for i, word := range s.lanesOf(from) {
		if l := &s.lanes[i][word]; l.waits && l.due <= span {
			span, ok = l.due, true
		}
	}
	return span, ok
}

// tickAgain moves the clock of a plain state, if it is known what that does to each node and
// each actor.
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

// tickNodes has time pass on all nodes, if it is known what they do then, and nobody else hears
// of it.
func (x *search) tickNodes(words []uint64, due time.Duration) (expires, ok bool) {
	for i, n := range x.states.nodes {
		m := n.moments[words[i]]
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

// learnTick remembers what a move of the clock has done to each actor, unless that is
// something that others can see.
func (x *search) learnTick(from []uint64) {
	s, words := x.states, x.words
	same := slices.Equal(from[s.restAt():], words[s.restAt():])
	if !same || !x.plain(from) || x.entered {
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
				l.later = map[Instant]uint32{}
			}
			l.later[due] = uint32(s.lanesOf(words)[i])
		}
	}
}
