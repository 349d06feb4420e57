package redistest

import (
	"cmp"
	"errors"
	"math"
	"slices"
)

// share is a part of a search, for one of several processes. All of them run the schedules with few deviations,
// as what sleeps in one depends on those before it. What each of these leads to is in one share alone.
type share struct {
	Number, Of int // 0 is that of the test's own process; of 0: there is one share
}

// of is how many of a number of schedules are for this share: one, at least.
func (sh share) of(all int) int { return (all-1)/max(sh.Of, 1) + 1 }

// few are the deviations of schedules that all run. With one, most may be behind the first of them.
const few = 2

// next tells whether the next schedule counts for this share, and with how many deviations at most this share runs
// what it leads to.
func (s *search) next(deviations int) (counts bool, leadsTo int) {
	own := s.share.Number == 0
	switch {
	case deviations > few || s.share.Of < 2:
		return true, math.MaxInt
	case deviations == few:
		s.dealt++
		if s.dealt%s.share.Of != s.share.Number {
			return own, 0
		}
	case !own:
		return false, few // those of it that leave one out are in the first share
	}
	return own, math.MaxInt
}

// reason is why a share ended, the most important reason first.
type reason uint8

const (
	broke    reason = iota // an invariant
	learned                // an invariant reads what it did not read before, so the search begins again
	strayed                // the code under test did not do the same again
	spent                  // no more schedules may be run
	complete               // all were
	goesOn                 // it has not ended
)

// settles tells whether the shares with more deviations need not go on.
func (e reason) settles() bool { return e <= strayed }

// outcome is what came of a share, or comes of it so far, as processes tell each other.
type outcome struct {
	Ending   reason
	Level    int      // of how many deviations
	Schedule Schedule // that breaks something
	Reads    []footprint
	Reduces  bool
	Counts   Verdict // what other packages see of it
	Seen     coverage
	Late     bool
	Loop     Story
	Strays   string
	Strayed  Story

	run *run // that breaks something, if it was here
}

// ends is the outcome of the share that is run here.
func (s *search) ends(why reason) outcome {
	v := &s.verdict
	o := outcome{
		Ending: why, Level: s.level, Reads: s.reads, Reduces: s.reduces, Late: v.late,
		Counts: Verdict{Schedules: v.Schedules, Cut: v.Cut, Endless: v.Endless, Beyond: v.Beyond, Strayed: v.Strayed},
		Seen:   v.seen, Loop: v.loop, Strayed: v.strayed,
	}
	if v.strays != nil {
		o.Strays = v.strays.Error()
	}
	return o
}

// compare orders outcomes by what makes the others unimportant.
func (o outcome) compare(p outcome) int {
	if o.Ending.settles() && p.Ending.settles() {
		return cmp.Or(cmp.Compare(o.Level, p.Level), cmp.Compare(o.Ending, p.Ending), o.Schedule.compare(p.Schedule))
	}
	return cmp.Compare(o.Ending, p.Ending)
}

// compare orders schedules by their number of deviations, and then by where these are.
func (s Schedule) compare(t Schedule) int {
	return cmp.Or(cmp.Compare(len(s), len(t)), slices.CompareFunc(s, t, func(d, e Deviation) int {
		return cmp.Or(cmp.Compare(d.Step, e.Step), cmp.Compare(d.Choice, e.Choice))
	}))
}

// joins the outcomes of other shares to this share's own.
func (s *search) joins(own outcome, others []outcome) outcome {
	v, least := &s.verdict, own
	for _, o := range others {
		v.joins(o)
		if o.compare(least) < 0 {
			least = o
		}
	}
	if least.Ending != broke || least.run != nil {
		return least
	}
	if least.run = s.play(planned{schedule: least.Schedule, alone: true}); least.run.broken == nil {
		least.Ending = strayed
		v.Strayed++
		v.strays = errors.New("an invariant broke in one process, and not in another that ran the same schedule")
	}
	return least
}

// joins adds what another share has counted.
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

// learnsFrom adds what the invariants read in another share.
func (s *search) learnsFrom(o outcome) {
	s.reduces = s.reduces && o.Reduces
	for i, reads := range o.Reads {
		if i == len(s.reads) {
			s.reads = append(s.reads, reads)
			continue
		}
		for object, changed := range reads {
			s.reads[i].add(object, changed)
		}
	}
}

// goesTo notes how many deviations the next schedule has, and tells whether it is still of use.
func (s *search) goesTo(deviations int) bool {
	if deviations > s.level {
		s.level = deviations
		s.report()
	}
	if deviations > few && s.share.Of > 1 && s.share.Number == 0 && s.crew == nil {
		s.crew = hire(s)
	}
	return !slices.ContainsFunc(s.crew, func(w *worker) bool {
		o := w.told()
		return o.Ending.settles() && o.Level < deviations
	})
}

// report tells whose worker this process is how far it is.
func (s *search) report() {
	if s.reports != nil {
		s.reports(s.ends(goesOn))
	}
}
