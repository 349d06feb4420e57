package redistest

import (
	"fmt"
	"hash/crc64"
	"io"
	"slices"
	"time"

	"lockstep/recording"
)

// take makes a choice: the one that the schedule says, or else the first that is not asleep. False
// means that all of them lead where another run has been.
func (r *run) take(cs []step) bool {
	r.deviate(len(cs))
	i, awake := r.choose(cs)
	if !awake {
		return false
	}
	if i >= len(cs) {
		r.stray = fmt.Errorf("at step %d there are %d choices, and not more than %d", len(r.steps), len(cs), i)
		return true
	}
	s := cs[i]
	r.mu.Lock()
	due, _ := r.untilDue()
	s.At, s.Due = r.now(), due.Round(time.Millisecond)
	if s.request != nil {
		s.Sent = crc64.Checksum(s.request.data, sums)
	}
	s.paused = s.request != nil && s.process.paused
	r.mu.Unlock()
	cut := s.kind == loses && s.request != nil && s.request.conn.isBreaking() // counted as its replies were
	if !cut && (s.kind != ticks || !r.tickGoesOn()) {
		r.spent[s.kind]++
	}
	if s.unseen {
		r.spent[pauses]++
	}
	for _, c := range cs {
		r.seen.Offered[c.kind] = true
		r.seen.Offered[pauses] = r.seen.Offered[pauses] || c.unseen
	}
	r.offered = append(r.offered, cs)
	r.steps = append(r.steps, s)
	r.onGrid = false
	r.performer, r.idle = "", false
	r.startStep(s)
	r.relabel()
	r.reseed(s.process)
	r.do(s)
	return true
}

func (r *run) do(s step) {
	switch s.kind {
	case performs, pauses, loses:
		switch {
		case s.request == nil:
			r.lose(s.first[0], "what "+s.server.name+" owes it")
		case s.request.hangsUp:
			r.hasHungUp(s.request)
		default:
			r.send(s)
		}
	case drops:
		r.drop(s)
	case waits, ticks:
		if r.timeStands() {
			return
		}
		before, told := time.Now(), s.kind == ticks || r.isHeldUp()
		r.idle = !r.letTimePass(told, make(chan struct{}, 1))
		if told {
			r.tellNow(fmt.Sprintf("%s pass", time.Since(before).Round(time.Millisecond)))
		}
	case resumes:
		r.resume(s)
	case slows:
		r.tellNow("the network of " + s.process.Name + " is slow")
		r.setSlow(s.process, true)
	case crashes:
		r.tellNow(s.Name)
		r.recordNow(recording.Event{Kind: recording.Crash, Actor: s.process.Name})
		r.crash(s.process, s.sent)
	case promotes:
		r.sendFirst(s)
		r.promote(s)
	case ends: // and is told as the end of the story
	case hangs:
		owes := r.sendLast(s)
		r.setSilent(s.server, true)
		s.server.owes, s.server.hungAt = owes, time.Now()
		r.tellNow(s.server.name + " hangs: it performs nothing for a while")
	case restarts, leaves, returns:
		r.sendFirst(s)
		r.doToServer(s)
	default:
		panic("redistest: there is no such step")
	}
}

// send performs a request.
func (r *run) send(s step) {
	q, w := s.request, s.request.conn
	if s.after {
		w.setBreaks()
		s.kind = performs
	}
	if s.later {
		later := s
		w.setThen(&later)
		r.later = append(r.later, w)
		s.kind = performs
	}
	r.forget(func(other *request) bool { return other == q || s.kind == loses && other.conn == w })
	if len(q.rest) > 0 && s.kind != loses {
		r.mu.Lock()
		r.add(q.next())
		r.mu.Unlock()
	}
	r.reply.listen(w)
	r.reply.hold()
	if s.kind == pauses || s.unseen {
		r.setPaused(s.process, true)
	}
	if s.kind == loses {
		w.breakOff()
	}
	written, recorded := r.reserve(), r.recordRequest(q) // before what the reply leads to
	before := r.copyFor(q)
	w.local.Send(q.data)
	if before != nil && w.server.changed.any() {
		r.replicated.before = before
		r.trail.touch(lastWrite, true)
	}
	if s.kind == loses && s.server == nil {
		w.end(io.EOF) // only now: who learns of it hangs up, and the server would not perform the request
	}
	r.performer = s.process.Name
	said := r.reply.heardSoFar()
	w.waits = q.answer(said) == ""
	w.held = w.waits && q.mayChange()
	if w.waits {
		r.trail.touch(whole(w.server), true) // CLIENT PAUSE may have the server perform it later, after those that came before
	}
	r.comesToTheSame(s.later && !w.waits) // as if it were not later
	r.seen.replied(s.process, q, said)
	q.hasRun(said)
	recorded(said, s.kind)
	r.recordAnswers()
	line := fmt.Sprintf("%s: %s%s → %s", s.process.Name, onServer(r, w.server), q.shown(), shownReply(q.answer(said)))
	switch s.kind {
	case pauses:
		line += ", which it does not see yet: it is paused"
	case loses:
		line += ", and the connection breaks before the reply is there" + s.unseenText()
	default:
		switch {
		case w.isClosed():
			line += ", but nobody waits for that any more"
		case w.isBreaking() && r.isOnItsWay(w):
			line += ", and this reply gets lost"
		case w.isBreaking():
			line += ", and the connection breaks before the reply is there"
		case !s.paused && w.isAnswered():
			line += ", and the reply is not there yet"
		}
	}
	written(line)
	r.reply.letGo()
	if w.isBreaking() && !r.isOnItsWay(w) {
		w.end(io.EOF)
	}
	if w.isClosed() && !r.isOnItsWay(w) {
		r.trail.touch(whole(w.server), w.stays)
		r.hangUp(w)
	}
}

