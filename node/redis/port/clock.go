package port

import (
	"fmt"
	"time"

	"lockstep/engine"
)

// Clock says what makes keys expire and blocked clients give up.
type Clock uint8

// The clocks.
const (
	Real    Clock = iota // the machine's
	Virtual              // stands still until DEBUG ADVANCE moves it
)

// ParseClock reads the name of a clock.
func ParseClock(name string) (Clock, error) {
	switch name {
	case "real":
		return Real, nil
	case "virtual":
		return Virtual, nil
	}
	return Real, fmt.Errorf("there is no clock %q: use real or virtual", name)
}

// epoch is instant 0 of every keyspace, so that instants are Unix time: TIME and
// EXPIREAT speak of the same moments as other machines do.
var epoch = time.UnixMilli(engine.Epoch)

// clock is the time as the commands see it: it stands still while one runs.
type clock struct {
	kind Clock
	now  engine.Instant
	wall time.Time // of the machine, whatever the kind
}

// update looks at the machine's clock, which may have been set back: time here
// does not go back.
func (c *clock) update() {
	c.wall = time.Now()
	if c.kind == Real {
		c.now = max(c.now, c.wall.Sub(epoch))
	}
}

// lookAtClock updates the clock, unless a script runs: to that, time stands still.
func (s *Server) lookAtClock() {
	if !s.script.busy {
		s.clock.update()
	}
}

// date is an instant for people and for INFO.
func (c *clock) date() time.Time { return epoch.Add(c.now) }

// How often the server looks, in real time, for keys that nobody asks for and for
// clients that have gone quiet.
const (
	period     = 100 * time.Millisecond
	latePeriod = 2 * time.Millisecond // while there are more keys to delete
)

// cron is what a timer does: expiry, timeouts and limits.
func (s *Server) cron() {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
		case <-s.blocked.changed:
		case <-s.closed:
			return
		}
		timer.Reset(s.tick())
	}
}

// tick is one round of cron; it returns the time until the next.
func (s *Server) tick() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := period
	if s.script.busy {
		return next
	}
	s.clock.update()
	s.closeIdle()
	s.evictClients()
	if s.clock.kind == Real {
		if s.pause.mode == notPaused && s.data.expireSome() {
			next = latePeriod
		}
		s.timeOutWaiters()
		s.endPause()
		if at, ok := s.blocked.next(); ok {
			next = min(next, max(at-s.clock.now, time.Millisecond))
		}
		if s.pause.mode != notPaused {
			next = min(next, max(s.pause.until-s.clock.now, time.Millisecond))
		}
	}
	s.resumeAndFlush()
	return next
}

// closeIdle ends connections that have been quiet for longer than the
// configuration allows. Clients that wait are not quiet.
func (s *Server) closeIdle() {
	if s.config.timeout == 0 {
		return
	}
	limit := time.Duration(s.config.timeout) * time.Second
	for _, c := range s.conns {
		if c.waiting == nil && !c.held && c.subscriptions() == 0 && time.Since(c.lastActive) > limit {
			s.stats.idleClosed++
			c.end()
		}
	}
}

// maxAdvance bounds one move of the virtual clock.
const maxAdvance = engine.MaxSpan

// advance moves the virtual clock. Blocked clients give up in the order of their
// deadlines, before anybody else runs a command.
func (s *Server) advance(by time.Duration) {
	s.clock.now += by
	s.endPause()
	for s.pause.mode == notPaused && s.data.expireSome() {
		continue // nobody is in a hurry where time is virtual
	}
	s.timeOutWaiters()
}
