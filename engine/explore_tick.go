package engine

import (
	"encoding/binary"
	"slices"
	"time"
)

// What the clock does to one actor depends on its own lane and the messages that wait for it,
// as long as nobody is paused and nothing is on its way: so a move of the clock can be put together from
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
	return len(r.cuts) == 0 && len(r.watches) == 0
}

// outlook is what may happen in a lane while certain messages wait for it.
type outlook struct {
	ready []Choice
	still []bool // of each timer: its thread takes a message instead
}

// outlook is that of an actor's lane in a state with this rest.
func (s *states) outlook(actor int, lane uint64, r *rest) *outlook {
	l := &s.lanes[actor][lane]
	letters := r.letters[actor]
	for len(l.outlooks) <= letters {
		l.outlooks = append(l.outlooks, nil)
	}
	if l.outlooks[letters] == nil {
		o := &outlook{}
		for i := range l.threads {
			t := &l.threads[i]
			receive, receives := t.next.(Receive)
			takes := receives && slices.ContainsFunc(r.mail, func(d Delivery) bool {
				return d.Process == t.process && d.Node == receive.Node && d.Channel == receive.Channel
			})
			if _, sends := toNode(t.next); sends && t.sent == nil || takes {
				o.ready = append(o.ready, Choice{Kind: Run, Target: t.name})
			}
			if t.until != NoDeadline {
				o.still = append(o.still, takes)
			}
		}
		l.outlooks[letters] = o
	}
	return l.outlooks[letters]
}

// plain is the rest of a state in which only actors and the clock can change anything.
func (x *search) plain(from []uint64) (*rest, bool) {
	s := x.states
	r := &s.rests[from[len(s.nodes)+len(s.actors)]]
	if !x.local.alone || len(s.clocks) > 0 || x.bounds.Grid > 0 || !r.plain {
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
		cs = append(cs, s.outlook(i, word, r).ready...)
	}
	return x.plainTicks(from, r, cs), true
}

// plainTicks adds the move of the clock, if the assumption about time allows it.
func (x *search) plainTicks(from []uint64, r *rest, cs []Choice) []Choice {
	due, ok := x.due(from, r)
	if ok && (due == 0 || !x.hurry(from, r)) {
		cs = append(cs, Choice{Kind: Tick})
	}
	return cs
}

// hurry tells whether somebody must act before any time passes.
func (x *search) hurry(from []uint64, r *rest) bool {
	if x.bounds.Time.Any {
		return false
	}
	s := x.states
	for i, word := range from[len(s.nodes) : len(s.nodes)+len(s.actors)] {
		if len(s.outlook(i, word, r).ready) > 0 && (x.bounds.Time.Sync || s.lanes[i][word].moment != x.began[i]) {
			return true
		}
	}
	return false
}

// due is how long it takes in a plain state until a key expires or somebody wakes.
func (x *search) due(from []uint64, r *rest) (span time.Duration, ok bool) {
	s := x.states
	span = lastInstant
	for i := range s.nodes {
		if m := s.nodes[i].moments[from[i]]; m.waits && m.due <= span {
			span, ok = max(m.due, 0), true
		}
	}
	timers := from[s.timersAt():]
	for i, lane := range from[len(s.nodes) : len(s.nodes)+len(s.actors)] {
		if s.lanes[i][lane].timers == 0 {
			continue
		}
		for _, still := range s.outlook(i, lane, r).still {
			if at := time.Duration(timers[0]) * time.Millisecond; at <= span && !still {
				span, ok = at, true
			}
			timers = timers[1:]
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
	due, _ := x.due(from, r)
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
		if !s.outlook(i, lane, r).wakes(mine, due) {
			for _, word := range mine {
				words = append(words, word-min(word, uint64(due/time.Millisecond)))
			}
			continue
		}
		x.tickKey(i, lane, r, mine, due)
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

func (o *outlook) wakes(timers []uint64, due time.Duration) bool {
	for i, word := range timers {
		if !o.still[i] && time.Duration(word)*time.Millisecond <= due {
			return true
		}
	}
	return false
}

func (x *search) tickKey(actor int, lane uint64, r *rest, timers []uint64, due time.Duration) {
	key := binary.AppendUvarint(x.local.key[:0], uint64(actor))
	key = binary.AppendUvarint(key, uint64(r.letters[actor]))
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
	r, ok := x.plain(from)
	if !ok || x.entered || from[rest] != words[rest] {
		return
	}
	due, _ := x.due(from, r)
	for i := range s.actors {
		first, count := s.timersOf(from, i)
		lane := from[len(s.nodes)+i]
		if mine := from[first : first+count]; s.outlook(i, lane, r).wakes(mine, due) {
			x.tickKey(i, lane, r, mine, due)
			first, count = s.timersOf(words, i)
			x.local.ticks[string(x.local.key)] = laneTick{words[len(s.nodes)+i], slices.Clone(words[first : first+count])}
		}
	}
}
