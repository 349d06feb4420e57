package player

import (
	"context"
	"errors"

	"lockstep/engine"
	"lockstep/engine/fact"
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

// Elsewhere is an engine that this player cannot open. Without a reason another
// player has it, and the page goes there when it is chosen.
type Elsewhere struct {
	Kind    ui.EngineKind
	Version string
	Why     fact.Fact // why nobody has it, and what would make it so; zero: another player has it
}

// State is what the page shows of the engine.
func (e Elsewhere) State(lang lessons.Lang) ui.EngineState {
	return ui.EngineState{Kind: e.Kind, Version: e.Version, Reason: ui.Tell(lang, e.Why)}
}

// Open fails.
func (e Elsewhere) Open(context.Context, string, *lessons.Lesson) ([]engine.NodeSpec, func() error, error) {
	return nil, nil, errors.New("the engine " + string(e.Kind) + " is not in this player")
}

// WithoutServer is the engines of a site that is files only.
func WithoutServer() []Engine {
	all := []Engine{
		Embedded{InBrowser: true},
		Elsewhere{Kind: ui.Embedded, Why: fact.Of("files-only")},
		Elsewhere{Kind: ui.Redis, Why: fact.Of("browser-no-redis")},
	}
	for _, kind := range lessons.NodeKinds {
		if e := ui.EngineKind(kind.Real.Engine); e != "" && e != ui.Redis {
			all = append(all, Elsewhere{Kind: e, Why: fact.Of("browser-no-server", kind.Real.Name)})
		}
	}
	return all
}
