package ui

import (
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/lessons"
)

// A move of the clock passes many instants: what came of it is told in their order.
func TestAMoveOfTheClockIsToldInOrder(t *testing.T) {
	s := &engine.Step{
		Choice:  engine.Choice{Kind: engine.Tick},
		At:      30 * time.Second,
		Expired: []engine.Expiry{{Key: "lock", At: 20 * time.Second}},
		Notes: []engine.Note{
			{Actor: "A", Kind: engine.NoteWoke, At: 10 * time.Second},
			{Actor: "B", Kind: engine.NoteWoke, At: 25 * time.Second},
		},
	}
	text := Sentence(lessons.En, s)
	if a, lock, b := strings.Index(text, "A woke"), strings.Index(text, "lock expired"), strings.Index(text, "B woke"); a < 0 || a > lock || lock > b {
		t.Errorf("it says %q", text)
	}
}
