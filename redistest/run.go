package redistest

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"lockstep/node/redis/keyspace"
	"lockstep/node/redis/port"
	"lockstep/recording"
)

// run is one schedule of a scenario.
type run struct {
	t          *testing.T
	scenario   func(w *World)
	bounds     Bounds
	schedule   Schedule
	chance     *rand.Rand // makes the choices, and the schedule with them; nil: the schedule says all
	unexpected float64    // how probably a choice of chance is not the expected one

	begin     time.Time
	processes []*Process
	servers   []*server
	checks    []check
	over      chan struct{}
	arrived   chan struct{} // a request has come, or a process has ended, since the last step

	steps     []step     // the choices made so far
	offered   [][]step   // all choices at each of steps, the expected one first: len(offered) == len(steps)
	spent     [kinds]int // the number of steps of each kind
	performer string     // the process whose request the last step performed; "": it performed none
	last      *Process   // the process that acted last: its next request is the expected one
	idle      bool       // the last step let time pass, and nothing happened by the horizon
	story     Story
	recorded  []recording.Event // the same for a lesson
	broken    error             // the first invariant that broke
	stray     error             // the schedule names a choice that is not there: the code under test did something else before
	cut       bool              // it was given up after endless times bounds.Steps
	beyond    bool              // after bounds.Steps there were still choices

	mu      sync.Mutex            // guards the story, the servers' connections and the processes' states as well
	pending []*request            // sent and not performed, in an order that is the same in every run
	inside  map[string][]*Process // by section, who entered first in front

	reply reply
}

// reply is what a server says to one connection during a step. It has a lock of its own,
// because servers speak while they are locked.
type reply struct {
	mu     sync.Mutex
	to     *wire
	said   []byte
	others []*wire // the other connections that heard something meanwhile
}

type check struct {
	name  string
	holds func() error
}

func newRun(t *testing.T, scenario func(w *World), b Bounds, s Schedule) *run {
	return &run{t: t, scenario: scenario, bounds: b, schedule: s, inside: map[string][]*Process{}}
}

// endless is after how many times Bounds.Steps a run is not followed any further.
const endless = 4

// perform plays the schedule in a bubble of its own.
func (r *run) perform() {
	synctest.Test(r.t, func(t *testing.T) {
		r.t = t
		// The bubble's clock begins in 2000, where the embedded Redis has no dates.
		time.Sleep(time.Until(time.UnixMilli(keyspace.Epoch)))
		r.begin = time.Now()
		r.over, r.arrived = make(chan struct{}), make(chan struct{}, 1)
		r.scenario(&World{r})
		ctx, end := context.WithCancel(context.Background())
		for _, p := range r.processes {
			p.ctx = context.WithValue(ctx, processKey{}, p)
			go p.start()
		}
		r.loop()
		r.finish(end)
	})
}

// loop takes one step after another, until all processes have ended or an invariant is broken.
func (r *run) loop() {
	for {
		synctest.Wait()
		if r.examine(); r.broken != nil || r.stray != nil {
			return
		}
		choices := r.choices()
		switch {
		case len(choices) == 0 && r.allEnded():
			return
		case len(choices) == 0:
			if !r.letTimePass() {
				r.broken = fmt.Errorf("nobody waits for ever: %s wait, and nothing ever happens", r.waiting())
				return
			}
		case len(r.steps) >= r.bounds.Steps*endless:
			r.cut = true
			return
		default:
			r.take(choices)
		}
	}
}

// letTimePass waits until a request comes or a server has something to do.
func (r *run) letTimePass() bool {
	r.performer = ""
	limit := r.untilDue()
	select {
	case <-r.arrived:
		return true
	case <-time.After(limit):
	}
	for _, s := range r.servers {
		s.redis.Tick()
	}
	r.recordAnswers()
	return limit < horizon
}

// untilDue is how long it is until something happens on a server by itself.
func (r *run) untilDue() time.Duration {
	least := horizon
	for _, s := range r.servers {
		if d, ok := s.redis.Due(); ok {
			least = min(least, d+time.Millisecond)
		}
	}
	return least
}

