package redistest

import (
	"context"
	"io"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// The schedule that is shown for all that do not end is the least of all shares, in whatever order they are joined.
func TestSharesAreJoinedInAnyOrder(t *testing.T) {
	scenario := newCoverage()
	scenario.Allowed[Idle], scenario.Limits = true, map[string]int{"the section": 2}
	early := outcome{Seen: scenario, Counts: Verdict{Schedules: 3, Cut: 1, Endless: Schedule{{2, 1}, {5, 1}}}, Loop: Story{{Text: "early"}}}
	late := outcome{Counts: Verdict{Schedules: 4, Cut: 2, Endless: Schedule{{2, 1}, {6, 1}}}, Loop: Story{{Text: "late"}}, Late: true}
	none := outcome{Counts: Verdict{Schedules: 5, Beyond: 1}}
	for _, order := range [][]outcome{{early, late, none}, {late, none, early}, {none, late, early}} {
		v := Verdict{seen: newCoverage()}
		for _, o := range order {
			v.joins(o)
		}
		if v.Schedules != 12 || v.Cut != 3 || v.Beyond != 1 || !v.late {
			t.Errorf("the counts are %+v", v)
		}
		if !v.seen.Allowed[Idle] || v.seen.Limits["the section"] != 2 {
			t.Errorf("what the scenario says is forgotten: %+v", v.seen)
		}
		if v.Endless.String() != early.Counts.Endless.String() || v.loop[0].Text != "early" {
			t.Errorf("the first without an end is %s, %v", v.Endless, v.loop)
		}
	}
}

// What the last worker says is heard, whenever it comes: in this case that something broke.
func TestNothingThatAWorkerSaysIsMissed(t *testing.T) {
	for range 100_000 {
		w := &worker{runs: true, asked: true, last: outcome{Ending: complete}}
		c := &crew{workers: []*worker{w}, news: make(chan struct{}, 1)}
		s := &search{crew: c, allowed: 1, settled: outcome{Ending: goesOn}}
		go c.hears(w, outcome{Ending: broke})
		if c.awaitsWork(s) || s.settled.Ending != broke {
			t.Fatal("it was not heard")
		}
	}
}

// Of outcomes that settle a search, the one of the least schedule is what one process would have met first.
func TestTheOutcomeThatDecides(t *testing.T) {
	at := func(why reason, s ...Deviation) outcome { return outcome{Ending: why, At: s} }
	inOrder := []outcome{
		at(learned), at(broke, Deviation{4, 1}), at(strayed, Deviation{4, 2}), at(learned, Deviation{5, 1}), at(broke, Deviation{1, 1}, Deviation{2, 1}),
	}
	for i, o := range inOrder {
		for j, p := range inOrder {
			if o.precedes(p) != (i < j) {
				t.Errorf("%d, %v, against %d, %v: %v", o.Ending, o.At, p.Ending, p.At, o.precedes(p))
			}
		}
		for _, p := range []outcome{at(spent), at(complete), at(goesOn)} {
			if !o.precedes(p) || p.precedes(o) {
				t.Errorf("%d, %v, against %d", o.Ending, o.At, p.Ending)
			}
		}
	}
}

// What settles the search is waited for by nobody but those who may still find something that precedes it.
func TestWorkersAreAwaitedThroughALevel(t *testing.T) {
	c := &crew{}
	for level := range 4 {
		c.workers = append(c.workers, &worker{runs: true, last: outcome{Ending: goesOn, Level: level}}, &worker{last: outcome{Ending: complete}})
	}
	if n := len(c.busy(outcome{Ending: goesOn})); n != 4 {
		t.Errorf("nothing settles the search, and %d are waited for", n)
	}
	if n := len(c.busy(outcome{Ending: broke, Level: 2})); n != 3 {
		t.Errorf("a rule broke at the second level, and %d are waited for", n)
	}
	settled := outcome{Ending: broke, Level: 2, At: Schedule{{1, 1}, {5, 1}}}
	s := &search{settled: settled}
	for step, runs := range map[int]bool{4: true, 6: false} {
		s.queue = nil
		s.queue.add(&branch{Before: Schedule{{1, 1}}, Step: step, Node: &node{}, Choices: []option{{1, "one"}}})
		if s.hasWork() != runs {
			t.Errorf("a branch at step %d is run: %v", step, !runs)
		}
	}
}

func TestAShareLearnsWhatAnotherHasRead(t *testing.T) {
	s := &search{reduces: true, reads: []footprint{{"key a": false}}}
	s.learnsFrom(outcome{Reads: []footprint{{"key a": true, "key b": false}, {"key c": true}}})
	if !s.reduces || len(s.reads) != 2 || !maps.Equal(s.reads[0], footprint{"key a": true, "key b": false}) || !s.reads[1]["key c"] {
		t.Errorf("it has learned %v", s.reads)
	}
	if s.learnsFrom(outcome{Reads: []footprint{{}}}); s.reduces {
		t.Error("an invariant that reads no server is reduced for")
	}
}

// A worker that is stopped, and says nothing, does not keep the search beyond the deadline of its test.
func TestNobodyWaitsForAWorkerBeyondTheDeadline(t *testing.T) {
	if ordered != nil {
		_, _ = io.Copy(io.Discard, fromIt)
		return
	}
	s := &search{t: t, number: 1, workers: 2, allowed: 10, settled: outcome{Ending: goesOn}}
	s.hire()
	defer s.crew.dismiss()
	s.queue = first()
	s.queue.add(first()...)
	s.crew.give(s)
	s.queue, s.until = nil, time.Now().Add(-time.Minute)
	if s.crew.awaitsWork(s) || !s.verdict.late {
		t.Error("the worker has said that all is done")
	}
}

// A worker runs the search of its order and no other one of the test, and ends when its time is over. One that is asked for a
// part of what it has gives that, and runs the rest; one that may run no more gives all.
func TestAWorkerKeepsToItsOrder(t *testing.T) {
	scenario := func(w *World) {
		for _, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) { rdb.Incr(ctx, "n"); rdb.Incr(ctx, "n") })
		}
	}
	if ordered != nil {
		Search(t, func(w *World) {
			w.Client("another", func(ctx context.Context, rdb *redis.Client) { rdb.Incr(ctx, "n") })
		}, Bounds{Pauses: 1, Workers: 2})
		Search(t, scenario, Bounds{Pauses: 1, Crashes: 1, Workers: 2})
		return
	}
	for name, c := range map[string]struct {
		allowed     int // for two
		until       time.Time
		late, gives bool
	}{
		"at leisure":   {allowed: 100_000},
		"too late":     {allowed: 100_000, until: time.Now().Add(-time.Minute), late: true},
		"is asked":     {allowed: 100_000, gives: true},
		"may run some": {allowed: 10, gives: true},
	} {
		s := &search{t: t, number: 2, workers: 2, allowed: c.allowed, settled: outcome{Ending: goesOn}, until: c.until}
		s.hire()
		s.queue, s.allowed = first(), 0 // so all is given
		s.crew.give(s)
		if s.allowed = 1; name != "is asked" {
			for len(s.crew.busy(s.settled)) > 0 {
				<-s.crew.news
			}
		}
		if got := s.crew.awaitsWork(s); got != c.gives || got != (len(s.queue) > 0) {
			t.Errorf("%s: %d branches have come back", name, len(s.queue))
		}
		s.crew.dismiss()
		o := s.crew.outcomes()[0]
		if o.Late != c.late || (o.Counts.Schedules == 0) != c.late {
			t.Errorf("%s: the worker has told %+v", name, o)
		}
		if !c.late && !slices.Equal(o.Seen.Processes, []string{"A", "B"}) {
			t.Errorf("%s: it has run %v", name, o.Seen.Processes)
		}
	}
}
