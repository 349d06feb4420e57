package redistest

import (
	"testing"
	"testing/synctest"
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