// examine asks the invariants.
func (r *run) examine() {
	r.mu.Lock()
	broken := r.broken
	r.mu.Unlock()
	for _, c := range r.checks {
		if broken != nil {
			return
		}
		if err := c.holds(); err != nil {
			r.broken = fmt.Errorf("%s: %w", c.name, err)
			return
		}
	}
}

// finish ends what is left of the run. The code under test is expected to end when its
// requests fail. If it does not, only a panic ends the test: a bubble waits for all of its goroutines.
func (r *run) finish(end func()) {
	r.mu.Lock()
	close(r.over)
	r.pending = nil
	r.mu.Unlock()
	end()
	for _, s := range r.servers {
		for _, w := range s.conns {
			w.setPaused(false)
			w.end(net.ErrClosed)
		}
	}
	deadline := time.Now().Add(patience)
	for !r.allEnded() {
		if time.Now().After(deadline) {
			panic(fmt.Sprintf("redistest: %s does not end when its context does and its requests fail", r.waiting()))
		}
		time.Sleep(time.Second)
		synctest.Wait()
	}
	time.Sleep(farewell)
	synctest.Wait()
}

func (r *run) isOver() bool {
	select {
	case <-r.over:
		return true
	default:
		return false
	}
}

// server finds a server, or starts it; r.mu is held.
func (r *run) server(name string) *server {
	for _, s := range r.servers {
		if s.name == name {
			return s
		}
	}
	s := &server{name: name, redis: newServer()}
	r.servers = append(r.servers, s)
	slices.SortFunc(r.servers, func(a, b *server) int { return cmp.Compare(a.name, b.name) })
	return s
}

func (r *run) serverNow(name string) *server {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.server(name)
}

func newServer() *port.Server {
	return port.New(port.Real, slog.New(slog.NewTextHandler(io.Discard, nil)))
}

// arrive takes what a process has written, once its last command is complete.
func (r *run) arrive(w *wire, b []byte, commands [][]string) {
	if isGreeting(commands) {
		w.local.Send(b)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.isOver() || w.process.dead {
		return
	}
	q := &request{conn: w, data: b, commands: commands, sent: time.Since(r.begin)}
	r.pending = append(r.pending, q)
	// Processes that do something at the same moment reach this in any order.
	slices.SortStableFunc(r.pending, func(a, b *request) int {
		return cmp.Or(cmp.Compare(a.conn.process.number, b.conn.process.number), cmp.Compare(a.conn.server.name, b.conn.server.name), cmp.Compare(a.name(), b.name()))
	})
	r.changed()
}

// isOnItsWay tells whether a connection has a request that is not performed yet.
func (r *run) isOnItsWay(w *wire) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.pending, func(q *request) bool { return q.conn == w })
}

func (r *run) changed() {
	select {
	case r.arrived <- struct{}{}:
	default:
	}
}

func (r *run) ended(p *Process) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p.done = true
	r.changed()
}

func (r *run) allEnded() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !slices.ContainsFunc(r.processes, func(p *Process) bool { return !p.done && (!p.dead || r.isOver()) })
}

// enter is false when the process must not go on.
func (r *run) enter(p *Process, section string) bool {
	r.mu.Lock()
	if p.dead && !r.isOver() {
		r.mu.Unlock()
		<-r.over
		return false
	}
	defer r.mu.Unlock()
	if r.isOver() {
		return false
	}
	r.inside[section] = append(r.inside[section], p)
	r.tell(p.Name + " enters " + section)
	r.record(recording.Event{Kind: recording.Enter, Actor: p.Name, Section: section})
	if in := r.inside[section]; len(in) > 1 && r.broken == nil {
		r.broken = fmt.Errorf("mutual exclusion: %s and %s are inside %s at the same time", in[0].Name, p.Name, section)
	}
	return true
}

func (r *run) leave(p *Process, section string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := slices.Index(r.inside[section], p); i >= 0 && !r.isOver() {
		r.inside[section] = slices.Delete(r.inside[section], i, i+1)
		r.tell(p.Name + " leaves " + section)
		r.record(recording.Event{Kind: recording.Leave, Actor: p.Name, Section: section})
	}
}

// waiting names the processes that have not ended.
func (r *run) waiting() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var names []string
	for _, p := range r.processes {
		if !p.done && !p.dead {
			names = append(names, p.Name)
		}
	}
	return fmt.Sprint(names)
}
