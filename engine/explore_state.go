package engine

import (
	"cmp"
	"context"
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
	left      budget
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
	dated  bool // the clock is a part of the state

	lanes   [][]lane // of each actor
	numbers []map[string]uint32
	rests   []rest
	restOf  map[string]uint32
	insides map[string]int
	pool    []*thread
	key     []byte
	left    budget // of the state that was restored last
}

func newStates(w *World, actors []*actorMemo, nodes []*nodeMemo, dated bool) *states {
	s := &states{world: w, actors: actors, nodes: nodes, dated: dated, restOf: map[string]uint32{}, insides: map[string]int{}}
	s.lanes = make([][]lane, len(actors))
	for range actors {
		s.numbers = append(s.numbers, map[string]uint32{})
	}
	return s
}

// timersAt is where the timers of a state begin.
func (s *states) timersAt() int {
	at := len(s.nodes) + len(s.actors) + 1
	if s.dated {
		at++
	}
	return at
}

// save appends the world as it is to words. It may only be called once after each restore.
func (s *states) save(words []uint64, left budget) ([]uint64, error) {
	w := s.world
	for i := range w.servers {
		words = append(words, uint64(w.servers[i].node.(*memoNode).at))
	}
	lanesAt := len(words)
	words = append(words, make([]uint64, len(s.actors)+1)...)
	if s.dated {
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

// rest finds or makes the number of all the rest.
func (s *states) rest(left budget) uint32 {
	w := s.world
	key := left.key(s.key[:0])
	for _, p := range w.processes {
		key = appendFlags(key, p.paused, p.crashed)
		key = binary.AppendVarint(key, int64(p.clock))
	}
	for _, v := range w.servers {
		key = s.serverKey(key, v)
	}
	order := func(a, b Link) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) }
	slices.SortFunc(w.cuts, order)
	for _, l := range w.cuts {
		key = appendText(appendText(append(key, 'c'), l.From), l.To)
	}
	slices.SortStableFunc(w.mail, func(a, b Delivery) int { return cmp.Compare(a.Process, b.Process) })
	for _, d := range w.mail {
		key = appendText(appendText(appendText(appendText(append(key, 'm'), d.Process), d.Node), d.Channel), d.Payload)
	}
	slices.SortFunc(w.wanted, func(a, b Holding) int { return cmp.Compare(a.Section, b.Section) })
	for _, h := range w.wanted {
		key = appendText(append(key, 'w'), h.Section)
		for _, a := range h.Actors {
			key = appendText(key, a)
		}
	}
	s.key = key
	number, known := s.restOf[string(key)]
	if !known {
		number = uint32(len(s.rests))
		s.restOf[string(key)] = number
		s.rests = append(s.rests, s.newRest(left))
	}
	return number
}

// lag is how far the clock of a node that stands still is behind.
func (s *states) lag(v *server) Instant {
	n := v.node.(*memoNode)
	if !n.moment().waits {
		return 0 // nothing on it could tell
	}
	return s.world.now + v.clock - n.now
}

func (s *states) serverKey(key []byte, v *server) []byte {
	w := s.world
	key = appendFlags(key, v.paused, v.crashed, v.stale, v.saved != nil)
	key = binary.AppendVarint(key, int64(v.clock))
	key = binary.AppendVarint(key, int64(s.lag(v)))
	key = appendText(appendText(key, v.leader), w.leaders[v.group])
	if v.saved != nil {
		key = appendData(key, v.saved, w.now)
	}
	for _, q := range v.queue {
		key = appendData(append(key, 'q'), q.data, w.now)
		key = binary.AppendUvarint(appendFlags(key, q.Full), uint64(q.number))
	}
	for _, q := range v.inbox {
		t := w.waiting(q)
		key = appendText(appendFlags(append(key, 'i'), t != nil), q.from.Actor)
		if t == nil { // nobody else knows what it is
			key = fmt.Appendf(q.key(key), "%v %#v", q.from, orphan(q.request))
		}
	}
	return append(key, '.')
}

// orphan is a request that nobody waits for any more, without the address of its script.
func orphan(r Request) Request {
	if e, ok := r.(Exec); ok && e.Op.Script != nil {
		e.Op.Args = append([]string{e.Op.Script.Source}, e.Op.Args...)
		e.Op.Script = nil
		return e
	}
	return r
}

