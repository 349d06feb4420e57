package redistest

import (
	"slices"
	"time"
)

// now is the time since the beginning, without the moments.
func (r *run) now() time.Duration { return time.Since(r.begin).Round(time.Microsecond) }

// pass has a moment pass. Random numbers are often seeded with the time, so processes begin at different
// moments; what happens within such moments happens at once. Whoever wakes up does what can be done at once before it is known how
// long that is.
func (r *run) pass(moment func() time.Duration) {
	if r.quiet(); len(r.mutexes) == 0 {
		time.Sleep(moment())
	}
}

// untilMomentEnds is how long it is until all that comes at this moment has come. Moments end at the same time after each
// whole microsecond, so who sleeps often and who sleeps long come at one moment if that is what their sleeps add up to.
func (r *run) untilMomentEnds() time.Duration {
	left := (time.Duration(len(r.processes)) - time.Since(r.begin)) % time.Microsecond
	if left < 0 {
		left += time.Microsecond
	}
	if r.isReadBy(time.Now().Add(left)) {
		left += time.Microsecond // who reads until then learns of it a nanosecond later
	}
	return left
}

// isReadBy tells whether a process may read a connection until then, and no longer.
func (r *run) isReadBy(then time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.servers {
		for _, w := range s.conns {
			w.mu.Lock()
			is := w.readBy.Equal(then)
			w.mu.Unlock()
			if is {
				return true
			}
		}
	}
	return false
}

// letTimePass waits until a request comes or a server has something to do; delayed tells that
// something waits for it, so that the grid counts. With a channel that tells of who enters a section it ends at
// that, too, as somebody who is late, or a fault, may come then.
func (r *run) letTimePass(delayed bool, entered chan struct{}) bool {
	r.performer, r.asleep = "", nil
	r.reply.listen(nil)
	select { // what has arrived is known
	case <-r.arrived:
	default:
	}
	r.reseed(nil)
	r.mu.Lock()
	r.entered = entered
	limit, due := r.untilDue()
	bored := r.bored
	switch {
	case due:
		bored = nil
	case !delayed:
		limit = nap
	}
	servers := slices.Clone(r.servers)
	r.greeted = 0
	select {
	case <-r.bored:
	default:
	}
	if grid := r.bounds.Grid; delayed && grid > 0 && r.othersAreBusy() {
		r.onGrid = grid < limit
		due, limit = due || r.onGrid, min(limit, grid)
	}
	r.mu.Unlock()
	arrived := false
	r.passes.Store(int64(limit))
	defer r.passes.Store(0)
	select {
	case <-r.arrived:
		arrived, r.onGrid = true, false
	case <-entered:
		arrived, r.onGrid = true, true // a tick may go on
	case <-time.After(limit):
	case <-bored:
	}
	if r.pass(r.untilMomentEnds); arrived {
		select {
		case <-r.arrived: // who has entered asks at once, or two ask at the same moment
			r.onGrid = false
		default:
		}
		return true
	}
	for _, s := range servers {
		s.redis.Tick()
	}
	r.recordAnswers()
	return due
}

// untilDue is how long it is until something happens on a server by itself, or a pause has taken
// as long as any may; the horizon, if nothing will.
func (r *run) untilDue() (left time.Duration, any bool) {
	left, any = r.untilOverdue()
	for _, s := range r.servers {
		if d, ok := s.redis.Due(); ok && (!any || d+time.Millisecond < left) {
			left, any = d+time.Millisecond, true
		}
	}
	return left, any
}

// untilOverdue is how long the oldest pause may still take, or a server that owes a reply hang, if there are any that may not
// take as long as they like.
func (r *run) untilOverdue() (left time.Duration, any bool) {
	left = horizon
	longest := r.bounds.LongestPause
	for _, p := range r.processes {
		if p.paused && !p.dead && longest > 0 {
			left, any = min(left, longest-time.Since(p.pausedAt)), true
		}
	}
	for _, s := range r.servers {
		if len(s.owes) > 0 && longest > 0 {
			left, any = min(left, longest-time.Since(s.hungAt)), true
		}
	}
	return left, any
}
