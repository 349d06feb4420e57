package player

import (
	"context"
	"errors"
	"slices"

	"lockstep/engine"
	"lockstep/engine/fact"
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
}

// runner is a lesson on an engine: the nodes of one session and the world on them.
type runner struct {
	engine      Engine
	kind        ui.EngineKind
	lesson      *lessons.Lesson // that the scenario was made of
	scenario    engine.Scenario
	release     func() error
	world       *engine.World // nil: it must be replayed first
	withTimeout func(context.Context) (context.Context, context.CancelFunc)
}

// runnerOn is the session's runner, or a new one on another engine, ready for the lesson
// as it is now.
func (s *Session) runnerOn(ctx context.Context, kind ui.EngineKind) (*runner, error) {
	if s.runner != nil && s.runner.kind == kind {
		return s.runner, s.prepare(s.runner)
	}
	e, ok := s.engineOf(kind)
	if !ok {
		return nil, fact.Of("no-engine", clip(string(kind)))
	}
	if reason := e.State(s.lang).Reason; reason != "" {
		return nil, errors.New(reason)
	}
	nodes, release, err := e.Open(ctx, s.id, s.lesson)
	if err != nil {
		return nil, err
	}
	g := &runner{engine: e, kind: kind, scenario: engine.Scenario{Nodes: nodes}, release: release, withTimeout: s.withReplayTimeout}
	if err := s.prepare(g); err != nil {
		release() //nolint:errcheck // the other error is the one to report
		return nil, err
	}
	return g, nil
}

// prepare gives a runner the lesson as it is now.
func (s *Session) prepare(g *runner) error {
	if reason := g.engine.State(s.lang).Edits; (len(s.edits) > 0 || s.isDraft()) && reason != "" {
		return &noEditsError{reason}
	}
	if g.lesson == s.lesson {
		return nil
	}
	scenario, err := s.lesson.Scenario(g.scenario.Nodes)
	if err != nil {
		return err
	}
	scenario.Positions, scenario.Reserve = true, s.reserveMemory
	g.lesson, g.scenario, g.world = s.lesson, scenario, nil
	return nil
}

// noEditsError says that an engine does not run learners' code.
type noEditsError struct{ reason string }

func (e *noEditsError) Error() string { return e.reason }

// replay plays choices from the start. The trace is as far as it went, also when
// there is an error; nil when it could not even begin.
func (g *runner) replay(ctx context.Context, choices []engine.Choice) (*engine.Trace, error) {
	return twice(func() (*engine.Trace, error) { return g.replayOnce(ctx, choices) })
}

// twice does something once more if a server was too slow.
func twice[T any](do func() (T, error)) (T, error) {
	result, err := do()
	if errors.Is(err, engine.ErrSlow) {
		return do()
	}
	return result, err
}

func (g *runner) replayOnce(ctx context.Context, choices []engine.Choice) (*engine.Trace, error) {
	g.world = nil
	world, err := engine.NewWorld(ctx, g.scenario)
	if err != nil {
		return nil, causeOf(ctx, err)
	}
	ctx, end := g.withTimeout(ctx)
	defer end()
	err = world.Play(ctx, choices)
	if err != nil && !isNotEnabled(err) {
		return world.Trace(), causeOf(ctx, err)
	}
	g.world = world
	return world.Trace(), err
}

// withReplayTimeout bounds the time of a replay.
func (s *Session) withReplayTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	return within(ctx, s.WithReplayTimeout)
}

// within is a context with a timeout; nil: without one.
func within(ctx context.Context, timeout func(context.Context) (context.Context, context.CancelFunc)) (context.Context, context.CancelFunc) {
	if timeout == nil {
		return ctx, func() {}
	}
	return timeout(ctx)
}

// causeOf is why a run failed: the cause of the context if that has ended.
func causeOf(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && !isNotEnabled(err) {
		return cause
	}
	return err
}

// apply makes one choice after those that the timeline has up to pos.
func (g *runner) apply(ctx context.Context, done []engine.Choice, c engine.Choice) (engine.Step, error) {
	return twice(func() (engine.Step, error) { return g.applyOnce(ctx, done, c) })
}

func (g *runner) applyOnce(ctx context.Context, done []engine.Choice, c engine.Choice) (engine.Step, error) {
	made := func(s engine.Step, c engine.Choice) bool { return s.Choice == c }
	if g.world == nil || !slices.EqualFunc(g.world.Trace().Steps, done, made) {
		if _, err := g.replayOnce(ctx, done); err != nil {
			return engine.Step{}, err
		}
	}
	step, err := g.world.Apply(ctx, c)
	if err != nil && !isNotEnabled(err) {
		g.world = nil // what the nodes hold now is not known
	}
	if err != nil {
		err = causeOf(ctx, err)
	}
	return step, err
}
