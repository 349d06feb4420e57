package redistest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"lockstep/node/redis/port"
)

// kind is what a choice does.
type kind uint8

const (
	performs kind = iota // a request is performed, and its reply arrives
	waits                // time passes while no request can be performed
	resumes              // a paused process goes on, or its network is fast again
	returns              // a server is there again
	ticks                // time passes while requests wait
	pauses               // a request is performed, and the process is paused before it sees the reply
	loses                // a request is performed, and its connection breaks
	drops                // the connection breaks before the request is performed
	slows                // the requests of a process stay on their way for a while
	crashes              // a process dies
	restarts             // a server starts again, empty
	leaves               // a server ends its connections and refuses others, with its data
	hangs                // a server takes no requests for a while
	promotes             // a replica takes over from the master
	ends                 // nothing more happens once all processes have ended
	kinds
)

// isBarrier tells whether a step changes places with no other.
func (k kind) isBarrier() bool {
	return k == waits || k == ticks || k == returns || k == restarts || k == leaves || k == hangs || k == promotes
}

// isSwitch tells whether a step, where it is not expected, is a switch and no fault.
func (k kind) isSwitch() bool { return k == performs || k == resumes || k == returns }

// step is a choice that can be made.
type step struct {
	kind    kind
	request *request // of some kinds
	process *Process
	server  *server
	data    *port.Snapshot // with which a replica takes over; nil: with all
	later   bool           // a pause or a loss comes with the reply, for which the request may wait
	awakes  bool           // of two that hold up a process, it is the pause that ends
	paused  bool           // a request is performed whose process is paused
	after   bool           // what follows on the connection is performed before it breaks, and not replied to
	sent    bool           // a process dies, and what it has sent to servers that hang is performed later
	anew    bool           // a server is there again as one that has started again, with its data
	unseen  bool           // its process is paused before it sees that the connection breaks
	deaf    []*wire        // where nobody hears, or not before the server goes on, what a request tells who waits or listens as a server comes to its end or hangs; …
	seen    bool           // … but its process hears the reply at once
	first   []*wire        // on which a process that goes on reads what it is late for before it reads anything else, if any; or that breaks; …
	turned  bool           // … which is not the order in which Go would have it
	mark                   // its name is no other choice's at this step
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

// before is the part of a schedule that leads to a step.
func (s Schedule) before(step int) Schedule {
	i := slices.IndexFunc(s, func(d Deviation) bool { return d.Step >= step })
	if i < 0 {
		i = len(s)
	}
	return s[:i:i]
}

// choices are what may happen next, the expected choice first: requests in the order in which
// they came, or else time passes, or else what is held goes on. After the last step that is
// varied, what is held goes on first, as no fault lasts for ever.
func (r *run) choices() []step {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.pending) == 0 && !slices.ContainsFunc(r.processes, (*Process).lives) {
		return r.afterAll()
	}
	ready := slices.DeleteFunc(slices.Clone(r.pending), func(q *request) bool { return q.isHeld() || r.isBehind(q) })
	slices.SortStableFunc(ready, func(a, b *request) int { return cmp.Compare(a.arrived, b.arrived) })
	var cs []step
	for _, q := range ready {
		cs = append(cs, step{kind: performs, request: q, process: q.conn.process, mark: mark{Name: q.name}})
	}
	held := r.held()
	cs = append(cs, held...)
	if len(ready) == 0 && !r.idle && !r.overdue() {
		pass := step{kind: waits, mark: mark{Name: "time passes"}}
		if len(held) > 0 && !r.othersAreBusy() {
			cs = append(cs, pass) // it is the clock of who is held alone that may notice
		} else {
			cs = slices.Insert(cs, 0, pass)
		}
	}
	if len(cs) == 0 {
		return nil // a fault would only hide that those who are left wait for ever
	}
	all := distinct(append(cs, r.faults(ready)...))
	if len(r.steps) < r.bounds.Steps {
		return all
	}
	r.beyond = r.beyond || len(all) > 1
	if len(held) > 0 {
		return held[:1]
	}
	return cs[:1]
}

// afterAll are the choices when all processes have ended: what they were told last may still be lost, which only checks
// would notice; r.mu is held.
func (r *run) afterAll() []step {
	lost := slices.DeleteFunc(append(r.ofServers(), r.failovers()...), func(s step) bool { return s.kind == leaves || s.kind == hangs })
	if len(lost) == 0 || len(r.checks) == 0 || len(r.steps) > 0 && r.steps[len(r.steps)-1].kind == ends {
		return nil
	}
	if over := (step{kind: ends, mark: mark{Name: "nothing more happens"}}); len(r.steps) < r.bounds.Steps {
		return append([]step{over}, lost...)
	}
	r.beyond = true
	return nil
}

