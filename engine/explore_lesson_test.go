package engine_test

import (
	"fmt"
	"sync"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/decode"
)

var catalog = sync.OnceValues(func() ([]*lessons.Lesson, error) { return decode.All(lessons.FS) })

// lesson is a copy of one of the catalogue's, which the test may change.
func lesson(tb testing.TB, name string) *lessons.Lesson {
	tb.Helper()
	all, err := catalog()
	if err != nil {
		tb.Fatal(err)
	}
	for _, l := range all {
		if l.Name == name {
			own := *l
			return &own
		}
	}
	tb.Fatal("there is no lesson " + name)
	return nil
}

func scenarioOf(tb testing.TB, l *lessons.Lesson) engine.Scenario {
	tb.Helper()
	s, err := l.Scenario(l.Open(lessons.Embedded))
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// clients is a lesson in which so many clients run the same program, each in a process of
// its own.
func clients(tb testing.TB, name, program string, n int) engine.Scenario {
	tb.Helper()
	l := lesson(tb, name)
	l.Actors, l.Faults = nil, nil
	for i := range n {
		l.Actors = append(l.Actors, lessons.Actor{Name: string(rune('A' + i)), Process: fmt.Sprintf("jvm-%d", i+1), Program: program})
	}
	return scenarioOf(tb, l)
}

const reentrant = `
while not trylock("anyLock") do sleep("10s") end
work("10s")
trylock("anyLock")
work("5s")
unlock("anyLock")
work("1s")
unlock("anyLock")`

const redisson = `
lock("anyLock")
work("15s")
unlock("anyLock")`

// BenchmarkExplore searches all states, whatever breaks in them.
func BenchmarkExplore(b *testing.B) {
	for _, c := range []struct {
		lesson, program string
		clients         int
	}{
		{"reentrant-lock", reentrant, 2},
		{"reentrant-lock", reentrant, 3},
		{"reentrant-lock", reentrant, 4},
		{"redisson-lock", redisson, 2},
		{"redisson-lock", redisson, 3},
		{"redisson-lock", redisson, 4},
	} {
		b.Run(fmt.Sprint(c.lesson, "-", c.clients), func(b *testing.B) {
			states, bytes := 0, 0
			s := clients(b, c.lesson, c.program, c.clients)
			s.Invariants = nil
			for b.Loop() {
				v, err := engine.Explore(b.Context(), s, engine.Bounds{Time: engine.AnyLate}, nil)
				if err != nil || v.Ending != engine.Holds {
					b.Fatal(v.Ending, err)
				}
				states, bytes = v.States, v.Bytes
			}
			b.ReportMetric(float64(states)*float64(b.N)/b.Elapsed().Seconds(), "states/s")
			b.ReportMetric(float64(states), "states")
			b.ReportMetric(float64(bytes)/float64(states), "B/state")
		})
	}
}

// BenchmarkScripts is a search that really runs the script of each step.
func BenchmarkScripts(b *testing.B) {
	s := clients(b, "redisson-lock", redisson, 3)
	s.Invariants = nil
	states := 0
	for b.Loop() {
		search, err := engine.NewSearch(b.Context(), s, engine.Bounds{Time: engine.AnyLate})
		for done := false; !done && err == nil; {
			engine.Forget(search)
			done, err = search.Continue(b.Context(), 1)
		}
		if err != nil || search.Verdict().Ending != engine.Holds {
			b.Fatal(search.Verdict().Ending, err)
		}
		states = search.Verdict().States
	}
	b.ReportMetric(float64(states)*float64(b.N)/b.Elapsed().Seconds(), "states/s")
	b.ReportMetric(float64(states), "states")
}
