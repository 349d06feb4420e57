package redistest

import (
	"errors"
	"fmt"
	"hash/crc64"
	"runtime/debug"
	"slices"
	"testing"
	"time"
)

// node is a point from which the search goes on in more than one direction: sleep sets
// (P. Godefroid, Partial-Order Methods for the Verification of Concurrent Systems, 1996). What is
// asleep there need not be done next, as it is done elsewhere, with the same effect.
type node struct {
	Asleep   []sleeper
	Explored []sleeper // the directions that were taken, in their order
}

// sleeper is a choice, and what it does where it sleeps. It wakes once a step conflicts with it.
type sleeper struct {
	Name string
	Foot footprint
}

func (n *node) sleeps(name string) bool {
	return slices.ContainsFunc(n.Asleep, func(s sleeper) bool { return s.Name == name })
}

// mark is what a choice was like. It is the same each time, if the code under test does the same.
type mark struct {
	Name    string
	At, Due time.Duration // when it was made, and how long it was until something was due on a server
	Sent    uint64        // a sum of the request. It need not be the same: values that cannot be seeded are told
}

var sums = crc64.MakeTable(crc64.ISO)

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
			r.asleep = append(slices.Clip(r.plan.at.Asleep), r.plan.at.Explored...)
		}
		return r.schedule.at(at), true
	}
	n := &node{Asleep: r.asleep}
	r.nodes = append(r.nodes, n)
	if at >= r.bounds.Steps {
		return 0, true
	}
	i = slices.IndexFunc(cs, func(s step) bool { return !n.sleeps(s.Name) })
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
	reads    []footprint // of each check
	fewer    int         // only schedules with fewer deviations than these, if not 0
	failed   bool        // the test had failed before
	raced    bool        // so had the parent, of a race elsewhere in the program
	begun    bool        // a schedule has been run
	polls    bool        // mutexes are held across requests
	reseeds  draws       // random numbers are drawn
	until    time.Time   // shortly before the test's deadline; zero: there is none
	diary    *diary      // nil: there is no monitor
	queue    queue       // what is to be run here
	allowed  int         // how many schedules may be run here
	level    int         // the deviations of the schedules that are run now
	settled  outcome     // the first run that settles the search, as far as this process knows
	number   int         // among the searches of its test, from 1
	workers  int         // how many processes may be hired
	crew     *crew       // that was hired; nil: none
	chief    *chief      // this process works for it; nil: for none
	verdict  Verdict
}

