package redistest

import (
	"context"
	"encoding/gob"
	"slices"
	"sync"
	"time"
)

// crew is the workers of a search.
type crew struct {
	workers []*worker
	lost    bool          // a worker has died with what it had to run
	news    chan struct{} // has one if there may be any

	mu    sync.Mutex
	given []*branch // by workers
}

// worker is a process that runs branches.
type worker struct {
	stop context.CancelFunc
	hand *gob.Encoder // nil: it could not be started

	// guarded by the crew's mutex
	last  outcome // that it has told
	runs  bool    // it has something to run
	asked bool    // for a part of that
	ended bool    // it is there no more
}

// handed is what a worker is told.
type handed struct {
	Asks     bool      // it is to give a part of what it has
	Branches []*branch // that it is to run
}

// hire starts the workers, and divides among all processes how many schedules may be run.
func (s *search) hire() {
	c := &crew{news: make(chan struct{}, 1)}
	for of := s.workers; of > 1; of-- {
		w := &worker{last: outcome{Ending: complete}}
		allowed := (s.allowed - s.verdict.Schedules) / of
		s.allowed -= allowed
		c.workers = append(c.workers, w)
		c.start(w, order{s.t.Name(), s.number, allowed, s.reads, s.reduces, s.until})
	}
	s.crew = c
}

// dismiss ends all workers.
func (c *crew) dismiss() {
	for _, w := range c.workers {
		w.stop()
	}
}

// hears takes what a worker has told.
func (c *crew) hears(w *worker, o outcome) {
	defer c.wake()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.given = append(c.given, o.Gives...)
	if len(o.Gives) > 0 {
		w.asked = false
	}
	o.Gives = nil
	w.last, w.runs = o, o.Ending == goesOn
}

// misses notes that a worker is there no more.
func (c *crew) misses(w *worker) {
	defer c.wake()
	c.mu.Lock()
	defer c.mu.Unlock()
	w.ended = true
}

func (c *crew) wake() {
	select {
	case c.news <- struct{}{}:
	default:
	}
}

// listen takes what workers have given, and what settles the search for one of them.
func (c *crew) listen(s *search) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.queue.add(c.given...)
	c.given = nil
	for _, w := range c.workers {
		c.lost = c.lost || w.ended && w.runs
		if w.last.precedes(s.settled) {
			s.settled = w.last
		}
	}
	if !s.hasWork() {
		s.queue = nil
	}
}

// give gives half of the branches of this process to each worker that has none, or all if no more may be run here, and tells
// whether there was one.
func (c *crew) give(s *search) (given bool) {
	for _, w := range c.workers {
		here := s.verdict.Schedules < s.allowed
		if len(s.queue) == 0 || here && len(s.queue) == 1 || s.verdict.late || !c.isIdle(w) {
			continue
		}
		branches := []*branch(s.queue)
		if here {
			branches = s.queue.half()
		} else {
			s.queue = nil
		}
		c.mu.Lock()
		w.runs, w.asked, w.last.Level = true, false, branches[0].level()
		c.mu.Unlock()
		_ = w.hand.Encode(handed{Branches: branches}) // if it has ended, that is told
		given = true
	}
	return given
}

// isIdle tells whether a worker has run all that it had.
func (c *crew) isIdle(w *worker) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !w.runs && !w.ended && w.last.Ending == complete
}

// awaitsWork waits until there is something that this process can run; false: there is nothing left that matters.
func (c *crew) awaitsWork(s *search) bool {
	for {
		busy := c.busy(s.settled) // before it listens: who has ended by now has said all
		c.listen(s)
		switch {
		case c.lost:
			return false
		case s.hasWork() && s.verdict.Schedules < s.allowed && !s.verdict.late:
			return true
		case c.give(s):
			continue
		case len(busy) == 0:
			return false
		case len(s.queue) == 0:
			c.ask(busy)
		}
		if !c.awaitsNews(s.until) {
			s.verdict.late = true
			return false
		}
	}
}

// awaitsNews waits for what workers have to say; false: there is no time left for that, as one of them is stopped or the machine is busy.
func (c *crew) awaitsNews(until time.Time) bool {
	if until.IsZero() {
		<-c.news
		return true
	}
	patience := time.NewTimer(time.Until(until.Add(time.Second))) // workers look at the clock, too
	defer patience.Stop()
	select {
	case <-c.news:
		return true
	case <-patience.C:
		return false
	}
}

// busy are the workers with schedules that come before what settles the search.
func (c *crew) busy(settled outcome) []*worker {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(c.workers), func(w *worker) bool {
		return !w.runs || settled.Ending.settles() && w.last.Level > settled.Level
	})
}

// ask asks workers for a part of what they have, once.
func (c *crew) ask(busy []*worker) {
	for _, w := range busy {
		c.mu.Lock()
		was := w.asked
		w.asked = true
		c.mu.Unlock()
		if !was {
			_ = w.hand.Encode(handed{Asks: true})
		}
	}
}

// outcomes are what the workers have told last.
func (c *crew) outcomes() (last []outcome) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, w := range c.workers {
		last = append(last, w.last)
	}
	return last
}
