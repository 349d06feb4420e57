package player

import (
	"context"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// Engine is one place where a lesson's nodes can live.
type Engine interface {
	// State says whether the engine can be chosen now, and if not, why and what
	// would make it so. It never waits.
	State(lang lessons.Lang) ui.EngineState
	// Open makes the nodes of a lesson for one session. What it returns as
	// release frees them and removes what they hold.
	Open(ctx context.Context, session string, l *lessons.Lesson) (nodes []engine.NodeSpec, release func() error, err error)
	// Slow tells whether a node's error means that the step only took too long
	// to be believed, so that the schedule is worth replaying once.
	Slow(err error) bool
}

// stage is a lesson on an engine: the nodes of one session and the world on them.
type stage struct {
	engine   Engine
	kind     ui.EngineKind
	scenario engine.Scenario
	release  func() error
	world    *engine.World // nil: it must be replayed first
	at       int           // steps that world has made
}

// open makes a lesson's nodes on an engine.
func (s *Session) open(ctx context.Context, e Engine, l *lessons.Lesson) (*stage, error) {
	nodes, release, err := e.Open(ctx, s.id, l)
	if err != nil {
		return nil, err
	}
	scenario, err := l.Scenario(nodes)
	if err != nil {
		release() //nolint:errcheck // the scenario's error is the one to report
		return nil, err
	}
	scenario.Positions = true
	return &stage{engine: e, kind: e.State(s.lang).Kind, scenario: scenario, release: release}, nil
}

// replay plays choices from the start. The trace is as far as it went, also when
// there is an error; nil when it could not even begin.
func (g *stage) replay(ctx context.Context, choices []engine.Choice) (*engine.Trace, error) {
	trace, err := g.playAll(ctx, choices)
	if err != nil && g.engine.Slow(err) {
		trace, err = g.playAll(ctx, choices)
	}
	return trace, err
}

func (g *stage) playAll(ctx context.Context, choices []engine.Choice) (*engine.Trace, error) {
	world, trace, err := engine.Replay(ctx, g.scenario, choices)
	g.world, g.at = world, len(choices)
	if err != nil {
		g.world = nil
	}
	return trace, err
}

// apply makes one choice after those that the timeline has up to pos.
func (g *stage) apply(ctx context.Context, done []engine.Choice, c engine.Choice) (engine.Step, error) {
	step, err := g.attempt(ctx, done, c)
	if err != nil && g.engine.Slow(err) {
		step, err = g.attempt(ctx, done, c)
	}
	return step, err
}

func (g *stage) attempt(ctx context.Context, done []engine.Choice, c engine.Choice) (engine.Step, error) {
	if g.world == nil || g.at != len(done) {
		if _, err := g.playAll(ctx, done); err != nil {
			return engine.Step{}, err
		}
	}
	step, err := g.world.Apply(ctx, c)
	switch {
	case err == nil:
		g.at++
	case !isNotEnabled(err):
		g.world = nil // what the nodes hold now is not known
	}
	return step, err
}