// begins runs all schedules, and all of them again whenever an invariant has read something new.
func (s *search) begins() {
	for {
		s.verdict = Verdict{bounds: s.bounds, t: s.t}
		s.queue, s.allowed, s.settled = first(), s.bounds.Schedules, outcome{Ending: goesOn}
		ending, all := s.together()
		if !all {
			s.workers = 0 // what a worker had that has died is not known
			continue
		}
		switch ending {
		case learned:
			s.learnsFrom(s.settled)
			continue
		case broke:
			s.verdict.found(s.settled.run)
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

// long is after how many schedules those that wait to be run are most of the memory: to let five times as much be
// taken, as beginAlone does, would be gigabytes.
const long = 1 << 15

// run runs what this process has, until something settles the search or no more may be run.
func (s *search) run() reason {
	v := &s.verdict
	for s.shares(); s.hasWork(); s.shares() {
		if s.fewer > 0 && s.queue[0].level() >= s.fewer {
			return complete
		}
		if v.Schedules >= s.allowed || s.late() {
			return spent
		}
		p := s.queue.take()
		r := s.play(p)
		if v.Schedules++; v.Schedules == long {
			debug.SetGCPercent(100)
		}
		err := p.differs(r)
		if r.broken != nil {
			return s.settles(broke, p, r)
		}
		if s.learns(r) {
			return s.settles(learned, p, r)
		}
		strays := err
		if err == nil && !r.blocked && isPowerOfTwo(v.Schedules) && s.hasTimeFor(r.seen.Slowest) {
			again := s.again(r)
			if again.broken != nil {
				return s.settles(broke, p, again)
			}
			strays, r.seen.Varied = again.stray, r.seen.Varied || again.seen.Varied
		}
		if v.count(r, strays); strays != nil && !v.seen.Allowed[Chance] {
			return s.settles(strayed, p, r)
		}
		if err == nil {
			r.variants(&s.queue)
		}
	}
	return complete
}

func isPowerOfTwo(n int) bool { return n&(n-1) == 0 }

// again plays a run to its end once more. What comes after the last deviation of a schedule no other run repeats, so without this the code
// under test might do something else there each time, unnoticed.
func (s *search) again(r *run) *run {
	again := s.play(planned{schedule: r.schedule, alone: true})
	was := planned{marks: r.marks()}
	if n := len(r.steps); n > 0 {
		was.name = r.steps[n-1].Name
	}
	again.stray = was.differs(again)
	if again.stray == nil && len(again.steps) > len(r.steps) {
		again.stray = fmt.Errorf("after step %d nothing came before, and %q comes now", len(r.steps), again.steps[len(r.steps)].Name)
	}
	return again
}

// hasWork tells whether there is anything to run here that comes before what settles the search.
func (s *search) hasWork() bool { return len(s.queue) > 0 && s.queue[0].precedes(s.settled) }

// settles notes that the run of a planned schedule settles the search.
func (s *search) settles(why reason, p planned, r *run) reason {
	s.settled = outcome{Ending: why, Level: len(p.schedule), At: p.schedule, Schedule: r.schedule, run: r}
	for _, c := range r.checks {
		s.settled.Reads = append(s.settled.Reads, c.reads)
	}
	return why
}

// late tells whether there is no time for another schedule.
func (s *search) late() bool {
	s.verdict.late = !s.hasTimeFor(s.verdict.seen.Slowest)
	return s.verdict.late
}

func (s *search) hasTimeFor(run time.Duration) bool {
	return s.until.IsZero() || time.Until(s.until) >= run
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
	if now := s.reseeds.union(r.seen.Drawn); now != s.reseeds { // no run before has drawn any, so they are as they would be
		s.reseeds = now
		return s.perform(set)
	}
	r.seen.Slowest = time.Since(begin)
	if (s.t.Failed() && !s.failed || s.parent.Failed() && !s.raced) && r.broken == nil {
		r.broken = errors.New("the code under test fails the test")
	}
	return r
}

// learns tells whether invariants have read in a run what they had not read before: what slept until then may have mattered.
// One that reads no server ends the reduction: it may remember the order of things in Go, which no footprint has.
func (s *search) learns(r *run) bool {
	for i, c := range r.checks {
		if s.reduces && (len(c.reads) == 0 || i >= len(s.reads) || !s.reads[i].has(c.reads)) {
			return true
		}
	}
	return false
}

// learnsFrom adds what the invariants have read in a run.
func (s *search) learnsFrom(o outcome) {
	for i, reads := range o.Reads {
		s.reduces = s.reduces && len(reads) > 0
		if i == len(s.reads) {
			s.reads = append(s.reads, footprint{})
		}
		for object, changed := range reads {
			s.reads[i].add(object, changed)
		}
	}
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
	shorter.verdict, shorter.workers, shorter.crew = Verdict{bounds: shorter.bounds, t: s.t}, 0, nil
	shorter.queue, shorter.allowed, shorter.settled = first(), shorter.bounds.Schedules, outcome{Ending: goesOn}
	if shorter.run() == broke {
		v.found(shorter.settled.run)
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
			was.Name = p.name
		}
		switch {
		case i >= len(r.steps) && r.broken == nil:
			return fmt.Errorf("step %d was %q before, and is not there now", i, was.Name)
		case i >= len(r.steps):
			return nil
		}
		switch is := r.steps[i].mark; {
		case is.Name != was.Name:
			return fmt.Errorf("step %d was %q before, and is %q now", i, was.Name, is.Name)
		case is.At != was.At:
			return fmt.Errorf("step %d, %q, came after %v before, and after %v now", i, was.Name, was.At, is.At)
		case is.Due != was.Due:
			return fmt.Errorf("at step %d, %q, the first lease or wait ended in %v before, and ends in %v now", i, was.Name, was.Due, is.Due)
		case is.Sent != was.Sent && i < len(p.marks)-1:
			r.seen.Varied = true
		}
	}
	return nil
}

// variants queues the schedules that deviate from a run once more, after the last deviation that was planned.
func (r *run) variants(q *queue) {
	from := r.plan.from()
	if from > 0 {
		r.plan.at.Explored = append(r.plan.at.Explored, sleeper{r.steps[from-1].Name, r.feet[from-1]})
	}
	marks := r.marks()
	for i := from; i < len(r.steps) && i < r.bounds.Steps; i++ {
		n := r.nodes[i-from]
		n.Explored = append(n.Explored, sleeper{r.steps[i].Name, r.feet[i]})
		b := &branch{Before: r.schedule.before(i), Step: i, Marks: marks[:i+1], Node: n}
		for c, choice := range r.offered[i] {
			if choice.Name == r.steps[i].Name || n.sleeps(choice.Name) || choice.kind.isSwitch() && c > 0 && r.switched(b.Before) {
				continue
			}
			b.Choices = append(b.Choices, option{c, choice.Name})
		}
		if len(b.Choices) > 0 {
			q.add(b)
		}
	}
}

func (r *run) marks() []mark {
	marks := make([]mark, 0, len(r.steps))
	for _, step := range r.steps {
		marks = append(marks, step.mark)
	}
	return marks
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
