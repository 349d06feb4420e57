// Package serverstest holds real servers to the lessons, and tells what becomes of those that end.
package serverstest

import (
	"encoding/json"
	"slices"
	"sync"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/decode"
	"lockstep/node/sample"
)

var catalog = sync.OnceValues(func() ([]*lessons.Lesson, error) { return decode.All(lessons.FS) })

// timesPlayed is how often each lesson must go the same way.
const timesPlayed, timesPlayedInFull = 2, 50

// playLessons plays the stories and solutions of all lessons with a server of a kind, many times:
// each trace is that of the embedded node, to the byte.
func playLessons(t *testing.T, kind lessons.NodeKind, open func(lessons.Node) engine.Node) {
	t.Helper()
	all, err := catalog()
	if err != nil {
		t.Fatal(err)
	}
	times := timesPlayed
	if sample.Everything() {
		times = timesPlayedInFull
	}
	for _, l := range all {
		if !slices.ContainsFunc(l.Nodes, func(n lessons.Node) bool { return n.Kind == kind }) {
			continue
		}
		t.Run(l.Name, func(t *testing.T) {
			nodes := l.Open(lessons.Makers{kind: open})
			for _, choices := range played(l) {
				want := traceOf(t, l, l.Open(lessons.Embedded), choices)
				for i := range times {
					if got := traceOf(t, l, nodes, choices); got != want {
						t.Fatalf("the %dth time it is\n%s\nand embedded\n%s", i+1, got, want)
					}
				}
			}
		})
	}
}

// played are the story of a lesson and the solutions of its challenges.
func played(l *lessons.Lesson) [][]engine.Choice {
	all := [][]engine.Choice{l.Choices()}
	for _, c := range l.Challenges {
		if len(c.Solution) > 0 {
			all = append(all, c.Solution)
		}
	}
	return all
}

func traceOf(t *testing.T, l *lessons.Lesson, nodes []engine.NodeSpec, choices []engine.Choice) string {
	t.Helper()
	scenario, err := l.Scenario(nodes)
	if err != nil {
		t.Fatal(err)
	}
	_, trace, err := engine.Replay(t.Context(), scenario, choices)
	if err != nil {
		t.Fatalf("%v\n%s", err, trace)
	}
	text, err := json.Marshal(trace)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
