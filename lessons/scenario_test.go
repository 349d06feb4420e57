package lessons_test

import (
	"slices"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
)

// A beat speaks about the world that its moves have made.
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
	for n, want := range [][]int{nil, {0, 1, 2}, nil, {3}, {4, 5}, nil} {
		if got := l.BeatsAt(n); !slices.Equal(got, want) {
			t.Errorf("after %d steps the beats are %v, want %v", n, got, want)
		}
	}
	if n := len(l.Choices()); n != 4 {
		t.Errorf("the story has %d choices, want 4", n)
	}
}