// age has the data that nodes may load grow as old as it is. Where clocks may be set back,
// what has expired may be there again, and data keeps the instant at which it was made.
func (s *states) age() error {
	w := s.world
	if slices.ContainsFunc(w.scenario.Faults, func(c Choice) bool { return c.Kind == Clock }) {
		return nil
	}
	for _, v := range w.servers {
		kept := []*Data{&v.saved}
		for i := range v.queue {
			kept = append(kept, &v.queue[i].data)
		}
		for _, data := range kept {
			if *data == nil {
				continue
			}
			older, err := (*data).(memoData).aged(context.Background(), w.now+v.clock)
			if err != nil {
				return err
			}
			*data = older
		}
	}
	return nil
}

func appendData(key []byte, data Data, now Instant) []byte {
	d := data.(memoData)
	key = appendText(binary.AppendUvarint(key, uint64(d.copy)), d.memo.name)
	return binary.AppendVarint(key, int64(d.at-now))
}

// counted is data whose instants count from now.
func counted(data Data, from, to Instant) Data {
	if data == nil {
		return nil
	}
	d := data.(memoData)
	d.at += to - from
	return d
}

func (s *states) newRest(left budget) rest {
	w := s.world
	r := rest{
		leaders: map[string]string{}, writes: w.writes, left: left,
		cuts: slices.Clone(w.cuts), mail: slices.Clone(w.mail), wanted: slices.Clone(w.wanted),
	}
	for group, leader := range w.leaders {
		r.leaders[group] = leader
	}
	for _, p := range w.processes {
		r.processes = append(r.processes, *p)
	}
	for _, v := range w.servers {
		kept := *v
		kept.saved = counted(v.saved, w.now, 0)
		kept.queue = nil
		for _, q := range v.queue {
			kept.queue = append(kept.queue, queued{Queued{Full: q.Full}, counted(q.data, w.now, 0), q.number})
		}
		var inbox []waits
		for _, q := range v.inbox {
			inbox = append(inbox, waits{*q, w.waiting(q) != nil})
		}
		kept.inbox = nil
		r.servers, r.inboxes, r.late = append(r.servers, kept), append(r.inboxes, inbox), append(r.late, s.lag(v))
	}
	return r
}

// renumber gives the writes that replicas are sent the smallest numbers that keep their
// order: only that decides what has reached whom.
func renumber(w *World) {
	var numbers []int
	for _, v := range w.servers {
		for _, q := range v.queue {
			numbers = append(numbers, q.number)
		}
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	rank := func(n int) int { // how many of them are not later
		i, found := slices.BinarySearch(numbers, n)
		if found {
			i++
		}
		return i
	}
	for _, v := range w.servers {
		for i := range v.queue {
			v.queue[i].number = rank(v.queue[i].number)
		}
	}
	for _, t := range w.threads {
		t.wrote = rank(t.wrote)
	}
	w.writes = len(numbers)
}

// restore makes the world what it was when a state was saved. It returns the words that
// save did not write.
func (s *states) restore(words []uint64) []uint64 {
	w := s.world
	nodes, lanes := words[:len(s.nodes)], words[len(s.nodes):len(s.nodes)+len(s.actors)]
	r := &s.rests[words[len(s.nodes)+len(s.actors)]]
	w.now = 0
	if s.dated {
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

func (s *states) restoreRest(r *rest, nodes []uint64) {
	w := s.world
	for i := range r.processes {
		*w.processes[i] = r.processes[i]
	}
	for i := range r.servers {
		v, from := w.servers[i], &r.servers[i]
		n := v.node.(*memoNode)
		queue := v.queue[:0]
		*v = *from
		v.node = n
		n.at, n.now = uint32(nodes[i]), w.now+v.clock-r.late[i]
		v.saved = counted(from.saved, 0, w.now)
		v.queue = queue
		for _, q := range from.queue {
			v.queue = append(v.queue, queued{q.Queued, counted(q.data, 0, w.now), q.number})
		}
		for _, q := range r.inboxes[i] {
			if t := w.thread(q.sent.from.Actor); q.awaited && t != nil {
				v.inbox = append(v.inbox, t.sent)
			} else {
				orphan := q.sent
				v.inbox = append(v.inbox, &orphan)
			}
		}
	}
	clear(w.leaders)
	for group, leader := range r.leaders {
		w.leaders[group] = leader
	}
	w.writes = r.writes
	w.cuts = append(w.cuts[:0], r.cuts...)
	w.mail = append(w.mail[:0], r.mail...)
	w.wanted = append(w.wanted[:0], r.wanted...)
}