// isBehind tells whether another request comes first on the same connection; r.mu is held.
func (r *run) isBehind(q *request) bool {
	return slices.ContainsFunc(r.pending, func(p *request) bool { return p.conn == q.conn && p.number < q.number })
}

// isFollowed tells whether more is on its way on the same connection; r.mu is held.
func (r *run) isFollowed(q *request) bool {
	return len(q.rest) > 0 || slices.ContainsFunc(r.pending, func(p *request) bool { return p.conn == q.conn && p != q })
}

// othersAreBusy tells whether something may happen while requests are held up; r.mu is held.
func (r *run) othersAreBusy() bool {
	_, due := r.untilDue()
	return due || slices.ContainsFunc(r.processes, func(p *Process) bool { return p.lives() && !p.paused })
}

// held are the choices that end what holds requests up; r.mu is held.
func (r *run) held() (cs []step) {
	for _, p := range r.processes {
		if !p.dead && p.slow {
			cs = append(cs, r.inAnyOrder(step{kind: resumes, process: p, mark: mark{Name: "the network of " + p.Name + " is fast again"}})...)
		}
		if !p.dead && p.paused {
			cs = append(cs, r.inAnyOrder(step{kind: resumes, process: p, awakes: true, mark: mark{Name: p.Name + " goes on"}})...)
		}
	}
	for _, s := range r.servers {
		if s.away || s.silent {
			cs = append(cs, step{kind: returns, server: s, mark: mark{Name: s.name + " is there again"}})
			if s.away && s.learnt {
				cs = append(cs, step{kind: returns, server: s, anew: true, mark: mark{Name: s.name + " has started again, with its data and without scripts and settings of clients"}})
			}
			for _, w := range s.owed() {
				if p := w.process; !p.paused && !p.dead && r.spent[pauses] < r.bounds.Pauses {
					cs = append(cs, step{kind: returns, server: s, process: p, unseen: true, mark: mark{Name: s.name + " is there again, and " + p.Name + " is paused before it sees the reply"}})
				}
			}
		}
	}
	return cs
}

// inAnyOrder are the ways in which a process goes on: what is late on several connections arrives at one moment, and Go has
// who reads the last one run first. So each of the others comes first, too; r.mu is held.
func (r *run) inAnyOrder(s step) []step {
	late := slices.DeleteFunc(r.connsOf(s.process), func(w *wire) bool { return !w.isLateFor(s.awakes) })
	if len(late) > 1 {
		s.first = late[len(late)-1:] // under the race detector Go has anybody run first
	}
	cs := []step{s}
	for i := 0; i+1 < len(late); i++ {
		other := s
		other.first, other.turned = late[i:i+1], true
		other.Name += fmt.Sprintf(", and sees first what %s has said on connection %d", late[i].server.name, late[i].number)
		cs = append(cs, other)
	}
	return cs
}

func (r *run) isHeldUp() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.held()) > 0
}

// faults are those that the budgets allow; r.mu is held.
func (r *run) faults(ready []*request) (cs []step) {
	left := func(k kind) bool { return r.spent[k] < r.bounds.of(k) }
	if (left(ticks) || r.tickGoesOn()) && len(ready) > 0 && !r.overdue() {
		cs = append(cs, step{kind: ticks, mark: mark{Name: "time passes"}})
	}
	asks := map[*Process]bool{}
	for _, q := range ready {
		p := q.conn.process
		if p.dead || q.hangsUp {
			continue // nobody learns of its replies
		}
		for _, f := range []struct {
			kind                 kind
			later, after, unseen bool
			name                 string
		}{
			{kind: pauses, name: "paused: "},
			{kind: loses, name: "lost: "},
			{kind: drops, name: "dropped: "},
			{kind: pauses, later: true, name: "paused, once answered: "},
			{kind: loses, later: true, name: "lost, once answered: "},
			{kind: loses, after: true, name: "lost, after what follows: "},
			{kind: loses, unseen: true, name: "lost, and paused: "},
			{kind: drops, unseen: true, name: "dropped, and paused: "},
		} {
			pausable := left(pauses) && !p.paused
			cut := f.kind == loses && !f.later && !f.after && !f.unseen && q.conn.isBreaking() && r.isFollowed(q) // as its replies get lost, what follows may, too
			if (left(f.kind) || cut) && (pausable || f.kind != pauses && !f.unseen) && (q.mayWait() || q.conn.server.pauses || !f.later) && (r.isFollowed(q) || !f.after) {
				cs = append(cs, step{kind: f.kind, request: q, process: p, later: f.later, after: f.after, unseen: f.unseen, mark: mark{Name: f.name + q.name}})
			}
		}
		asks[p] = true
	}
	for _, p := range r.processes {
		if left(slows) && (asks[p] || p.lives() && !p.slow && slices.ContainsFunc(r.connsOf(p), func(w *wire) bool { return w.stays && !w.isClosed() })) {
			cs = append(cs, step{kind: slows, process: p, mark: mark{Name: p.Name + " is slow"}})
		}
		if left(crashes) && (p.lives() || asks[p]) { // a goroutine may outlive its process
			cs = append(cs, step{kind: crashes, process: p, mark: mark{Name: p.Name + " crashes"}})
			if slices.ContainsFunc(r.pending, func(q *request) bool { return q.outlives(p) }) {
				cs = append(cs, step{kind: crashes, process: p, sent: true, mark: mark{Name: p.Name + " crashes, and what it has sent is on its way"}})
			}
		}
	}
	for _, s := range r.servers {
		for _, w := range s.owed() {
			if left(loses) {
				cs = append(cs, step{kind: loses, server: s, process: w.process, first: []*wire{w}, mark: mark{Name: "lost while " + s.name + " hangs: " + w.process.Name}})
			}
		}
	}
	cs = append(append(cs, r.ofServers()...), r.failovers()...)
	for _, s := range slices.Clone(cs) {
		for _, q := range ready {
			if q.conn.process.dead || q.hangsUp || !s.takesAlong(q, &r.replicated) {
				continue
			}
			cs = append(cs, s.along(q)...)
		}
	}
	return cs
}

