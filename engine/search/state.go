package search

import (
	"context"
	"encoding/binary"
	"slices"
	"time"

	"lockstep/engine"
)

// A state is kept as a list of numbers, its words. Equal parts of two states have equal numbers:
//
//	moment of each node, lane of each actor, rest, queues of sections, [clock],
//	[lateness of each ready thread]
//
// There is a clock only if a program has looked at it. It is 0 while no such thread goes on and no
// request waits for a paused node. There is a lateness only if it is bounded.

// lane is a lane of the world with the place of its actor's program. The fields that every state
// needs stand close together, for the processor's cache.
type lane struct {
	of     *engine.Lane
	moment uint32 // of the actor's memo; 0: none of its threads goes on
	inside uint32 // number of Lane.Inside
	due    engine.Instant
	ready  []uint32 // choices that run the threads of Lane.Ready
	sent   bool     // sent, sends, timed and stays are those of Lane
	sends  bool
	timed  bool
	stays  bool
	clock  bool // a thread that looks at its clock goes on, or may be started as a task

	later map[engine.Instant]uint32 // a cache: the lane after a tick by a span that changed nothing but lanes and nodes
	told  map[uint32]uint32         // a cache: the lane after further messages, by the number of their text
}

// rest is the rest of the world, with the additions of a search.
type rest struct {
	*engine.Rest
	left  budget
	shown []engine.Instant // by node: its clock ahead of the world's, less the time that it stood still
	plain bool             // Rest.Plain, and no node lags
}

// wanted is the queues of all sections.
type wanted struct {
	holdings []engine.Holding
	noted    map[uint32]uint32 // a cache: the queues after some notes, by the number of their text
}

// states restores one world to states and numbers the parts of them.
type states struct {
	world  *engine.Model
	now    engine.Instant // of the world
	parts  engine.Parts   // of the world; its memory is used again
	nodes  []*memoNode
	actors []*actorMemo
	clocks []string // threads that look at their clocks

	comparesRests bool // of the bounds: somebody may compare how long something still lasts

	lanes   [][]lane // of each actor, by number
	numbers []map[string]uint32
	rests   []rest
	restOf  map[string]uint32
	wanted  []wanted
	queues  map[string]uint32
	insides map[string]uint32
	texts   map[string]uint32 // of messages and of notes
	*choiceNumbers

	key   []byte
	taken []*engine.Lane // by restore; its memory is used again
	left  budget         // of the state restored last
	wants bool           // somebody wants a section there
}

func newStates(w *engine.Model, actors []*actorMemo, nodes []*memoNode, clocks []string, numbers *choiceNumbers) *states {
	s := &states{world: w, actors: actors, nodes: nodes, clocks: clocks, choiceNumbers: numbers, restOf: map[string]uint32{}, queues: map[string]uint32{}, insides: map[string]uint32{}, texts: map[string]uint32{}}
	s.lanes, s.taken = make([][]lane, len(actors)), make([]*engine.Lane, len(actors))
	for range actors {
		s.numbers = append(s.numbers, map[string]uint32{})
	}
	return s
}

func (s *states) lanesOf(words []uint64) []uint64 { return words[len(s.nodes):s.restAt()] }

// restAt is the index of the rest in the words of a state. The queues follow it.
func (s *states) restAt() int { return len(s.nodes) + len(s.actors) }

// clearClock sets the clock to 0 in a state where nobody will look at it any more, so that states that
// differ in it become one.
func (s *states) clearClock(words []uint64) {
	if len(s.clocks) > 0 && !s.watched(words) && !s.rests[words[s.restAt()]].Delayed() {
		words[s.restAt()+2] = 0
	}
}

// watched tells whether a thread that looks at a clock goes on.
func (s *states) watched(words []uint64) bool {
	for i, number := range s.lanesOf(words) {
		if s.lanes[i][number].clock {
			return true
		}
	}
	return false
}

// save appends the words of the world, except for the lateness of threads. after is the world's current
// snapshot. It may be called only once after each restore.
func (s *states) save(ctx context.Context, words []uint64, left budget, after *engine.Snapshot) []uint64 {
	s.now = after.Now
	for _, n := range s.nodes {
		words = append(words, uint64(n.at))
	}
	s.world.Parts(ctx, &s.parts)
	for i := range s.actors {
		words = append(words, uint64(s.lane(i)))
	}
	if !s.comparesRests && !s.watched(words) && (len(s.clocks) == 0 || !s.parts.Delayed) {
		left.idle = 0
	}
	words = append(words, uint64(s.rest(left, after)), uint64(s.queue()))
	if len(s.clocks) > 0 {
		words = append(words, uint64(s.now/time.Millisecond))
	}
	s.clearClock(words)
	return words
}

