//go:build unix

package search_test

import (
	"fmt"
	"testing"
	"time"

	"lockstep/engine/search"
	"lockstep/node/redis/conversations"
)

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
			from := conversations.ProcessorTime(b)
			for b.Loop() {
				v, err := search.Explore(b.Context(), s, search.Bounds{Time: search.AnyLate}, nil)
				if err != nil || v.Ending != search.Holds {
					b.Fatal(v.Ending, err)
				}
				states, bytes = v.States, v.Bytes
			}
			perSecond(b, states, from)
			b.ReportMetric(float64(bytes)/float64(states), "B/state")
		})
	}
}

// BenchmarkScripts is a search that really runs the script of each step.
func BenchmarkScripts(b *testing.B) {
	for _, c := range []struct{ lesson, program string }{{"reentrant-lock", reentrant}, {"redisson-lock", redisson}} {
		b.Run(c.lesson, func(b *testing.B) {
			s := clients(b, c.lesson, c.program, 4)
			s.Invariants = nil
			states := 0
			from := conversations.ProcessorTime(b)
			for b.Loop() {
				run, err := search.New(b.Context(), s, search.Bounds{Time: search.AnyLate, States: 100_000})
				for done := false; !done && err == nil; {
					search.Forget(run)
					done, err = run.Continue(b.Context(), 1)
				}
				if err != nil || run.Verdict().Stopped != search.StatesBound {
					b.Fatal(run.Verdict().Ending, err)
				}
				states = run.Verdict().States
			}
			perSecond(b, states, from)
		})
	}
}

// perSecond tells how many states were found, in a second and in one of a processor's.
func perSecond(b *testing.B, states int, from time.Duration) {
	b.Helper()
	all := float64(states) * float64(b.N)
	b.ReportMetric(all/b.Elapsed().Seconds(), "states/s")
	b.ReportMetric(all/(conversations.ProcessorTime(b)-from).Seconds(), "states/cpu-s")
	b.ReportMetric(float64(states), "states")
}
