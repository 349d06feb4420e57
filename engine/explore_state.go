package engine

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"lockstep/engine/fact"
)

// A state is a world as a search keeps it: a short list of numbers, with the clock at 0.
// What is equal in two states is kept once: the moments of nodes, the lane of each actor,
// and all the rest.
//
//	moment of each node, lane of each actor, rest, who wants what, [clock],
//	[how long each actor that is ready has been so]

// lane is an actor with its tasks. The first actor of a process also has the messages that
// wait there.
type lane struct {
	moment  uint32   // of the actor's memo; 0: none of its threads goes on
	threads []thread // their instants count from now
	mail    []Delivery

	inside int  // the number of who is inside what
	sent   bool // a thread has sent a request, and has no reply yet
	sends  bool // a thread has a request to send
	clock  bool // a thread goes on that looks at its clock, or may begin a task that does
	outlook
	later map[Instant]uint32 // the lane after some time, where others would not notice
	told  map[uint32]uint32  // the lane with some more messages
}

// rest is what no node and no actor has for itself.
type rest struct {
	processes []process
	servers   []server // without what the node itself knows; their instants count from now
	inboxes   [][]waits
	late      []Instant // how far the clock of each node lags behind, since it stands still
	leaders   map[string]string
	writes    int
	cuts      []Link
	watches   []watch
	left      budget
	plain     bool // only actors and the clock can change anything
}

// wanted is who waits for which sections.
type wanted struct {
	holdings []Holding
	noted    map[uint32]uint32 // what it becomes after certain notes
}

// waits is a request in the inbox of a node that is paused.
type waits struct {
	sent    sent
	awaited bool // its thread still waits for the reply
}

// states knows the worlds that a search has come to.
type states struct {
	world  *World
	actors []*actorMemo
	nodes  []*nodeMemo
	clocks []string // threads that look at their clocks
	mine   []bool   // of each actor: whether it is the first of its process

	lanes   [][]lane // of each actor
	numbers []map[string]uint32
	rests   []rest
	restOf  map[string]uint32
	wanted  []wanted
	queues  map[string]uint32
	insides map[string]int
	texts   map[string]uint32 // numbers of messages and notes, from 1
	*choiceNumbers
	pool []*thread
	key  []byte
	left budget // of the state that was restored last
}

func newStates(w *World, actors []*actorMemo, nodes []*nodeMemo, clocks []string, numbers *choiceNumbers) *states {
	s := &states{world: w, actors: actors, nodes: nodes, clocks: clocks, choiceNumbers: numbers, restOf: map[string]uint32{}, queues: map[string]uint32{}, insides: map[string]int{}, texts: map[string]uint32{}}
	s.lanes = make([][]lane, len(actors))
	for i, a := range actors {
		s.numbers = append(s.numbers, map[string]uint32{})
		s.mine = append(s.mine, !slices.ContainsFunc(actors[:i], func(o *actorMemo) bool { return o.spec.Process == a.spec.Process }))
	}
	return s
}

// lanesOf are the lanes of a state, and restAt is where its rest stands behind them.
func (s *states) lanesOf(words []uint64) []uint64 { return words[len(s.nodes):s.restAt()] }

func (s *states) restAt() int { return len(s.nodes) + len(s.actors) }

// clear takes the clock out of a state in which nobody will look at one.
func (s *states) clear(words []uint64) {
	if len(s.clocks) == 0 {
		return
	}
	for i, number := range s.lanesOf(words) {
		if s.lanes[i][number].clock {
			return
		}
	}
	words[s.restAt()+2] = 0
}

// save appends the world as it is to words. It may only be called once after each restore.
func (s *states) save(words []uint64, left budget) ([]uint64, error) {
	w := s.world
	for i := range w.servers {
		words = append(words, uint64(memoOf(w.servers[i].node).at))
	}
	if err := s.age(); err != nil {
		return nil, err
	}
	renumber(w)
	slices.SortFunc(w.wanted, func(a, b Holding) int { return cmp.Compare(a.Section, b.Section) })
	threads := w.threads
	for i := range s.actors {
		own := 1
		for own < len(threads) && threads[own].task {
			own++
		}
		number, err := s.lane(i, threads[:own])
		threads = threads[own:]
		if err != nil {
			return nil, err
		}
		words = append(words, uint64(number))
	}
	words = append(words, uint64(s.rest(left)), uint64(s.queue()))
	if len(s.clocks) > 0 {
		words = append(words, uint64(w.now/time.Millisecond))
	}
	s.clear(words)
	return words, nil
}

