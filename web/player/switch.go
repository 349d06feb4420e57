package player

import (
	"context"
	"errors"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// switchEngine replays the schedule on another engine and says whether the same
// happened there.
func (s *Session) switchEngine(ctx context.Context, c Command) *Error {
	if _, ok := s.engineOf(c.Kind); !ok {
		return s.refuse(CodeBadMessage, fact.Of("no-engine", clip(string(c.Kind))))
	}
	if c.Kind == s.kind {
		return nil
	}
	if s.comparison != nil && s.comparison.branch == 0 {
		s.endComparison() // it may be with the engine that is wanted now
	}
	was := s.now
	if err := s.replayOn(ctx, c.Kind, s.now.choices); err != nil {
		return s.engineError(fact.Of("cannot-switch", err), err)
	}
	step, same := lessons.Compare(&was.trace, &s.now.trace)
	if same {
		s.warn(ui.NoticeSame, 0, fact.Of("same-steps", s.now.len()))
		return nil
	}
	if s.now.len() < was.len() {
		s.leave(was) // what happened there does not fit here
	}
	s.warn(ui.NoticeDiffers, step, fact.Of("differs-at", step))
	return nil
}

// replayOn plays choices from the start on an engine and makes what comes of
// them the timeline. When the engine fails everything stays as it was.
func (s *Session) replayOn(ctx context.Context, kind ui.EngineKind, choices []engine.Choice) error {
	g, err := s.runnerOn(ctx, kind)
	if err != nil {
		return err
	}
	trace, err := g.replay(ctx, choices)
	not, stopped := errors.AsType[*engine.NotEnabledError](err)
	if err != nil && !stopped {
		s.letGo(g)
		return err
	}
	n := len(trace.Steps)
	s.setTimeline(g, choices[:n:n], trace)
	s.now.stopped = not
	if stopped {
		s.warn(ui.NoticeDiffers, n+1, fact.Of("stops-at", n+1, not.Choice, not.Reason))
	}
	return nil
}

// engineError says on the page that an engine could not do what was asked of it.
func (s *Session) engineError(what fact.Fact, err error) *Error {
	return s.noticed(s.engineFailure(what, err))
}

// noticed says an error on the page, when there is one.
func (s *Session) noticed(err *Error) *Error {
	if err != nil {
		s.warn(ui.NoticeError, 0, err)
	}
	return err
}

// engineFailure tells only whoever asked that an engine could not do it.
func (s *Session) engineFailure(what fact.Fact, err error) *Error {
	code := CodeEngine
	if _, refused := errors.AsType[*noEditsError](err); refused {
		code = CodeNoEdits
	}
	return s.refuse(code, what)
}
