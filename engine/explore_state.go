package engine

import (
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
//	moment of each node, lane of each actor, rest, [clock], milliseconds until each timer,
//	[how long each actor that is ready has been so]

// lane is an actor with its tasks, apart from when their timers end.
type lane struct {
	moment  uint32   // of the actor's memo; 0: none of its threads goes on
	threads []thread // that have a timer where until is not NoDeadline

	timers int  // how many
	inside int  // the number of who is inside what
	sent   bool // a thread has sent a request, and has no reply yet
	sends  bool // a thread has a request to send
	clock  bool // a thread goes on that looks at its clock, or may begin a task that does

	outlooks []*outlook // by the number of the messages that wait
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
	mail      []Delivery
	wanted    []Holding
	watches   []watch
	left      budget
	letters   []int // of each actor: the number of the messages that wait for its process
	plain     bool  // only actors and the clock can change anything
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

	lanes   [][]lane // of each actor
	numbers []map[string]uint32
	rests   []rest
	restOf  map[string]uint32
	insides map[string]int
	letters map[string]int
	pool    []*thread
	key     []byte
	left    budget // of the state that was restored last
}

func newStates(w *World, actors []*actorMemo, nodes []*nodeMemo, clocks []string) *states {
	s := &states{world: w, actors: actors, nodes: nodes, clocks: clocks, restOf: map[string]uint32{}, insides: map[string]int{}, letters: map[string]int{"": 0}}
	s.lanes = make([][]lane, len(actors))
	for range actors {
		s.numbers = append(s.numbers, map[string]uint32{})
	}
	return s
}

// timersAt is where the timers of a state begin.
func (s *states) timersAt() int {
	at := len(s.nodes) + len(s.actors) + 1
	if len(s.clocks) > 0 {
		at++
	}
	return at
}

// clear takes the clock out of a state in which nobody will look at one.
func (s *states) clear(words []uint64) {
	if len(s.clocks) == 0 {
		return
	}
	for i := range s.actors {
		if s.lanes[i][words[len(s.nodes)+i]].clock {
			return
		}
	}
	words[s.timersAt()-1] = 0
}

// save appends the world as it is to words. It may only be called once after each restore.
func (s *states) save(words []uint64, left budget) ([]uint64, error) {
	w := s.world
	for i := range w.servers {
		words = append(words, uint64(memoOf(w.servers[i].node).at))
	}
	lanesAt := len(words)
	words = append(words, make([]uint64, len(s.actors)+1)...)
	if len(s.clocks) > 0 {
		words = append(words, uint64(w.now/time.Millisecond))
	}
	if err := s.age(); err != nil {
		return nil, err
	}
	renumber(w)
	for i := range s.actors {
		number, timers, err := s.lane(i, words)
		if err != nil {
			return nil, err
		}
		words = timers
		words[lanesAt+i] = uint64(number)
	}
	words[lanesAt+len(s.actors)] = uint64(s.rest(left))
	s.clear(words)
	return words, nil
}

// lane finds or makes the number of an actor's lane, and appends its timers.
func (s *states) lane(i int, words []uint64) (uint32, []uint64, error) {
	w, root := s.world, s.actors[i].spec
	moment := uint32(0)
	crashed := w.process(root.Process).crashed
	for _, t := range w.threads {
		if Root(t.name) == root.Name && !crashed && !t.ended() {
			moment = s.actors[i].at
		}
	}
	key := binary.AppendUvarint(s.key[:0], uint64(moment))
	for _, t := range w.threads {
		if Root(t.name) != root.Name || (crashed || moment == 0) && t.task && len(t.listening) == 0 {
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
		key = t.sent.key(key)
		if t.until != NoDeadline {
			span := max(t.until-w.now, 0)
			if span%time.Millisecond != 0 {
				return 0, nil, fmt.Errorf("a timer of %s ends between two milliseconds: a search needs whole ones", t.name)
			}
			words = append(words, uint64(span/time.Millisecond))
		}
	}
	s.key = key
	number, known := s.numbers[i][string(key)]
	if !known {
		number = uint32(len(s.lanes[i]))
		s.numbers[i][string(key)] = number
		s.lanes[i] = append(s.lanes[i], s.newLane(root.Name, moment, crashed))
	}
	return number, words, nil
}

func (s *states) newLane(root string, moment uint32, crashed bool) lane {
	l := lane{moment: moment}
	for _, t := range s.world.threads {
		if Root(t.name) != root || (crashed || moment == 0) && t.task && len(t.listening) == 0 {
			continue
		}
		kept := *t
		kept.listening, kept.inside = slices.Clone(t.listening), slices.Clone(t.inside)
		if t.sent != nil {
			q := *t.sent
			kept.sent = &q
		}
		if crashed || t.ended() {
			kept.next, kept.until, kept.inside, kept.sent, kept.failure = Done{}, NoDeadline, nil, nil, fact.Fact{}
		}
		l.threads = append(l.threads, kept)
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
	nodes, lanes := words[:len(s.nodes)], words[len(s.nodes):len(s.nodes)+len(s.actors)]
	r := &s.rests[words[len(s.nodes)+len(s.actors)]]
	w.now = 0
	if len(s.clocks) > 0 {
		w.now = Instant(words[len(s.nodes)+len(s.actors)+1]) * time.Millisecond
	}
	timers := words[s.timersAt():]
	used := 0
	w.threads = w.threads[:0]
	for i, number := range lanes {
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
				t.until = w.now + Instant(timers[0])*time.Millisecond
				timers = timers[1:]
			}
			w.threads = append(w.threads, t)
		}
	}
	s.restoreRest(r, nodes)
	s.left = r.left
	return timers
}
