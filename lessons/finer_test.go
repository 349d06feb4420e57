package lessons_test

import (
	"testing"

	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/node/sample"
)

// What a lesson says holds, and what its challenges' repairs keep, is not broken by more stops of the clock, either.
func TestClaimsHoldOnACloserLook(t *testing.T) {
	for _, l := range sample.Lessons(t, builtIn(t), sample.LessonsCompared, func(l *lessons.Lesson) string { return l.Name }) {
		for _, c := range l.Claims {
			if c.Ending == search.Holds {
				holdsCloser(t, l, c.Question)
			}
		}
		for _, c := range l.Challenges {
			if c.Goal.Repair != nil && len(c.Edits) > 0 {
				q := *c.Goal.Repair
				q.Invariant = "" // a repair keeps all rules
				holdsCloser(t, c.Repaired(l), q)
			}
		}
	}
}

// holdsCloser bounds each look: what a search does not come to the end of is not broken.
func holdsCloser(t *testing.T, l *lessons.Lesson, q lessons.Question) {
	t.Helper()
	q.Bounds.States, q.Bounds.Bytes = 10_000, 8<<20
	v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), q, nil)
	if err != nil {
		t.Fatalf("%s: %v", l.Name, err)
	}
	closer, err := l.Finer(t.Context(), l.Open(lessons.Embedded), q, v)
	if err != nil {
		t.Fatalf("%s: %v", l.Name, err)
	}
	if closer.Verdict.Ending == search.Breaks {
		t.Errorf("%s: where %v, it breaks %v by %v", l.Name, closer.Verdict.Stops(), closer.Verdict.Violation, closer.Verdict.Schedule)
	}
}
