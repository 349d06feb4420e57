package redistest

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"testing"
	"testing/synctest"
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

// A worker that is at schedules of as many deviations as another one's breach may still find an earlier one.
func TestAWorkerIsAwaitedThroughALevel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &worker{news: make(chan struct{}), last: outcome{Ending: goesOn}}
		var got *outcome
		go func() {
			o, _ := w.await(3)
			got = &o
		}()
		for _, level := range []int{2, 3} {
			w.tell(func() { w.last = outcome{Ending: goesOn, Level: level} })
			if synctest.Wait(); got != nil {
				t.Fatalf("a worker at %d deviations is not awaited to the end of 3", level)
			}
		}
		w.tell(func() { w.last = outcome{Ending: goesOn, Level: 4} })
		if synctest.Wait(); got == nil || got.Level != 4 {
			t.Fatalf("a worker beyond 3 deviations has told %+v", got)
		}
	})
}

// Of outcomes that settle a search, the one with the fewest deviations is what one process would have met first.
func TestTheOutcomeThatDecides(t *testing.T) {
	at := func(why reason, level int, s ...Deviation) outcome {
		return outcome{Ending: why, Level: level, Schedule: s}
	}
	inOrder := []outcome{
		at(learned, 3), at(broke, 4, Deviation{1, 1}), at(broke, 4, Deviation{1, 2}), at(learned, 4), at(strayed, 4), at(broke, 5),
		at(spent, 2), at(complete, 2), at(goesOn, 1),
	}
	for i, o := range inOrder {
		for j, p := range inOrder {
			if got := o.compare(p); got != cmp.Compare(i, j) {
				t.Errorf("%d, %d deviations, against %d, %d deviations: %d", o.Ending, o.Level, p.Ending, p.Level, got)
			}
		}
	}
}

func TestAShareLearnsWhatAnotherHasRead(t *testing.T) {
	s := &search{reduces: true, reads: []footprint{{"key a": false}}}
	s.learnsFrom(outcome{Reduces: true, Reads: []footprint{{"key a": true, "key b": false}, {"key c": true}}})
	if !s.reduces || len(s.reads) != 2 || !maps.Equal(s.reads[0], footprint{"key a": true, "key b": false}) || !s.reads[1]["key c"] {
		t.Errorf("it has learned %v", s.reads)
	}
	if s.learnsFrom(outcome{}); s.reduces {
		t.Error("an invariant that reads no server is reduced for")
	}
}

// A worker runs the search of its order and no other one of the test, and ends when its time is over.
func TestAWorkerKeepsToItsOrder(t *testing.T) {
	if ordered == nil {
		for until, late := range map[time.Time]bool{{}: false, time.Now().Add(-time.Minute): true} {
			w := &worker{news: make(chan struct{}), last: outcome{Ending: goesOn}}
			w.start(order{Test: t.Name(), Search: 2, Share: share{1, 2}, Until: until})
			o, ok := w.await(math.MaxInt)
			w.stop()
			if !ok || o.Late != late || (o.Counts.Schedules == 0) != late {
				t.Errorf("a worker until %v has told %+v", until, o)
			}
			if !late && !slices.Equal(o.Seen.Processes, []string{"A", "B"}) {
				t.Errorf("it has run %v", o.Seen.Processes)
			}
		}
		return
	}
	for _, names := range [][]string{{"another"}, {"A", "B"}} {
		Search(t, func(w *World) {
			for _, name := range names {
				w.Client(name, func(ctx context.Context, rdb *redis.Client) { rdb.Incr(ctx, "n") })
			}
		}, Bounds{Pauses: 1, Workers: 2})
	}
}