// comesToTheSame ends a run that comes to the same as another one of a search.
func (r *run) comesToTheSame(is bool) {
	r.blocked = r.blocked || is && r.chance == nil && !r.plan.alone
}

// hangUp has a server learn that a connection is closed. Of one that has broken it knows.
func (r *run) hangUp(w *wire) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !w.waits || w.isBroken() || r.isOver() {
		w.local.Close()
		return
	}
	w.requests++
	r.add(&request{conn: w, name: w.process.Name + " hangs up on " + w.server.name, sent: r.now(), arrived: r.rounds, number: w.requests, hangsUp: true})
	r.changed()
}

// hasHungUp has the server know it.
func (r *run) hasHungUp(q *request) {
	r.forget(func(other *request) bool { return other == q })
	r.tellNow(fmt.Sprintf("%s learns that %s has hung up", q.conn.server.name, q.conn.process.Name))
	q.conn.local.Close()
}

// sendFirst performs the request whose reply a server that comes to its end does not send any more, if there is one.
func (r *run) sendFirst(s step) {
	if s.request == nil {
		return
	}
	how := loses
	if s.seen {
		how = performs
	}
	for _, other := range s.deaf {
		other.breakOff()
	}
	r.send(step{kind: how, request: s.request, process: s.process, server: s.server})
	r.tellWhoMissesIt(s.deaf, ", and its connection breaks before that is there")
	r.quiet() // whoever else was told something has done with it what can be done at once
}

// tellWhoMissesIt tells of those whom a request has told something that they do not hear.
func (r *run) tellWhoMissesIt(deaf []*wire, what string) (missed []*wire) {
	missed = slices.DeleteFunc(r.reply.hasTold(), func(w *wire) bool { return !slices.Contains(deaf, w) })
	for _, w := range missed {
		r.tellNow(w.process.Name + " is told something" + what)
	}
	r.comesToTheSame(len(deaf) > 0 && len(missed) == 0) // as if all heard it
	return missed
}

// sendLast performs the request with which a server begins to hang, if there is one, and returns the connections to which it says
// what came of that only when it goes on.
func (r *run) sendLast(s step) (owes []*wire) {
	if s.request == nil {
		return nil
	}
	own := s.request.conn
	for _, w := range s.deaf {
		w.setSlow(true)
	}
	if !s.seen {
		own.setSlow(true)
		owes = append(owes, own)
	}
	r.send(step{kind: performs, request: s.request, process: s.process})
	if len(s.deaf) == 0 {
		r.comesToTheSame(own.waits || !s.request.isAwaited()) // as if it hung afterwards
	}
	return append(owes, r.tellWhoMissesIt(s.deaf, ", and that is not there yet")...)
}

// answered does what was to happen once requests that waited are answered.
func (r *run) answered() {
	r.later = slices.DeleteFunc(r.later, func(w *wire) bool {
		s := w.then
		if w.waits || !w.isAnswered() || s.process.dead {
			return s.process.dead
		}
		w.setThen(nil)
		switch q := s.request; {
		case s.kind == loses:
			r.lose(w, "the reply to "+q.shown())
		case !s.process.paused:
			r.tellNow(fmt.Sprintf("%s is paused before it sees the reply to %s", s.process.Name, q.shown()))
			r.setPaused(s.process, true)
		}
		return true
	})
}

// lose breaks a connection before what is late on it is there.
func (r *run) lose(w *wire, what string) {
	r.tellNow(fmt.Sprintf("%s: the connection breaks before %s is there", w.process.Name, what))
	r.forget(func(other *request) bool { return other.conn == w })
	w.local.Close()
	w.lose()
}

// forget takes requests off their way.
func (r *run) forget(which func(q *request) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pending = slices.DeleteFunc(r.pending, which)
}

// drop breaks a connection with a request that was not performed.
func (r *run) drop(s step) {
	q := s.request
	r.forget(func(other *request) bool { return other.conn == q.conn })
	r.tellNow(fmt.Sprintf("%s: %s%s gets lost on its way, and the connection breaks%s", s.process.Name, onServer(r, q.conn.server), q.shown(), s.unseenText()))
	if s.unseen {
		r.setPaused(s.process, true)
	}
	q.conn.local.Close()
	q.conn.end(io.EOF)
}

func (s step) unseenText() string {
	if s.unseen {
		return ", which it does not see yet: it is paused"
	}
	return ""
}