// along are the ways in which a fault of a server comes once a request is performed and before all that comes of it is there.
func (s step) along(q *request) (cs []step) {
	once := step{kind: s.kind, request: q, process: q.conn.process, server: s.server, mark: mark{Name: s.Name + ", once performed: " + q.name}}
	add := func(s step, lost bool) {
		cs = append(cs, s)
		if lost && s.kind == promotes {
			s.data, s.Name = q.conn.server.redis.Snapshot(), s.Name+", without what it has written"
			cs = append(cs, s)
		}
	}
	add(once, len(q.mayTell()) > 0)
	for _, deaf := range q.whoMayMissIt() {
		missed := once
		missed.deaf, missed.Name = deaf, once.Name+", missed by "+namesOf(deaf)
		add(missed, false)
		missed.seen, missed.Name = true, missed.Name+", and not by "+q.conn.process.Name
		add(missed, true)
	}
	return cs
}

// namesOf are connections as the names of choices have them.
func namesOf(conns []*wire) string {
	var names []string
	for _, w := range conns {
		names = append(names, fmt.Sprintf("%s on connection %d", w.process.Name, w.number))
	}
	return strings.Join(names, " and ")
}

// takesAlong tells whether a fault of a server may come after a request was performed and before its reply is there, where
// that differs from both of its neighbours.
func (s step) takesAlong(q *request, g *replicated) bool {
	switch s.kind {
	case leaves:
		return s.server == q.conn.server
	case restarts: // of an empty server, only who was told something knows what it has performed
		return s.server == q.conn.server && len(q.mayTell()) > 0
	case hangs:
		return s.server == q.conn.server && (len(q.mayTell()) > 0 || q.isAwaited()) // else nobody sees when the reply comes
	case promotes:
		return s.data == nil && g.isMaster(q.conn.server)
	default:
		return false
	}
}

// ofServers are the faults of servers that the budgets allow, failovers aside. One that hangs comes to its end only where it owes
// a reply: else it is as if it were there again before. r.mu is held.
func (r *run) ofServers() (cs []step) {
	for _, s := range r.servers {
		for _, k := range []kind{restarts, leaves, hangs} {
			if r.spent[k] < r.bounds.of(k) && !s.away && (!s.silent || k != hangs && len(s.owed()) > 0) && !s.spare && !s.sentinel {
				name := s.name + map[kind]string{restarts: " restarts", leaves: " goes away", hangs: " hangs"}[k]
				cs = append(cs, step{kind: k, server: s, mark: mark{Name: name}})
			}
		}
	}
	return cs
}

// tickGoesOn tells whether more time may pass that counts as one delay with what has passed.
func (r *run) tickGoesOn() bool { return r.onGrid && r.steps[len(r.steps)-1].kind == ticks }

// distinct gives choices of one name further ones: two goroutines of a process may ask the same.
func distinct(cs []step) []step {
	named := map[string]bool{}
	for i := range cs {
		for named[cs[i].Name] {
			cs[i].Name += "'"
		}
		named[cs[i].Name] = true
	}
	return cs
}

// overdue tells whether a pause has taken as long as any may, so that time cannot pass; r.mu is
// held.
func (r *run) overdue() bool {
	left, any := r.untilOverdue()
	return any && left <= 0
}
