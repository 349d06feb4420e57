package engine

import (
	"encoding/binary"
	"maps"
	"slices"

	"lockstep/engine/fact"
)

// Lane is one actor of a Model with its tasks. The lane of the first actor of a process also has
// the messages that wait there. A lane is never changed, and its instants count from the one at
// which it was taken.
type Lane struct {
	Mail []Delivery

	// What is known of the threads:
	Going  []string // those that go on
	Inside string   // equal in two lanes when the same threads have entered the same sections, as often
	Sent   bool     // one has sent a request, and has no reply yet
	Sends  bool     // one has a request to send

	// What may happen in the lane of an actor that has its process to itself, while that runs and
	// no reply is on its way:
	Ready []string // threads that may run
	Due   Instant  // when the first of them wakes; NoDeadline: none does
	Timed bool     // a thread has a timer, so that the lane changes as time passes
	Stays bool     // a timer waits until another thread, which goes on, has taken a message

	threads []thread
}

// Lane takes the lane of an actor out of the model as it is.
func (m *Model) Lane(actor int) *Lane {
	w, l := m.world, &Lane{}
	for _, d := range w.mail {
		if w.hasMailOf(actor, d) {
			l.Mail = append(l.Mail, d)
		}
	}
	threads := w.ownThreads(actor)
	over := !slices.ContainsFunc(threads, w.goesOn)
	for _, t := range threads {
		if w.goesOn(t) {
			l.Going = append(l.Going, t.name)
		}
		if !over || m.outlives(t) {
			l.threads = append(l.threads, m.kept(t))
		}
	}
	l.sum()
	l.look()
	return l
}

// ownThreads are an actor and its tasks, which stand behind it.
func (w *World) ownThreads(actor int) []*thread {
	from := -1
	for i, t := range w.threads {
		if !t.task {
			actor--
		}
		switch {
		case actor < -1:
			return w.threads[from:i]
		case actor == -1 && from < 0:
			from = i
		}
	}
	return w.threads[from:]
}

// hasMailOf tells whether a message stands in an actor's lane: whether the actor is the first of
// the process that got it.
func (w *World) hasMailOf(actor int, d Delivery) bool {
	return actor == slices.IndexFunc(w.scenario.Actors, func(a ActorSpec) bool { return a.Process == d.Process })
}

// goesOn tells whether a thread can still do anything, now or when its process is resumed.
func (w *World) goesOn(t *thread) bool { return !t.ended() && !w.process(t.process).crashed }

// outlives tells whether a thread still counts when its actor is over: a server goes on sending
// messages to what it listened to, or to what it asked a server for that stands still, and a rule may ask how it ended.
func (m *Model) outlives(t *thread) bool {
	return !t.task || len(t.listening) > 0 || m.Ends || m.world.willListen(t)
}

// willListen tells whether a server that is paused has a thread's wish to listen, though its client may have given up.
func (w *World) willListen(t *thread) bool {
	return slices.ContainsFunc(w.servers, func(s *server) bool {
		return slices.ContainsFunc(s.inbox, func(q *sent) bool {
			_, is := q.request.(Subscribe)
			return is && q.from.Actor == t.name
		})
	})
}

// laneKey appends all that tells an actor's lane from another one of the same actor whose program
// is as far.
func (m *Model) laneKey(key []byte, actor int, threads []*thread, over bool) []byte {
	for _, t := range threads {
		if !over || m.outlives(t) {
			key = m.threadKey(key, t)
		}
	}
	for _, d := range m.world.mail {
		if m.world.hasMailOf(actor, d) {
			kind := byte('m')
			if d.Copy {
				kind = 'c'
			}
			key = appendText(appendText(appendText(append(key, kind), d.Node), d.Channel), d.Payload)
		}
	}
	return key
}

