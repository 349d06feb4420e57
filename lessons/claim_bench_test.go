//go:build unix

package lessons_test

import (
	"fmt"
	"testing"

	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/node/redis/conversations"
)

// BenchmarkFirstBreak searches the break of each claim that a lesson breaks, from its beginning
// to the replayed schedule: the processor time of it, that of the collector included.
func BenchmarkFirstBreak(b *testing.B) {
	all, err := readOnce()
	if err != nil {
		b.Fatal(err)
	}
	for _, l := range all {
		for _, c := range l.Claims {
			if c.Ending != search.Breaks {
				continue
			}
			b.Run(fmt.Sprintf("%s/%s/%v", l.Name, c.Question.Invariant, c.Question.Bounds.Time), func(b *testing.B) {
				states := 0
				from := conversations.ProcessorTime(b)
				for b.Loop() {
					v, err := l.Explore(b.Context(), l.Open(lessons.Embedded), c.Question, nil)
					if err != nil || v.Ending != search.Breaks {
						b.Fatal(v.Ending, err)
					}
					states = v.States
				}
				b.ReportMetric(float64((conversations.ProcessorTime(b)-from).Microseconds())/1000/float64(b.N), "ms-cpu")
				b.ReportMetric(float64(states), "states")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