func onServer(r *run, s *server) string {
	if len(r.servers) < 2 {
		return ""
	}
	return "on " + s.name + " "
}

// resume ends the pause of a process, or what slows its network.
func (r *run) resume(s step) {
	p := s.process
	r.tellNow(s.Name)
	if !s.awakes {
		r.setSlow(p, false, s.first...)
		return
	}
	r.recordNow(recording.Event{Kind: recording.Resume, Actor: p.Name})
	r.seen.Pause = max(r.seen.Pause, time.Since(p.pausedAt).Round(time.Millisecond))
	r.setPaused(p, false, s.first...)
}

func (r *run) setPaused(p *Process, paused bool, first ...*wire) {
	r.mu.Lock()
	if paused {
		p.pausedAt, p.goesOn = time.Now(), make(chan struct{})
		for _, q := range r.pending {
			q.gone = q.gone || q.conn.process == p
		}
	} else {
		close(p.goesOn)
	}
	p.paused = paused
	own := r.connsOf(p)
	r.mu.Unlock()
	for _, w := range first {
		w.setPaused(paused)
		r.quiet()
	}
	for _, w := range own {
		w.setPaused(paused)
	}
}

// setSlow has the requests of a process stay on their way, and what servers say to it by themselves.
func (r *run) setSlow(p *Process, slow bool, first ...*wire) {
	r.mu.Lock()
	p.slow = slow
	own := r.connsOf(p)
	r.mu.Unlock()
	for _, w := range first {
		w.setSlow(slow)
		r.quiet()
	}
	for _, w := range own {
		w.setSlow(slow || w.server.silent)
	}
}

// setSilent has a server perform no requests, and what it says by itself wait, as the end of a BLPOP.
func (r *run) setSilent(s *server, silent bool) {
	r.mu.Lock()
	s.silent, s.owes = silent, nil
	conns := slices.Clone(s.conns)
	r.mu.Unlock()
	for _, w := range conns {
		w.setSlow(silent || w.process.slow)
	}
}

// endSilence has a server that hangs come to its end: what it owes is never said.
func (r *run) endSilence(s *server) {
	for _, w := range s.owes {
		w.lose()
	}
	if s.silent {
		r.setSilent(s, false)
	}
}

// connsOf are the connections of a process; r.mu is held.
func (r *run) connsOf(p *Process) (own []*wire) {
	for _, s := range r.servers {
		for _, w := range s.conns {
			if w.process == p {
				own = append(own, w)
			}
		}
	}
	return own
}

// crash ends a process: nothing that it does from now on has any effect, and nothing that it has sent, or only what is on its
// way to servers that hang.
func (r *run) crash(p *Process, sent bool) {
	r.setPaused(p, true)
	for _, w := range r.dies(p, sent) {
		r.hangUp(w)
	}
}

// dies has a process do and see nothing any more, and returns its connections that end with it.
func (r *run) dies(p *Process, sent bool) (ended []*wire) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p.dead, p.paused, p.slow = true, false, false
	r.pending = slices.DeleteFunc(r.pending, func(q *request) bool { return q.conn.process == p && !(sent && q.outlives(p)) })
	for section, in := range r.inside {
		r.inside[section] = slices.DeleteFunc(in, func(v visit) bool { return v.process == p })
	}
	for _, w := range r.connsOf(p) {
		w.setClosed()
		if !slices.ContainsFunc(r.pending, func(q *request) bool { return q.conn == w }) {
			ended = append(ended, w)
		}
	}
	return ended
}

func (r *run) set(state *bool, is bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	*state = is
}

// doToServer has a server come or go.
func (r *run) doToServer(s step) {
	switch at := s.server; s.kind {
	case restarts:
		r.tellNow(at.name + " starts again, empty")
		r.recordNow(recording.Event{Kind: recording.Restart, Server: at.name})
		r.endSilence(at)
		at.start(r)
		r.performer = "" // nobody has taken away what is gone
		if r.replicated.isMaster(at) {
			r.replicated.before = nil
		}
		r.disconnect(at)
	case leaves:
		r.tellNow(at.name + " goes away: it ends its connections and takes no others")
		r.mu.Lock()
		at.away, r.vain = true, 0
		clear(at.refused)
		r.mu.Unlock()
		r.endSilence(at)
		r.disconnect(at)
	default:
		r.tellNow(s.Name)
		if s.unseen {
			r.setPaused(s.process, true)
		}
		if s.anew {
			at.startAnew(r)
		}
		r.set(&at.away, false)
		r.setSilent(at, false)
	}
}

// disconnect ends all connections of a server, with the requests that were on their way.
func (r *run) disconnect(s *server) {
	r.forget(func(q *request) bool { return q.conn.server == s })
	r.mu.Lock()
	conns := s.conns
	s.conns = slices.DeleteFunc(slices.Clone(conns), func(w *wire) bool { return !w.process.paused && !w.process.slow && !w.process.dead }) // these learn of it later
	r.mu.Unlock()
	for _, w := range conns {
		w.local.Close()
		w.end(io.EOF)
	}
}
