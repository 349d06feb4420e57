package author_test

import (
	"testing"

	"lockstep/engine"
	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/lessons/author"
)

// That two are inside only after a pause is said where all other searches have come to their ends.
func TestOnlyAfterAPauseIsSaidOfWhatWasSearched(t *testing.T) {
	found := func(kind engine.ChoiceKind, how search.Ending) author.Found {
		f := author.Found{Question: lessons.Question{Bounds: search.Bounds{Faults: map[engine.ChoiceKind]int{kind: 1}}}, Verdict: search.Verdict{Ending: how}}
		if how == search.Breaks {
			f.Verdict.Violation = &engine.Violation{Invariant: "mutual-exclusion"}
		}
		return f
	}
	paused := found(engine.Pause, search.Breaks)
	for how, said := range map[search.Ending]bool{search.Holds: true, search.Stops: false, search.Breaks: false} {
		if only := author.OnlyOutlived([]author.Found{found(engine.Crash, how), paused}); only != said {
			t.Errorf("with one crash it %s: only after a pause: %t", how, only)
		}
	}
}
