package player

import (
	"context"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// Embedded is the engine inside the playground itself: always there, never slow.
type Embedded struct {
	InBrowser bool // the learner's browser runs it, or takes over once the page is there
}

// State says that the embedded engine can always be chosen.
func (e Embedded) State(lessons.Lang) ui.EngineState {
	if e.InBrowser {
		return ui.EngineState{Kind: ui.Browser}
	}
	return ui.EngineState{Kind: ui.Embedded}
}

// Open makes a node in memory for each of the lesson's.
func (Embedded) Open(_ context.Context, _ string, l *lessons.Lesson) ([]engine.NodeSpec, func() error, error) {
	return l.Open(lessons.Embedded), func() error { return nil }, nil
}
