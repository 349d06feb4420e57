package engine

import (
	"encoding/binary"
	"slices"
	"time"
)

// What the clock does to one actor depends on its own lane alone, as long as nobody is paused,
// no message waits and nothing is on its way: so a move of the clock can be put together from
// what it was seen to do to each of them.

// laneTick is what a move of the clock changes in a lane in which it wakes somebody.
type laneTick struct {
	lane   uint64
	timers []uint64
}

// isPlain tells whether only actors and the clock can change anything.
func (r *rest) isPlain() bool {
	for _, p := range r.processes {
		if p.paused {
			return false
		}
	}
	for i, v := range r.servers {
		if v.paused || v.crashed || v.stale || v.saved != nil || v.clock != 0 || len(v.queue) > 0 || len(r.inboxes[i]) > 0 || r.late[i] != 0 {
			return false
		}
	}
	return len(r.cuts) == 0 && len(r.mail) == 0 && len(r.watches) == 0
}

// plain is the rest of a state in which only actors and the clock can change anything.
func (x *search) plain(from []uint64) (*rest, bool) {
	s := x.states
	r := &s.rests[from[len(s.nodes)+len(s.actors)]]
	if !x.local.alone || s.dated || x.bounds.Grid > 0 || !r.plain {
		return nil, false
	}
	for i, word := range from[len(s.nodes) : len(s.nodes)+len(s.actors)] {
		if s.lanes[i][word].sent {
			return nil, false
		}
	}
	return r, true
}

// plainChoices are the choices of a plain state in which no fault may happen.
func (x *search) plainChoices(from []uint64, cs []Choice) ([]Choice, bool) {
	r, ok := x.plain(from)
	if !ok || r.left != (budget{}) {
		return nil, false
	}
	s := x.states
	for i, word := range from[len(s.nodes) : len(s.nodes)+len(s.actors)] {
		cs = append(cs, s.lanes[i][word].ready...)
	}
	return x.plainTicks(from, cs), true
}

// plainTicks adds the move of the clock, if the assumption about time allows it.
func (x *search) plainTicks(from []uint64, cs []Choice) []Choice {
	due, ok := x.due(from)
	if ok && (due == 0 || !x.hurry(from)) {
		cs = append(cs, Choice{Kind: Tick})
	}
	return cs
}

// hurry tells whether somebody must act before any time passes.
func (x *search) hurry(from []uint64) bool {
	if x.bounds.Time.Any {
		return false
	}
	s := x.states
	for i, word := range from[len(s.nodes) : len(s.nodes)+len(s.actors)] {
		l := &s.lanes[i][word]
		if len(l.ready) > 0 && (x.bounds.Time.Sync || l.moment != x.began[i]) {
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
	for _, word := range from[s.timersAt():] {
		if at := time.Duration(word) * time.Millisecond; at <= span {
			span, ok = at, true
		}
	}
	return span, ok
}

// tickAgain moves the clock of a plain state, if it is known what that does to each node and
// each actor.
func (x *search) tickAgain(from []uint64, state uint32) (to uint32, known bool) {
	r, ok := x.plain(from)
	if !ok || x.local.looksAtKeys || x.local.idle && len(r.wanted) > 0 {
		return 0, false
	}
	s := x.states
	due, _ := x.due(from)
	words := append(x.local.words[:0], from[:s.timersAt()]...)
	expires := false
	for i := range s.nodes {
		m := s.nodes[i].moments[from[i]]
		if !m.waits {
			continue
		}
		move := m.spans[due]
		if move == nil || len(move.result.Delivered) > 0 || len(move.result.Answered) > 0 {
			return 0, false
		}
		words[i] = uint64(move.to)
		expires = expires || len(move.result.Expired) > 0
	}
	timers := from[s.timersAt():]
	for i := range s.actors {
		lane := from[len(s.nodes)+i]
		mine := timers[:s.lanes[i][lane].timers]
		timers = timers[len(mine):]
		if !wakes(mine, due) {
			for _, word := range mine {
				words = append(words, word-uint64(due/time.Millisecond))
			}
			continue
		}
		x.tickKey(i, lane, mine, due)
		tick, known := x.local.ticks[string(x.local.key)]
		if !known {
			return 0, false
		}
		words[len(s.nodes)+i] = tick.lane
		words = append(words, tick.timers...)
	}
	x.local.words = words
	if x.local.goesOn && !s.somebodyRuns(words) {
		return 0, false
	}
	x.verdict.Transitions++
	x.seen.expires = x.seen.expires || expires
	return x.put(words, state, x.number(Choice{Kind: Tick})), true
}

func wakes(timers []uint64, due time.Duration) bool {
	return slices.ContainsFunc(timers, func(word uint64) bool { return time.Duration(word)*time.Millisecond <= due })
}

func (x *search) tickKey(actor int, lane uint64, timers []uint64, due time.Duration) {
	key := binary.AppendUvarint(x.local.key[:0], uint64(actor))
	key = binary.AppendUvarint(key, lane)
	key = binary.AppendUvarint(key, uint64(due/time.Millisecond))
	for _, word := range timers {
		key = binary.AppendUvarint(key, word)
	}
	x.local.key = key
}

// learnTick remembers what a move of the clock has done to those whom it woke, unless they
// did what others can see.
func (x *search) learnTick(from []uint64) {
	s, words := x.states, x.words
	rest := len(s.nodes) + len(s.actors)
	if _, ok := x.plain(from); !ok || x.entered || from[rest] != words[rest] {
		return
	}
	due, _ := x.due(from)
	for i := range s.actors {
		first, count := s.timersOf(from, i)
		if mine := from[first : first+count]; wakes(mine, due) {
			x.tickKey(i, from[len(s.nodes)+i], mine, due)
			first, count = s.timersOf(words, i)
			x.local.ticks[string(x.local.key)] = laneTick{words[len(s.nodes)+i], slices.Clone(words[first : first+count])}
		}
	}
}
