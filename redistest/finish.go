package redistest

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// finish ends what is left of the run. The code under test is expected to end when its
// requests fail.
func (r *run) finish(end func()) {
	r.mu.Lock()
	close(r.over)
	r.pending = nil
	r.mu.Unlock()
	end()
	for _, s := range r.servers {
		for _, w := range s.conns {
			w.setPaused(false)
			w.setSlow(false) // or who has no timeout would wait for what was on its way
			w.end(net.ErrClosed)
		}
	}
	r.ends.Store(true)
	began := r.looked.Load()
	for wait, left := time.Minute, patience; ; wait, left = min(2*wait, time.Hour), left-wait {
		r.progress.Add(1)
		if r.quiet(); len(r.mutexes) > 0 {
			r.giveUp(errors.New("somebody waits for a mutex in the end, and nobody releases it:\n" + r.mutexes[0]))
			return
		}
		if r.allEnded() {
			break
		}
		if left < 0 || r.looked.Load()-began > patientEnd {
			r.giveUp(fmt.Errorf("%s does not end when its context does and its requests fail", r.waiting()))
			return
		}
		time.Sleep(wait)
	}
	time.Sleep(farewell)
	r.quiet()
}

// giveUp leaves the bubble as it is: its time stands still.
func (r *run) giveUp(why error) {
	if r.broken == nil {
		r.broken = why
	}
	r.givesUp = true
}

// standStill never returns in a bubble that was left before it has ended: what it cleans up is in use elsewhere.
func (r *run) standStill() {
	if r.abandoned.Load() {
		var never sync.Mutex // whoever waits for it keeps the time of the bubble from passing
		never.Lock()
		never.Lock()
	}
}

// patience is for how long the code under test may go on after its context has ended, as it may sleep, if
// that does not take as many looks.
const (
	patience   = 100 * 24 * time.Hour
	patientEnd = 15
)

// farewell is for how long pools of clients may go on dialing once they are closed. The
// bubble's time stands still when it is over, and with it whoever still waits.
const farewell = time.Minute
