package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
)

// Beside its lane a server says who gets a lock and who waits, who makes a znode and who watches it, and what becomes of
// what a transaction wrote.
func TestALaneSaysWhoHasARowAndWhoWaits(t *testing.T) {
	var text strings.Builder
	for _, name := range []string{"sql-for-update", "sql-deadlock", "zk-predecessor", "curator-reentrant"} {
		all := lessonsBuiltIn(t)
		l := all[slices.IndexFunc(all, func(l *lessons.Lesson) bool { return l.Name == name })]
		scenario, err := l.Scenario(l.Open(lessons.Embedded))
		if err != nil {
			t.Fatal(err)
		}
		_, trace, err := engine.Replay(t.Context(), scenario, l.Choices())
		if err != nil {
			t.Fatal(err)
		}
		v := View{Lang: lessons.En, Lesson: l, Trace: trace, Pos: len(trace.Steps)}
		d := layout(&v)
		fmt.Fprintf(&text, "%s\n", name)
		for i := range trace.Steps {
			s := &trace.Steps[i]
			for _, w := range d.valuesOf(&v, s) {
				var parts []string
				for _, part := range w.Parts {
					parts = append(parts, part.Text)
				}
				fmt.Fprintf(&text, "  %2d  %s\n", s.N, strings.Join(parts, " | "))
			}
		}
		for _, lane := range d.Lanes {
			for _, b := range lane.Bars {
				if b.Waits {
					fmt.Fprintf(&text, "  %s waits beside %s, column %d, from step %d to %d\n", b.Owner, b.Key, b.Column, b.from, b.to)
				}
			}
		}
	}
	golden(t, "waits.txt", text.String())
}
