package redistest

import "errors"

// A search is shared by several processes: whoever has nothing left to run is given half of the branches of another one. It
// comes to what one process would: what settles it is the run of the least schedule that does, wherever it was run.

// reason is why a process has stopped running schedules.
type reason uint8

const (
	broke    reason = iota // an invariant
	learned                // an invariant reads what it did not read before, so the search begins again
	strayed                // the code under test did not do the same again
	spent                  // no more schedules may be run
	complete               // all that it had were
	goesOn                 // it has not stopped
)

// settles tells whether what ended so makes all schedules that come later pointless.
func (e reason) settles() bool { return e <= strayed }

// outcome is what has come of the schedules that one process has run. Workers send it as gob: the exported fields.
type outcome struct {
	Ending   reason
	Level    int         // the deviations of the schedules that it has come to
	At       Schedule    // as it was planned: of the run that settles the search
	Schedule Schedule    // as it was run
	Reads    []footprint // of each invariant in that run
	Counts   Verdict     // its exported numbers and Endless; the fields below are its unexported ones
	Seen     coverage
	Late     bool
	Loop     Story
	Strays   string
	Strayed  Story
	Gives    []*branch // that another process is to run instead

	run *run // that settles the search, if it was run in this process
}

// precedes tells whether an outcome settles the search before another one does.
func (o outcome) precedes(p outcome) bool {
	return o.Ending.settles() && (!p.Ending.settles() || o.At.compare(p.At) < 0)
}

// told is the outcome of this process so far.
func (s *search) told(why reason) outcome {
	v := &s.verdict
	o := outcome{Ending: why, Level: s.level}
	if why.settles() {
		o = s.settled
	}
	o.Counts = Verdict{Schedules: v.Schedules, Cut: v.Cut, Endless: v.Endless, Beyond: v.Beyond, Strayed: v.Strayed}
	o.Seen, o.Late, o.Loop, o.Strayed = v.seen, v.late, v.loop, v.strayed
	if v.strays != nil {
		o.Strays = v.strays.Error()
	}
	return o
}

// joins adds what another process has counted.
func (v *Verdict) joins(o outcome) {
	c := o.Counts
	v.Schedules += c.Schedules
	if c.Cut > 0 && (v.Cut == 0 || c.Endless.compare(v.Endless) < 0) {
		v.Endless, v.loop = c.Endless, o.Loop
	}
	if c.Strayed > 0 && v.Strayed == 0 {
		v.strays, v.strayed = errors.New(o.Strays), o.Strayed
	}
	v.Cut, v.Beyond, v.Strayed = v.Cut+c.Cut, v.Beyond+c.Beyond, v.Strayed+c.Strayed
	v.late = v.late || o.Late
	v.seen.joins(&o.Seen)
}

// together runs the search in this process, and in those that it hires. all: no process has died with what it had to run.
func (s *search) together() (ending reason, all bool) {
	for s.run(); s.crew != nil && s.crew.awaitsWork(s); s.run() {
	}
	v := &s.verdict
	if crew := s.crew; crew != nil {
		s.crew = nil
		crew.dismiss()
		if crew.lost {
			return goesOn, false
		}
		for _, o := range crew.outcomes() {
			v.joins(o)
		}
	}
	switch {
	case s.settled.Ending == broke && s.settled.run == nil:
		return s.repeats(), true
	case s.settled.Ending.settles():
		return s.settled.Ending, true
	case len(s.queue) > 0 || v.late:
		return spent, true
	}
	return complete, true
}

// repeats plays a breach of another process here, for its story. If nothing breaks here, the code under test has strayed.
func (s *search) repeats() reason {
	if s.settled.run = s.play(planned{schedule: s.settled.Schedule, alone: true}); s.settled.run.broken != nil {
		return broke
	}
	s.verdict.Strayed++
	s.verdict.strays = errors.New("an invariant broke in one process, and not in another that ran the same schedule")
	return strayed
}

// few is how many deviations schedules have before others are hired to run those that have more.
const few = 2

// shares hires others once it is worth it, takes what they have to say, and gives to whoever has nothing left to run.
func (s *search) shares() {
	if len(s.queue) == 0 {
		return
	}
	was := s.level
	s.level = s.queue[0].level()
	if s.chief != nil && (was != s.level || s.chief.asks.Load() && len(s.queue) > 1) {
		s.report(goesOn)
	}
	if s.crew == nil && s.workers > 1 && s.level > few {
		s.hire()
	}
	if s.crew != nil {
		s.crew.listen(s)
		_ = s.crew.give(s)
	}
}
