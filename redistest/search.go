package redistest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"
)

// node is a point from which the search goes on in more than one direction: sleep sets
// (P. Godefroid, Partial-Order Methods for the Verification of Concurrent Systems, 1996). What is
// asleep there need not be done next, as it is done elsewhere, with the same effect.
type node struct {
	asleep   []sleeper
	explored []sleeper // the directions that were taken, in their order
}

// sleeper is a choice, and what it does where it sleeps. It wakes once a step conflicts with it.
type sleeper struct {
	name string
	foot footprint
}

func (n *node) sleeps(name string) bool {
	return slices.ContainsFunc(n.asleep, func(s sleeper) bool { return s.name == name })
}

// mark is what a choice was like. It is the same each time, if the code under test does the same.
type mark struct {
	name    string
	at, due time.Duration // when it was made, and how long it was until something was due on a server
}

// planned is a schedule to be run, with the marks of its choices in the run from which it deviates.
type planned struct {
	schedule Schedule
	marks    []mark // up to the last deviation; the last is of the choice made there before
	name     string // of the choice to be made there now
	at       *node  // of the last deviation; nil: the schedule has none
	alone    bool   // there are no marks, nothing sleeps, and the expected choice is made wherever the schedule does not deviate
}

// from is the first step about which the plan says nothing.
func (p *planned) from() int { return len(p.marks) }

// choose says which choice is made: the schedule's, and after it the first that is not asleep.
func (r *run) choose(cs []step) (i int, awake bool) {
	at, from := len(r.steps), r.plan.from()
	if at < from || r.chance != nil || r.plan.alone {
		if at == from-1 && r.reduces {
			r.asleep = append(slices.Clip(r.plan.at.asleep), r.plan.at.explored...)
		}
		return r.schedule.at(at), true
	}
	n := &node{asleep: r.asleep}
	r.nodes = append(r.nodes, n)
	if at >= r.bounds.Steps {
		return 0, true
	}
	i = slices.IndexFunc(cs, func(s step) bool { return !n.sleeps(s.name) })
	if i > 0 {
		r.schedule = append(slices.Clip(r.schedule), Deviation{at, i})
	}
	return i, i >= 0
}

// search runs schedules in the order of their number of deviations.
type search struct {
	t        testing.TB
	parent   *testing.T // of bubbles; not t, as random numbers are not seeded in parallel tests
	scenario func(w *World)
	bounds   Bounds
	reduces  bool
	reads    []footprint   // of each check
	fewer    int           // only schedules with fewer deviations than these, if not 0
	failed   bool          // the test had failed before
	raced    bool          // so had the parent, of a race elsewhere in the program
	begun    bool          // a schedule has been run
	polls    bool          // mutexes are held across requests
	reseeds  bool          // random numbers are drawn
	until    time.Time     // shortly before the test's deadline; zero: there is none
	diary    *diary        // nil: there is no monitor
	share    share         // that is run here
	dealt    int           // schedules of few deviations so far
	level    int           // the deviations of the schedules that are run now
	crew     crew          // runs the other shares; nil: not hired
	number   int           // among the searches of its test, from 1
	reports  func(outcome) // sends to the process that this one works for; nil: it works for none
	verdict  Verdict
}

// queue is what is to be run, by number of deviations.
type queue [][]planned

func (q *queue) add(p planned) {
	n := len(p.schedule)
	for len(*q) <= n {
		*q = append(*q, nil)
	}
	(*q)[n] = append((*q)[n], p)
}

func (q queue) next() (p planned, ok bool) {
	for n := range q {
		if len(q[n]) > 0 {
			p, q[n] = q[n][0], q[n][1:]
			return p, true
		}
	}
	return p, false
}

// begins runs all shares of a search, and all of them again whenever an invariant has read something new.
func (s *search) begins() {
	for {
		s.verdict = Verdict{bounds: s.bounds, t: s.t}
		o := s.join(s.run())
		switch o.Ending {
		case learned:
			s.learnsFrom(o)
			continue
		case broke:
			s.verdict.found(o.run)
			s.shorten()
		case spent:
			walk(s)
		case complete:
			s.verdict.exhausted = true
		case strayed, goesOn: // the counts say all
		}
		return
	}
}

// run runs the schedules of a share.
func (s *search) run() outcome {
	v := &s.verdict
	s.dealt, s.level = 0, 0
	var q queue
	q.add(planned{})
	for p, ok := q.next(); ok; p, ok = q.next() {
		if s.fewer > 0 && len(p.schedule) >= s.fewer {
			return s.ends(complete)
		}
		if !s.goesTo(len(p.schedule)) || v.Schedules >= s.share.of(s.bounds.Schedules) || s.late() {
			return s.ends(spent)
		}
		r := s.play(p)
		counts, leadsTo := s.deal(len(p.schedule))
		if counts {
			v.Schedules++
		}
		err := p.differs(r)
		if r.broken != nil {
			o := s.ends(broke)
			o.Schedule, o.run = r.schedule, r
			return o
		}
		if s.learns(r) {
			return s.ends(learned)
		}
		if counts {
			v.count(r, err)
			if v.Schedules%1000 == 0 {
				s.report() // which ends a worker whose test has ended
			}
		}
		if err == nil {
			r.variants(&q, leadsTo)
		} else if !v.seen.Allowed[Chance] {
			return s.ends(strayed)
		}
	}
	return s.ends(complete)
}