// threadKey leaves out what the program of a thread decides, as its pending request.
func (m *Model) threadKey(key []byte, t *thread) []byte {
	w := m.world
	on := w.goesOn(t)
	key = appendText(key, t.name)
	key = appendFlags(key, !on, on && t.until != NoDeadline, m.Ends && t.ended(), m.Ends && t.failure.Code != "", t.task && t.failure.Code != "")
	if t.task && t.failure.Code != "" { // who awaits it is told
		key = appendText(append(key, 'f'), t.failure.Error())
	}
	if len(t.wrote) > 0 { // most lessons have no replicas, and sorting nothing takes 2% of a search
		for _, node := range slices.Sorted(maps.Keys(t.wrote)) {
			key = binary.AppendUvarint(appendText(append(key, 'n'), node), uint64(t.wrote[node]))
		}
	}
	for _, l := range t.listening {
		key = appendText(appendText(append(key, 'l'), l.Node), l.Channel)
	}
	if !on {
		return key
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
		key = binary.AppendUvarint(key, uint64(max(t.until-w.now, 0)))
	}
	return key
}

// key appends what tells requests on their way apart that one and the same program has sent. Only
// the arguments of an Exec may differ: the world fills in stamps.
func (q *sent) key(b []byte) []byte {
	if q == nil {
		return append(b, '0')
	}
	b = appendText(append(b, 's'), string(q.missing))
	b = appendText(b, q.node)
	if q.answer != nil {
		b = q.answer.AppendKey(append(b, 'a'))
	}
	if e, ok := q.request.(Exec); ok {
		for _, arg := range e.Op.Args {
			b = appendText(b, arg)
		}
	}
	return b
}

// kept is a thread as a lane has it.
func (m *Model) kept(t *thread) thread {
	w, k := m.world, *t
	k.listening, k.inside = slices.Clone(t.listening), slices.Clone(t.inside)
	if t.sent != nil {
		q := *t.sent
		k.sent = &q
	}
	if k.until != NoDeadline {
		k.until = max(k.until-w.now, 0)
	}
	if w.goesOn(t) {
		return k
	}
	k.next, k.until, k.inside, k.sent = Done{}, NoDeadline, nil, nil
	if m.Ends && !t.ended() {
		k.next = Sleep{} // it did not end: its process crashed
	}
	switch {
	case t.task || t.failure.Code == "":
	case m.Ends:
		k.failure = fact.Of("broke-off")
	default:
		k.failure = fact.Fact{}
	}
	return k
}

// restore makes into, a thread of a world at now, what the kept thread t was. What into held is lost:
// its memory is used again. The lane of t stays as it is.
func (t *thread) restore(into *thread, now Instant) {
	inside, listening := into.inside[:0], into.listening[:0]
	*into = *t
	into.inside, into.listening = append(inside, t.inside...), append(listening, t.listening...)
	if t.sent != nil {
		q := *t.sent
		into.sent = &q
	}
	if into.until != NoDeadline {
		into.until += now
	}
}

// sum fills in Sent, Sends and Inside, which tell of all threads together.
func (l *Lane) sum() {
	var inside []byte
	for _, t := range l.threads {
		_, sends := toNode(t.next)
		l.Sent, l.Sends = l.Sent || t.sent != nil, l.Sends || sends && t.sent == nil
		for _, section := range t.inside {
			inside = appendText(appendText(inside, t.name), section)
		}
	}
	l.Inside = string(inside)
}

// look fills in Ready, Timed, Stays and Due: what may happen in the lane, and when by itself.
func (l *Lane) look() {
	l.Due = NoDeadline
	for i := range l.threads {
		t := &l.threads[i]
		receive, receives := t.next.(Receive)
		takes := receives && slices.ContainsFunc(l.Mail, func(d Delivery) bool {
			return d.Process == t.process && d.Node == receive.Node && d.Channel == receive.Channel
		})
		if _, sends := toNode(t.next); sends && t.sent == nil || takes {
			l.Ready = append(l.Ready, t.name)
		}
		l.Timed = l.Timed || t.until != NoDeadline
		l.Stays = l.Stays || t.until != NoDeadline && takes && len(l.Going) > 1
		if t.until != NoDeadline && !takes && t.until <= LastInstant && (l.Due == NoDeadline || t.until < l.Due) {
			l.Due = t.until
		}
	}
}
