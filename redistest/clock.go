package redistest

import (
	"slices"
	"time"
)

// now is the time since the beginning, without the moments.
func (r *run) now() time.Duration { return time.Since(r.begin).Round(time.Microsecond) }

// pass has a moment pass. Random numbers are often seeded with the time, so processes begin at different
// moments; what happens within such moments happens at once.
func (r *run) pass(moment time.Duration) {
	if r.quiet(); len(r.mutexes) == 0 {
		time.Sleep(moment)
	}
}

// letTimePass waits until a request comes or a server has something to do; delayed tells that
// something waits for it, so that the grid counts.
func (r *run) letTimePass(delayed bool) bool {
	r.performer, r.asleep = "", nil
	select { // what has arrived is known
	case <-r.arrived:
	default:
	}
	r.reseed(nil)
	r.mu.Lock()
	limit, servers := r.untilDue(), slices.Clone(r.servers)
	if grid := r.bounds.Grid; delayed && grid > 0 && r.othersAreBusy() {
		r.onGrid = grid < limit
		limit = min(limit, grid)
	}
	r.mu.Unlock()
	arrived := false
	select {
	case <-r.arrived:
		arrived, r.onGrid = true, false
	case <-time.After(limit):
	}
	if r.pass(time.Duration(len(r.processes))); arrived {
		return true
	}
	for _, s := range servers {
		s.redis.Tick()
	}
	r.recordAnswers()
	return limit < horizon
}

// untilDue is how long it is until something happens on a server by itself, or a pause has taken
// as long as any may.
func (r *run) untilDue() time.Duration {
	least := horizon
	for _, s := range r.servers {
		if d, ok := s.redis.Due(); ok {
			least = min(least, d+time.Millisecond)
		}
	}
	if left, ok := r.untilOverdue(); ok {
		least = min(least, left)
	}
	return least
}

// untilOverdue is how long the oldest pause may still take, if there are any that may not take
// as long as they like.
func (r *run) untilOverdue() (left time.Duration, any bool) {
	left = horizon
	for _, p := range r.processes {
		if p.paused && p.lives() && r.bounds.LongestPause > 0 {
			left, any = min(left, r.bounds.LongestPause-time.Since(p.pausedAt)), true
		}
	}
	return left, any
}
