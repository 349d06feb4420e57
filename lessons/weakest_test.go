package lessons_test

import (
	"testing"

	"lockstep/engine/search"
	"lockstep/lessons"
)

// TestTheWeakestAssumptionIsWhatSearchesFind: what is told to be enough breaks in a search of its own, what is told to be
// too little holds in one, and of two that are enough neither allows more than the other.
func TestTheWeakestAssumptionIsWhatSearchesFind(t *testing.T) {
	for _, l := range builtIn(t) {
		switch l.Name {
		case "compare-and-delete", "lease-outlived", "semaphore":
		default:
			continue
		}
		q := lessons.Question{Bounds: search.Bounds{Time: search.AnyLate, Faults: l.OneFault(), States: 2_000}}
		ending := func(b search.Bounds) search.Ending {
			b.States = 2_000
			v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), lessons.Question{Bounds: b}, nil)
			if err != nil {
				t.Fatal(err)
			}
			return v.Ending
		}
		v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), q, nil)
		if err != nil || v.Ending != search.Breaks {
			t.Fatal(l.Name, v.Ending, err)
		}
		w := l.NewWeakest(q, v, 2_000)
		for done := false; !done; {
			if done, err = w.Continue(t.Context(), 1000); err != nil {
				t.Fatal(err)
			}
		}
		for _, b := range w.Enough {
			if got := ending(b); got != search.Breaks {
				t.Errorf("%s: %s with %v %s", l.Name, b.Time, b.Faults, got)
			}
		}
		for _, b := range w.Holding {
			if got := ending(b); got != search.Holds {
				t.Errorf("%s: %s with %v %s", l.Name, b.Time, b.Faults, got)
			}
		}
		for _, less := range []search.TimeBound{search.Prompt, search.Arrive, search.AnyLate} {
			b := search.Bounds{Time: less}
			if told, got := w.Ending(b), ending(b); told != search.Stops && told != got {
				t.Errorf("%s: without faults and under %s it is told that it %s, but it %s", l.Name, less, told, got)
			}
		}
	}
}
