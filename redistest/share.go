package redistest

import (
	"cmp"
	"errors"
	"math"
	"slices"
)

// share is the part of a search that one of several processes runs. Every process runs all schedules of at most few
// deviations, since sleep sets depend on the schedules before. Invariant: what lies beyond is run by exactly one.
type share struct {
	Number int // from 0, which is the share of the test's own process
	Of     int // how many shares there are; 0: one
}

// of is this share's part of a bound on schedules, rounded up: the bound of a share is never 0.
func (sh share) of(all int) int { return (all-1)/max(sh.Of, 1) + 1 }

// few is the number of deviations at which schedules are dealt to the shares. Dealt at one, the shares would be uneven: most
// of a search may lie behind its first deviation.
const few = 2

// deal gives the next schedule, of so many deviations, to one share. It counts there alone, so that the sum over all shares
// is the number of schedules. leadsTo bounds the deviations of the variants that this share runs; 0: it runs none.
func (s *search) deal(deviations int) (counts bool, leadsTo int) {
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
		return false, few // the first share counts it, and has its variants of more deviations
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

// settles tells whether a share that ended so makes schedules of more deviations pointless.
func (e reason) settles() bool { return e <= strayed }

// outcome is the result of a share, or its progress so far. Workers send it as gob: the exported fields.
type outcome struct {
	Ending   reason
	Level    int      // the deviations of the schedules that it has come to
	Schedule Schedule // that breaks something
	Reads    []footprint
	Reduces  bool
	Counts   Verdict // its exported numbers and Endless; the fields below are its unexported ones
	Seen     coverage
	Late     bool
	Loop     Story
	Strays   string
	Strayed  Story

	run *run // that breaks something, if it ran in this process
}

// ends is the outcome of this process's share, which ends for a reason.
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

// compare puts first the outcome that is the search's own: of those that settle it, the one of fewest deviations, as a
// search in one process would have met it first; else the most important reason.
func (o outcome) compare(p outcome) int {
	if o.Ending.settles() && p.Ending.settles() {
		return cmp.Or(cmp.Compare(o.Level, p.Level), cmp.Compare(o.Ending, p.Ending), o.Schedule.compare(p.Schedule))
	}
	return cmp.Compare(o.Ending, p.Ending)
}

// compare orders schedules as a search runs them: by their number of deviations, and then by where these are.
func (s Schedule) compare(t Schedule) int {
	return cmp.Or(cmp.Compare(len(s), len(t)), slices.CompareFunc(s, t, func(d, e Deviation) int {
		return cmp.Or(cmp.Compare(d.Step, e.Step), cmp.Compare(d.Choice, e.Choice))
	}))
}

// joins adds the outcomes of other shares to this share's own and returns the one that decides. A breach in another
// process is played here once more, for its story. If nothing breaks here, the code under test has strayed.
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

// goesTo prepares for schedules of so many deviations: it reports the new level, and hires workers at the first that are
// shared. False: a worker has settled the search with fewer.
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

// report sends the progress to the process that this one works for, if there is one.
func (s *search) report() {
	if s.reports != nil {
		s.reports(s.ends(goesOn))
	}
}
