package web

import (
	"context"
	"math/rand/v2"
	"net/http"
	"time"
)

// Drain gives learners so long, once the server is told to end, to go to another server: after their next step,
// or when their time has come, which is spread so that they do not all come at once. 0: they are cut off, and
// come back by themselves. It is for servers that do not serve yet.
func (s *Server) Drain(atMost time.Duration) { s.drainFor = atMost }

// drain waits until the last learner has gone, for drainFor at most.
func (s *Server) drain() {
	ended := s.sockets.drain()
	if s.drainFor == 0 {
		return
	}
	seated, _ := s.visitors.occupied()
	s.log.Info("draining: learners go to another server", "sessions", seated, "atMost", s.drainFor)
	select {
	case <-ended:
	case <-time.After(s.drainFor):
		seated, _ := s.visitors.occupied()
		s.log.Warn("some learners were still here when the time to drain was over; they are cut off, and come back by themselves", "sessions", seated)
	}
}

// comeBack refuses a session before there is one, so that a proxy can ask another server in the same breath.
func (s *Server) comeBack(w http.ResponseWriter) {
	s.measures.refused.WithLabelValues(refusedDraining).Inc()
	w.Header().Set("Retry-After", "1") // seconds
	http.Error(w, "This server is about to end: ask again, and another one answers.", http.StatusServiceUnavailable)
}

// departure is when a learner goes to another server.
type departure struct {
	draining <-chan struct{} // closed when the server drains; nil: that is known, or all are cut off at once
	atMost   time.Duration
	due      <-chan time.Time
}

// departs is the departure of somebody who has just come.
func (s *Server) departs() departure {
	if s.drainFor == 0 {
		return departure{}
	}
	return departure{draining: s.sockets.closing, atMost: s.drainFor}
}

// announce begins the time that the learner may stay.
func (d *departure) announce() {
	d.draining = nil
	d.due = time.After(time.Duration(rand.Int64N(int64(d.atMost)*9/10 + 1))) // the rest is for those who are busy then
}

// now tells whether the learner, who has just been answered, may go: nothing is under way that would be lost.
func (d *departure) now(c *connection) bool {
	return d.due != nil && c.session.Hz() == 0 && len(c.commands) == 0
}

// finish sends what has not been sent yet.
func (c *connection) finish(ctx context.Context, written <-chan struct{}) {
	close(c.out)
	select {
	case <-written:
	case <-ctx.Done():
	}
}
