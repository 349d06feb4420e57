package redistest

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"lockstep/recording"
)

// kind is what a choice does.
type kind uint8

const (
	performs kind = iota // a request is performed, and its reply arrives
	waits                // time passes while only paused processes could go on
	resumes              // a paused process goes on
	ticks                // time passes while requests wait
	pauses               // a request is performed, and the process is paused before it sees the reply
	loses                // a request is performed, and its connection breaks
	crashes              // a process dies before its request is performed
	restarts             // a server starts again, empty
	kinds
)

// step is a choice that can be made.
type step struct {
	kind    kind
	request *request // of the first kinds
	process *Process
	server  *server
	name    string // two runs made the same choice if their names are equal
}

// Schedule is the deviations from the expected order: at which step which choice is made,
// where 0 is the expected one.
type Schedule []Deviation

// Deviation is one choice that is not the expected one.
type Deviation struct{ Step, Choice int }

// String is a schedule as a test can name it, to be replayed.
func (s Schedule) String() string {
	parts := make([]string, len(s))
	for i, d := range s {
		parts[i] = fmt.Sprintf("{%d, %d}", d.Step, d.Choice)
	}
	return "redistest.Schedule{" + strings.Join(parts, ", ") + "}"
}

// at is the choice that the schedule makes at a step.
func (s Schedule) at(step int) int {
	for _, d := range s {
		if d.Step == step {
			return d.Choice
		}
	}
	return 0
}

// choices are all steps that may come next, the expected one first: the last process to act
// goes on, or else the first process with a request. There are none while all processes sleep,
// and only the expected one after bounds.Steps.
func (r *run) choices() (cs []step) {
	r.mu.Lock()
	defer r.mu.Unlock()
	pending := slices.DeleteFunc(slices.Clone(r.pending), func(q *request) bool { return q.conn.process.paused })
	if i := slices.IndexFunc(pending, func(q *request) bool { return q.conn.process == r.last }); i > 0 {
		q := pending[i]
		pending = slices.Insert(slices.Delete(pending, i, i+1), 0, q)
	}
	for _, q := range pending {
		cs = append(cs, step{kind: performs, request: q, process: q.conn.process, name: q.name()})
	}
	paused := slices.DeleteFunc(slices.Clone(r.processes), func(p *Process) bool { return !p.paused || p.dead })
	if len(pending) == 0 && len(paused) > 0 && r.othersAreBusy() {
		cs = append(cs, step{kind: waits, name: "time passes"})
	}
	for _, p := range paused {
		cs = append(cs, step{kind: resumes, process: p, name: p.Name + " goes on"})
	}
	if len(cs) == 0 || len(r.steps) >= r.bounds.Steps {
		r.beyond = r.beyond || len(cs) > 1
		return cs[:min(len(cs), 1)]
	}
	if r.spent[ticks] < r.bounds.Ticks && len(pending) > 0 {
		cs = append(cs, step{kind: ticks, name: "time passes"})
	}
	for _, q := range pending {
		p := q.conn.process
		if r.spent[pauses] < r.bounds.Pauses {
			cs = append(cs, step{kind: pauses, request: q, process: p, name: "paused: " + q.name()})
		}
		if r.spent[loses] < r.bounds.Losses {
			cs = append(cs, step{kind: loses, request: q, process: p, name: "lost: " + q.name()})
		}
	}
	for _, p := range r.processes {
		if r.spent[crashes] < r.bounds.Crashes && !p.done && !p.dead {
			cs = append(cs, step{kind: crashes, process: p, name: p.Name + " crashes"})
		}
	}
	for _, s := range r.servers {
		if r.spent[restarts] < r.bounds.Restarts {
			cs = append(cs, step{kind: restarts, server: s, name: s.name + " restarts"})
		}
	}
	return cs
}

// othersAreBusy tells whether a process may still do something while others are paused: it
// sleeps, or a server has something to tell it; r.mu is held.
func (r *run) othersAreBusy() bool {
	return !r.idle && slices.ContainsFunc(r.processes, func(p *Process) bool { return !p.paused && !p.dead && !p.done })
}