// lane finds or makes the number of an actor's lane. The threads are its own.
func (s *states) lane(i int, threads []*thread) (uint32, error) {
	w, process := s.world, s.actors[i].spec.Process
	moment := uint32(0)
	crashed := w.process(process).crashed
	for _, t := range threads {
		if !crashed && !t.ended() {
			moment = s.actors[i].at
		}
	}
	key := binary.AppendUvarint(s.key[:0], uint64(moment))
	for _, t := range threads {
		if (crashed || moment == 0) && t.task && len(t.listening) == 0 {
			continue
		}
		over := crashed || t.ended()
		key = appendText(key, t.name)
		key = appendFlags(key, over, !over && t.until != NoDeadline)
		key = binary.AppendUvarint(key, uint64(t.wrote))
		for _, l := range t.listening {
			key = appendText(appendText(append(key, 'l'), l.Node), l.Channel)
		}
		if over {
			continue
		}
		for _, section := range t.inside {
			key = appendText(append(key, 'i'), section)
		}
		for _, h := range w.wanted {
			if slices.Contains(h.Actors, t.name) {
				key = appendText(append(key, 'w'), h.Section)
			}
		}
		key = t.sent.key(key)
		if t.until != NoDeadline {
			span := max(t.until-w.now, 0)
			if span%time.Millisecond != 0 {
				return 0, fmt.Errorf("a timer of %s ends between two milliseconds: a search needs whole ones", t.name)
			}
			key = binary.AppendUvarint(key, uint64(span/time.Millisecond))
		}
	}
	if s.mine[i] {
		for _, d := range w.mail {
			if d.Process == process {
				key = appendText(appendText(appendText(append(key, 'm'), d.Node), d.Channel), d.Payload)
			}
		}
	}
	s.key = key
	number, known := s.numbers[i][string(key)]
	if !known {
		number = uint32(len(s.lanes[i]))
		s.numbers[i][string(key)] = number
		s.lanes[i] = append(s.lanes[i], s.newLane(i, threads, moment, crashed))
	}
	return number, nil
}

func (s *states) newLane(i int, threads []*thread, moment uint32, crashed bool) lane {
	l := lane{moment: moment}
	for _, t := range threads {
		if (crashed || moment == 0) && t.task && len(t.listening) == 0 {
			continue
		}
		kept := *t
		kept.listening, kept.inside = slices.Clone(t.listening), slices.Clone(t.inside)
		if t.sent != nil {
			q := *t.sent
			kept.sent = &q
		}
		if kept.until != NoDeadline {
			kept.until = max(kept.until-s.world.now, 0)
		}
		if crashed || t.ended() {
			kept.next, kept.until, kept.inside, kept.sent, kept.failure = Done{}, NoDeadline, nil, nil, fact.Fact{}
		}
		l.threads = append(l.threads, kept)
	}
	for _, d := range s.world.mail {
		if s.mine[i] && d.Process == s.actors[i].spec.Process {
			l.mail = append(l.mail, d)
		}
	}
	s.sum(&l)
	return l
}

func appendFlags(b []byte, flags ...bool) []byte {
	var bits byte
	for i, set := range flags {
		if set {
			bits |= 1 << i
		}
	}
	return append(b, bits)
}

func (q *sent) key(b []byte) []byte {
	if q == nil {
		return append(b, '0')
	}
	b = appendText(append(b, 's'), string(q.missing))
	b = appendText(b, q.node)
	if q.answer != nil {
		b = appendReply(append(b, 'a'), *q.answer)
	}
	if e, ok := q.request.(Exec); ok { // all else is as its thread asked for it
		for _, arg := range e.Op.Args {
			b = appendText(b, arg)
		}
	}
	return b
}

// restore makes the world what it was when a state was saved. It returns the words that
// save did not write.
func (s *states) restore(words []uint64) []uint64 {
	w := s.world
	r, late := &s.rests[words[s.restAt()]], words[s.restAt()+2:]
	w.now = 0
	if len(s.clocks) > 0 {
		w.now, late = Instant(late[0])*time.Millisecond, late[1:]
	}
	used := 0
	w.threads, w.mail = w.threads[:0], w.mail[:0]
	for i, number := range s.lanesOf(words) {
		l := &s.lanes[i][number]
		s.actors[i].at = l.moment
		for j := range l.threads {
			if used == len(s.pool) {
				s.pool = append(s.pool, new(thread))
			}
			t, from := s.pool[used], &l.threads[j]
			used++
			inside, listening := t.inside[:0], t.listening[:0]
			*t = *from
			t.inside, t.listening = append(inside, from.inside...), append(listening, from.listening...)
			if from.sent != nil {
				q := *from.sent
				t.sent = &q
			}
			if t.until != NoDeadline {
				t.until += w.now
			}
			w.threads = append(w.threads, t)
		}
		w.mail = append(w.mail, l.mail...)
	}
	s.restoreRest(r, words[:len(s.nodes)])
	w.wanted = append(w.wanted[:0], s.wanted[words[s.restAt()+1]].holdings...)
	s.left = r.left
	return late
}
