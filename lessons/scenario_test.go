package lessons_test

import (
	"slices"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
)

// A beat of words alone is shown with the beat that it leads up to.
func TestBeatsAt(t *testing.T) {
	run := engine.Choice{Kind: engine.Run, Target: "A"}
	l := &lessons.Lesson{Story: []lessons.Beat{
		{Choices: []engine.Choice{run}},
		{},
		{},
		{Choices: []engine.Choice{run, run}},
		{Choices: []engine.Choice{run}},
		{},
	}}
	for n, want := range [][]int{{0}, {1, 2, 3}, {3}, {4}, {5}, nil} {
		if got := l.BeatsAt(n); !slices.Equal(got, want) {
			t.Errorf("after %d steps the beats are %v, want %v", n, got, want)
		}
	}
	if n := len(l.Choices()); n != 4 {
		t.Errorf("the story has %d choices, want 4", n)
	}
}