// take makes the choice of the schedule, or of chance, and notes it.
func (r *run) take(cs []step) {
	r.deviate(len(cs))
	i := r.schedule.at(len(r.steps))
	if i >= len(cs) {
		r.stray = fmt.Errorf("at step %d there are %d choices, and not more than %d", len(r.steps), len(cs), i)
		return
	}
	s := cs[i]
	r.offered = append(r.offered, cs)
	r.steps = append(r.steps, s)
	r.spent[s.kind]++
	r.performer, r.idle = "", false
	switch s.kind {
	case performs, pauses, loses:
		r.send(s)
	case resumes:
		r.tellNow(s.process.Name + " goes on")
		r.recordNow(recording.Event{Kind: recording.Resume, Actor: s.process.Name})
		r.setPaused(s.process, false)
		r.last = s.process
	case waits, ticks:
		before := time.Now()
		r.drainArrivals()
		r.idle = !r.letTimePass()
		r.tellNow(fmt.Sprintf("%s pass", time.Since(before).Round(time.Millisecond)))
	case crashes:
		r.tellNow(s.process.Name + " crashes")
		r.recordNow(recording.Event{Kind: recording.Crash, Actor: s.process.Name})
		r.crash(s.process)
	case restarts:
		r.tellNow(s.server.name + " starts again, empty")
		r.recordNow(recording.Event{Kind: recording.Restart, Server: s.server.name})
		r.restart(s.server)
	default:
		r.t.Fatalf("redistest: there is no step of kind %d", s.kind)
	}
}

// send performs a request.
func (r *run) send(s step) {
	q, w := s.request, s.request.conn
	r.mu.Lock()
	r.pending = slices.DeleteFunc(r.pending, func(other *request) bool { return other == q })
	r.mu.Unlock()
	r.reply.listen(w)
	if s.kind == pauses {
		r.setPaused(s.process, true)
	}
	if s.kind == loses {
		w.breakOff()
	}
	written, recorded := r.reserve(), r.recordRequest(q) // before what the reply leads to
	w.local.Send(q.data)
	if s.kind == loses {
		w.end(io.EOF) // only now: who learns of it hangs up, and the server would not perform the request
	}
	r.last, r.performer = s.process, s.process.Name
	said := r.reply.heardSoFar()
	w.waits = said == ""
	recorded(said, s.kind)
	r.recordAnswers()
	line := fmt.Sprintf("%s: %s%s → %s", s.process.Name, onServer(r, w.server), q.shown(), shownReply(said))
	switch s.kind {
	case pauses:
		line += ", which it does not see yet: it is paused"
	case loses:
		line += ", and the connection breaks before the reply is there"
	default:
	}
	written(line)
	if w.isClosed() {
		w.local.Close()
	}
}

func onServer(r *run, s *server) string {
	if len(r.servers) < 2 {
		return ""
	}
	return "on " + s.name + " "
}

func (r *run) setPaused(p *Process, paused bool) {
	r.mu.Lock()
	p.paused = paused
	var own []*wire
	for _, s := range r.servers {
		for _, w := range s.conns {
			if w.process == p {
				own = append(own, w)
			}
		}
	}
	r.mu.Unlock()
	for _, w := range own {
		w.setPaused(paused)
	}
}

func (r *run) drainArrivals() {
	select {
	case <-r.arrived:
	default:
	}
}

// crash ends a process: nothing that it does from now on has any effect.
func (r *run) crash(p *Process) {
	r.setPaused(p, true)
	r.mu.Lock()
	defer r.mu.Unlock()
	p.dead, p.paused = true, false
	r.pending = slices.DeleteFunc(r.pending, func(q *request) bool { return q.conn.process == p })
	for section, in := range r.inside {
		r.inside[section] = slices.DeleteFunc(in, func(other *Process) bool { return other == p })
	}
	for _, s := range r.servers {
		for _, w := range s.conns {
			if w.process == p {
				w.local.Close()
			}
		}
	}
}

// restart ends all connections of a server, with the requests that were on their way, and
// its data.
func (r *run) restart(s *server) {
	r.mu.Lock()
	r.pending = slices.DeleteFunc(r.pending, func(q *request) bool { return q.conn.server == s })
	conns := s.conns
	s.conns, s.redis = nil, newServer()
	r.mu.Unlock()
	for _, w := range conns {
		w.end(io.EOF)
	}
}