// late tells whether there is no time for another schedule.
func (s *search) late() bool {
	s.verdict.late = !s.until.IsZero() && time.Until(s.until) < s.verdict.seen.Slowest
	return s.verdict.late
}

func (s *search) play(p planned) *run {
	return s.perform(func(r *run) { r.plan, r.schedule = p, p.schedule })
}

// perform runs a schedule, as it is set up.
func (s *search) perform(set func(r *run)) *run {
	r := newRun(s.parent, s.scenario, s.bounds, nil)
	set(r)
	r.reduces, r.reads, r.polls, r.reseeds, r.until, r.diary = s.reduces, s.reads, s.polls || !s.begun, s.reseeds, s.until, s.diary
	begin := time.Now()
	again := r.perform()
	s.begun, s.polls = true, s.polls || again || r.waited
	if again {
		return s.perform(set)
	}
	if r.seen.Drawn && !s.reseeds { // no run before has drawn any, so they are as they would be
		s.reseeds = true
		return s.perform(set)
	}
	r.seen.Slowest = time.Since(begin)
	if (s.t.Failed() && !s.failed || s.parent.Failed() && !s.raced) && r.broken == nil {
		r.broken = errors.New("the code under test fails the test")
	}
	return r
}

// learns adds to reads what invariants have read, and tells whether any of it is new: what slept before may then have
// mattered. An invariant that reads no server ends the reduction: it may remember the order of things in Go, which no
// footprint has.
func (s *search) learns(r *run) (more bool) {
	if !s.reduces {
		return false
	}
	for i, c := range r.checks {
		if len(c.reads) == 0 {
			s.reduces = false
			return true
		}
		if i == len(s.reads) {
			s.reads, more = append(s.reads, c.reads), true
			continue
		}
		for object, changed := range c.reads {
			if was, known := s.reads[i][object]; !known || changed && !was {
				s.reads[i].add(object, changed)
				more = true
			}
		}
	}
	return more
}

// shorten looks for a schedule that breaks something with fewer deviations: the reduction keeps
// one of those that come to the same, and it need not be the shortest.
func (s *search) shorten() {
	v := &s.verdict
	if !s.reduces || len(v.Schedule) < 2 {
		return
	}
	shorter := *s
	shorter.reduces, shorter.fewer, shorter.bounds.Schedules = false, len(v.Schedule), max(1000, v.Schedules)
	shorter.verdict, shorter.share, shorter.crew = Verdict{bounds: shorter.bounds, t: s.t}, share{}, nil
	if o := shorter.run(); o.Ending == broke {
		v.found(o.run)
		v.Schedules += shorter.verdict.Schedules
	}
}

// differs is how a run strayed from the run that its schedule deviates from, before the deviation; nil: it did not.
func (p *planned) differs(r *run) error {
	if r.stray != nil {
		return r.stray
	}
	for i, was := range p.marks {
		if i == len(p.marks)-1 {
			was.name = p.name
		}
		switch {
		case i >= len(r.steps) && r.broken == nil:
			return fmt.Errorf("step %d was %q before, and is not there now", i, was.name)
		case i >= len(r.steps):
			return nil
		}
		switch is := r.steps[i].mark; {
		case is.name != was.name:
			return fmt.Errorf("step %d was %q before, and is %q now", i, was.name, is.name)
		case is.at != was.at:
			return fmt.Errorf("step %d, %q, came after %v before, and after %v now", i, was.name, was.at, is.at)
		case is.due != was.due:
			return fmt.Errorf("at step %d, %q, the first lease or wait ended in %v before, and ends in %v now", i, was.name, was.due, is.due)
		}
	}
	return nil
}

// variants queues the schedules of at most so many deviations that deviate from a run once more, after the last deviation
// that was planned.
func (r *run) variants(q *queue, most int) {
	from := r.plan.from()
	if from > 0 {
		r.plan.at.explored = append(r.plan.at.explored, sleeper{r.steps[from-1].name, r.feet[from-1]})
	}
	if most == 0 {
		return
	}
	marks := make([]mark, 0, len(r.steps))
	for _, step := range r.steps {
		marks = append(marks, step.mark)
	}
	for i := from; i < len(r.steps) && i < r.bounds.Steps; i++ {
		n, before := r.nodes[i-from], r.schedule.before(i)
		n.explored = append(n.explored, sleeper{r.steps[i].name, r.feet[i]})
		if len(before) >= most {
			continue
		}
		for c, choice := range r.offered[i] {
			if choice.name == r.steps[i].name || n.sleeps(choice.name) || choice.kind.isSwitch() && c > 0 && r.switched(before) {
				continue
			}
			q.add(planned{schedule: append(before, Deviation{i, c}), marks: marks[:i+1], name: choice.name, at: n})
		}
	}
}

// switched tells whether a schedule has as many switches as it may.
func (r *run) switched(s Schedule) bool {
	n := 0
	for _, d := range s {
		if r.steps[d.Step].kind.isSwitch() {
			n++
		}
	}
	return r.bounds.Switches > 0 && n >= r.bounds.Switches
}
