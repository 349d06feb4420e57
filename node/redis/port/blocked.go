package port

import (
	"cmp"
	"slices"
	"time"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/redis/blocking"
)

// waiter is a client that is blocked until one of its keys has something for it.
type waiter struct {
	conn     *conn
	call     call
	form     blocking.Form
	db       int
	keys     []string       // without repetitions
	deadline engine.Instant // 0: it waits for ever
}

// blocked is all clients that wait, in the order in which they came.
type blocked struct {
	byKey     map[databaseKey][]*waiter
	ready     []databaseKey // keys of byKey that have changed, in the order of their first change
	deadlines []*waiter     // those that do not wait for ever, by deadline
	changed   chan struct{} // wakes cron, which may have an earlier deadline to meet
}

type databaseKey struct {
	db  int
	key string
}

// touch notes that a key has changed, if somebody waits for it.
func (b *blocked) touch(at databaseKey) {
	if len(b.byKey[at]) > 0 && !slices.Contains(b.ready, at) {
		b.ready = append(b.ready, at)
	}
}

func (b *blocked) next() (engine.Instant, bool) {
	if len(b.deadlines) == 0 {
		return 0, false
	}
	return b.deadlines[0].deadline, true
}

// queue has a waiter give up after those whose deadlines are not later.
func (b *blocked) queue(w *waiter) {
	i, _ := slices.BinarySearchFunc(b.deadlines, w.deadline+1, func(o *waiter, at engine.Instant) int { return cmp.Compare(o.deadline, at) })
	b.deadlines = slices.Insert(b.deadlines, i, w)
}

// block makes a client wait whose command has found nothing; a timeout of 0 is none.
func (s *Server) block(c *conn, k call, timeout time.Duration) {
	w := &waiter{conn: c, call: k, form: blocking.Forms[k.data.Name()], db: c.db}
	if w.form.KeyType == "stream" {
		w.call.args = s.data.resolveLastIDs(c.db, k)
	}
	if timeout > 0 {
		w.deadline = s.clock.now + min(timeout, maxAdvance)
	}
	keys := k.data.KeyPositions(k.args)
	seen := make(map[string]bool, len(keys))
	for _, i := range keys {
		if key := k.args[i]; !seen[key] {
			seen[key] = true
			w.keys = append(w.keys, key)
			at := databaseKey{w.db, key}
			s.blocked.byKey[at] = append(s.blocked.byKey[at], w)
		}
	}
	if w.deadline > 0 {
		s.blocked.queue(w)
		if s.blocked.deadlines[0] == w {
			s.wakeCron()
		}
	}
	c.waiting = w
}

// wakeCron has cron look at the deadlines again.
func (s *Server) wakeCron() {
	select {
	case s.blocked.changed <- struct{}{}:
	default: // it is about to look anyway
	}
}

// unblock ends a client's wait, after it was answered. What it has sent
// meanwhile runs when the command that is running now has ended.
func (s *Server) unblock(c *conn) {
	s.stopWaiting(c)
	s.resumable = append(s.resumable, c)
}

func (s *Server) stopWaiting(c *conn) {
	w := c.waiting
	if w == nil {
		return
	}
	c.waiting = nil
	for _, key := range w.keys {
		at := databaseKey{w.db, key}
		left := slices.DeleteFunc(s.blocked.byKey[at], func(other *waiter) bool { return other == w })
		if len(left) > 0 {
			s.blocked.byKey[at] = left
		} else {
			delete(s.blocked.byKey, at)
		}
	}
	if i := slices.Index(s.blocked.deadlines, w); i >= 0 {
		s.blocked.deadlines = slices.Delete(s.blocked.deadlines, i, i+1)
	}
}

// serveBlocked gives what the last command brought to the clients that wait for
// it: key by key in the order in which the keys got something, and for each key
// whoever came first.
func (s *Server) serveBlocked() {
	for len(s.blocked.ready) > 0 && !s.script.busy {
		at := s.blocked.ready[0]
		s.blocked.ready = s.blocked.ready[1:]
		s.serveKey(at) // who is served may make more keys ready
	}
}

func (s *Server) serveKey(at databaseKey) {
	for i := 0; i < len(s.blocked.byKey[at]); {
		holds := s.data.do(at.db, []string{"TYPE", at.key}).Str
		if holds == "none" {
			return
		}
		w := s.blocked.byKey[at][i]
		if w.form.KeyType != holds || !s.serve(w, at.key) {
			i++
		}
	}
}

// serve runs a waiter's command on a key. If that finds something, the client
// waits no more and is gone from the list of those who do.
func (s *Server) serve(w *waiter, key string) bool {
	s.serving = w.conn
	r := s.data.do(w.db, w.form.OnKey(w.call.args, key))
	s.serving = nil
	if r.Kind == reply.Nil {
		return false
	}
	w.conn.replyShaped(w.call, r)
	s.sendPendingInvalidations(w.conn)
	if s.follower != nil {
		s.tellOf(w.conn, Done{Kind: Answered, Args: w.call.args, Reply: r})
	}
	s.unblock(w.conn)
	return true
}

// timeOutWaiters answers the blocked clients whose timeout is over, in the order of their deadlines.
func (s *Server) timeOutWaiters() {
	for len(s.blocked.deadlines) > 0 && s.blocked.deadlines[0].deadline <= s.clock.now {
		s.timeOut(s.blocked.deadlines[0].conn)
	}
}

func (s *Server) timeOut(c *conn) {
	c.append(func(b []byte) []byte { return appendNil(b, c.proto, '*') })
	if s.follower != nil {
		s.tellOf(c, Done{Kind: Answered, Args: c.waiting.call.args})
	}
	s.unblock(c)
}

// resolveLastIDs are the arguments of an XREAD with what $ means now: the last
// record of each stream.
func (d *databases) resolveLastIDs(db int, k call) []string {
	fixed := slices.Clone(k.args)
	keys := k.data.KeyPositions(k.args)
	for _, i := range keys {
		id := i + len(keys)
		if fixed[id] != "$" {
			continue
		}
		fixed[id] = "0-0"
		last := d.do(db, []string{"XREVRANGE", fixed[i], "+", "-", "COUNT", "1"})
		if len(last.Elems) == 1 && len(last.Elems[0].Elems) > 0 {
			fixed[id] = last.Elems[0].Elems[0].Str
		}
	}
	return fixed
}