// lane finds or makes the number of an actor's lane.
func (s *states) lane(i int) uint32 {
	moment := s.actors[i].at
	if s.parts.Over[i] {
		moment = 0
	}
	s.key = append(binary.AppendUvarint(s.key[:0], uint64(moment)), s.parts.Lanes[i]...)
	number, fresh := numberIn(s.numbers[i], s.key)
	if fresh {
		s.lanes[i] = append(s.lanes[i], s.newLane(i, moment))
	}
	return number
}

// numberIn finds or makes the number of a key.
func numberIn(numbers map[string]uint32, key []byte) (number uint32, fresh bool) {
	number, known := numbers[string(key)]
	if !known {
		number = uint32(len(numbers))
		numbers[string(key)] = number
	}
	return number, !known
}

func (s *states) newLane(actor int, moment uint32) lane {
	of := s.world.Lane(actor)
	inside, _ := numberIn(s.insides, []byte(of.Inside))
	var ready []uint32
	for _, name := range of.Ready {
		ready = append(ready, s.number(engine.Choice{Kind: engine.Run, Target: name}))
	}
	return lane{
		of: of, moment: moment, inside: inside, due: of.Due, ready: ready, sent: of.Sent, sends: of.Sends, timed: of.Timed, stays: of.Stays,
		clock: slices.ContainsFunc(of.Going, s.looksAtClock),
	}
}

// looksAtClock tells whether a thread looks at its clock, or a task of its actor does: that may be
// started again.
func (s *states) looksAtClock(thread string) bool {
	return slices.ContainsFunc(s.clocks, func(name string) bool {
		return name == thread || name != engine.Root(name) && engine.Root(name) == engine.Root(thread)
	})
}

// lag is the time that a node has stood still, as far as it can still show: 0 if nothing is due on the
// node, and at most until its last deadline where no clock is set back.
func (s *states) lag(i int, after *engine.Snapshot) engine.Instant {
	n := s.nodes[i]
	if !n.moment().waits {
		return 0
	}
	lag := n.lag(after, i)
	if lag > 0 && n.memo.ages {
		if ends := n.moment().deadlines(0); len(ends) > 0 {
			lag = min(lag, slices.Max(ends))
		}
	}
	return lag
}

// rest finds or makes the number of the rest.
func (s *states) rest(left budget, after *engine.Snapshot) uint32 {
	s.key = left.key(s.key[:0])
	for i := range s.nodes {
		s.key = binary.AppendVarint(s.key, int64(s.lag(i, after)))
	}
	s.key = append(s.key, s.parts.Rest...)
	number, fresh := numberIn(s.restOf, s.key)
	if fresh {
		r := rest{Rest: s.world.Rest(), left: left}
		r.plain = r.Plain()
		for i := range s.nodes {
			lag := s.lag(i, after)
			r.shown = append(r.shown, after.Nodes[i].Clock-lag)
			r.plain = r.plain && lag == 0
		}
		s.rests = append(s.rests, r)
	}
	return number
}

// queue finds or makes the number of the queues of sections.
func (s *states) queue() uint32 {
	key := s.key[:0]
	for _, h := range s.parts.Wanted {
		key = binary.AppendUvarint(appendText(key, h.Section), uint64(len(h.Actors)))
		for _, a := range h.Actors {
			key = appendText(key, a)
		}
	}
	s.key = key
	number, fresh := numberIn(s.queues, key)
	if fresh {
		s.wanted = append(s.wanted, wanted{holdings: slices.Clone(s.parts.Wanted)})
	}
	return number
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// restore puts the world into a saved state. It returns the words for the lateness of threads.
func (s *states) restore(words []uint64) (late []uint64) {
	r, late := &s.rests[words[s.restAt()]], words[s.restAt()+2:]
	s.now = 0
	if len(s.clocks) > 0 {
		s.now, late = engine.Instant(late[0])*time.Millisecond, late[1:]
	}
	for i, number := range s.lanesOf(words) {
		l := &s.lanes[i][number]
		s.actors[i].at, s.taken[i] = l.moment, l.of
	}
	for i, n := range s.nodes {
		n.at, n.now = uint32(words[i]), s.now+r.shown[i]
	}
	wanted := s.wanted[words[s.restAt()+1]].holdings
	s.wants = len(wanted) > 0
	s.world.Restore(s.now, s.taken, r.Rest, wanted)
	s.left = r.left
	return late
}
