package search

import (
	"encoding/binary"
	"slices"

	"lockstep/engine"
)

// maxLive is how many of an actor's moments keep a cast, which may take a hundred kilobytes,
// unless bounds say otherwise. The cast of another moment is made again, by telling a fresh one
// all that it had been told.
const maxLive = 200

// casts is how many moments of each actor may keep a cast.
func (b *Bounds) casts(actors int) int {
	if b.Casts == 0 {
		return maxLive
	}
	return max(1, b.Casts/actors)
}

// actorMemo is what a search has learned about an actor with its tasks.
type actorMemo struct {
	spec    engine.ActorSpec
	moments []*actorMoment // by number; none has the number 0, which stands for an actor that has ended
	numbers map[[16]byte]uint32
	living  []uint32        // moments that keep a cast, the one that has kept it longest first
	most    int             // of living
	at      uint32          // the moment of the actor in the world
	clocks  map[string]bool // threads of it that have looked at their clocks, or will when they send a request
}

// actorMoment is one state of an actor with its tasks.
type actorMoment struct {
	parent uint32                // the moment from which it was reached first, …
	by     input                 // … and the input that led here
	moves  map[string]*actorMove // by input
	cast   *cast                 // nil: who needs it makes it again
	begins bool                  // a client is at the beginning of its program, and nobody of the actor who has begun goes on
}

// input is an outcome that an actor or a task of it is told.
type input struct {
	thread  string
	spawned bool // the thread is the task that was spawned last
	outcome engine.Outcome
}

// actorMove is the moment after an input, and the request that the thread has there. A move that
// is dated has neither: the thread looked at its clock, and there is a move for each instant.
type actorMove struct {
	to      uint32
	request engine.Request
	dated   bool
}

// cast is a running actor with its tasks.
type cast struct {
	threads map[string]engine.Digester
	spawned engine.Actor
}

// begins tells whether a client is at the beginning of its program.
func (m *actorMemo) begins() bool { return m.at != 0 && m.moments[m.at].begins }

func newActorMemo(spec engine.ActorSpec, most int) *actorMemo {
	return &actorMemo{spec: spec, most: most, moments: []*actorMoment{nil}, numbers: map[[16]byte]uint32{}, clocks: map[string]bool{}}
}

// actor begins anew, and returns the actor for a world.
func (m *actorMemo) actor() engine.Actor {
	m.at = m.reach(m.begin(), 0, input{})
	return &memoActor{memo: m, thread: m.spec.Name}
}

func (m *actorMemo) begin() *cast {
	return &cast{threads: map[string]engine.Digester{m.spec.Name: m.spec.New().(engine.Digester)}}
}

// memoActor takes the place of an actor or of a task of it in the world of a search.
type memoActor struct {
	memo   *actorMemo
	thread string
	fresh  bool // a task that has not begun
}

// Next looks the move up, and has a cast make it only when it is not known.
func (a *memoActor) Next(out engine.Outcome) engine.Request {
	m := a.memo
	in := input{a.thread, a.fresh, out}
	a.fresh = false
	var buffer [128]byte
	key := in.key(buffer[:0])
	moves := m.moments[m.at].moves
	move := moves[string(key)]
	if move != nil && move.dated {
		move = moves[string(in.datedKey(key))]
	}
	if move == nil {
		move = m.learn(in, key)
	}
	m.at = move.to
	if s, ok := move.request.(engine.Spawn); ok {
		s.Actor = &memoActor{memo: m, thread: engine.Root(a.thread) + ":" + s.Name, fresh: true}
		return s
	}
	return move.request
}

// key is the input without the clock.
func (in *input) key(b []byte) []byte {
	b = append(append(b, in.thread...), 0)
	if in.spawned {
		b = append(b, 1)
	}
	if in.outcome.TimedOut {
		b = append(b, 2)
	}
	b = appendText(b, in.outcome.Message)
	return in.outcome.Reply.AppendKey(b)
}

func (in *input) datedKey(key []byte) []byte {
	return binary.AppendVarint(append(key, 3), int64(in.outcome.Now))
}

// learn has a cast make a move, and remembers it.
func (m *actorMemo) learn(in input, key []byte) *actorMove {
	from := m.at
	c := m.take(from)
	reads := c.threads[m.spec.Name].ClockReads()
	request := m.tell(c, in)
	moves := m.moments[from].moves
	if c.threads[m.spec.Name].ClockReads() != reads {
		m.clocks[in.thread] = true
		moves[string(key)] = &actorMove{dated: true}
		key = in.datedKey(key)
	}
	move := &actorMove{to: m.reach(c, from, in), request: request}
	moves[string(key)] = move
	return move
}

// tell gives a thread of a cast its outcome.
func (m *actorMemo) tell(c *cast, in input) engine.Request {
	if in.spawned {
		c.threads[in.thread] = c.spawned.(engine.Digester)
	}
	request := c.threads[in.thread].Next(in.outcome)
	switch r := request.(type) {
	case engine.Spawn:
		c.spawned = r.Actor
	case engine.Exec:
		if len(r.Stamps) > 0 {
			m.clocks[in.thread] = true
		}
	}
	return request
}

// reach finds or makes the number of the moment that a cast has come to, and leaves the cast there.
func (m *actorMemo) reach(c *cast, from uint32, by input) uint32 {
	digest := c.threads[m.spec.Name].Digest()
	n, known := m.numbers[digest]
	if !known {
		n = uint32(len(m.moments))
		m.numbers[digest] = n
		crowd, many := c.threads[m.spec.Name].(engine.Beginner)
		m.moments = append(m.moments, &actorMoment{parent: from, by: by, moves: map[string]*actorMove{}, begins: many && crowd.Begins()})
	}
	m.keep(n, c)
	return n
}

// keep leaves a cast with a moment, if that has none. The moment that has had one for longest may
// lose it.
func (m *actorMemo) keep(n uint32, c *cast) {
	if m.moments[n].cast != nil {
		return
	}
	m.moments[n].cast = c
	m.living = append(m.living, n)
	if len(m.living) > m.most {
		m.moments[m.living[0]].cast = nil
		m.living = slices.Delete(m.living, 0, 1)
	}
}

// take makes or takes a cast at a moment. It is the caller's to go on with.
func (m *actorMemo) take(n uint32) *cast {
	if c := m.moments[n].cast; c != nil {
		m.moments[n].cast = nil
		m.living = slices.DeleteFunc(m.living, func(o uint32) bool { return o == n })
		return c
	}
	var inputs []input
	for n := n; m.moments[n].parent != 0; n = m.moments[n].parent {
		inputs = append(inputs, m.moments[n].by)
	}
	c := m.begin()
	for _, in := range slices.Backward(inputs) {
		m.tell(c, in)
	}
	return c
}
