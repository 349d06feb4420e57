package main

import (
	"slices"
	"testing"

	"lockstep/engine"
	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/node/redis/conversations"
	"lockstep/node/sample"
)

// TestBreaksAreReal: a schedule with which a search proves that a lesson breaks breaks the same
// on Redis and on Valkey, with the same trace.
func TestBreaksAreReal(t *testing.T) {
	servers := []target{serverOf(t, conversations.RedisServer(t)), serverOf(t, conversations.ValkeyServer(t))}
	for _, c := range sample.Sample(t, breaking(t), sample.BreaksReplayed) {
		t.Run(c.Name+" "+c.claim.Question.Invariant, func(t *testing.T) {
			v, err := c.Explore(t.Context(), c.Open(lessons.Embedded), c.claim.Question, nil)
			if err != nil || v.Ending != search.Breaks {
				t.Fatal(v.Ending, err)
			}
			want := traceOn(t, target{name: embedded}, c.Lesson, v.Schedule)
			if last := want.Steps[len(want.Steps)-1]; !v.Starves() && !slices.ContainsFunc(last.Broken, func(b engine.Violation) bool { return b.Invariant == v.Violation.Invariant }) {
				t.Errorf("the last step of %v breaks %v, not %v", v.Schedule, last.Broken, v.Violation)
			}
			for _, s := range servers {
				if got := traceOn(t, s, c.Lesson, v.Schedule); encodedTrace(t, got) != encodedTrace(t, want) {
					t.Errorf("%s differs from embedded; the schedule is\n%s", s.name, engine.Schedule{Lesson: c.Hash, Choices: v.Schedule})
				}
			}
		})
	}
}

// brokenLesson is a lesson with a claim that it breaks.
type brokenLesson struct {
	*lessons.Lesson
	claim lessons.Claim
}

func breaking(t *testing.T) []brokenLesson {
	t.Helper()
	var broken []brokenLesson
	for _, l := range builtInLessons(t) {
		for _, c := range l.Claims {
			if c.Ending == search.Breaks {
				broken = append(broken, brokenLesson{l, c})
			}
		}
	}
	return broken
}
