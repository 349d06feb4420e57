package player

import (
	"context"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// switchEngine replays the schedule on another engine and says whether the same
// happened there.
func (s *Session) switchEngine(ctx context.Context, c Command) *Error {
	if _, ok := s.engineOf(c.Kind); !ok {
		return &Error{CodeBadMessage, s.text().noEngine(string(c.Kind))}
	}
	if c.Kind == s.kind {
		return nil
	}
	was := s.now
	if err := s.replayOn(ctx, c.Kind, s.now.choices); err != nil {
		return err
	}
	step, same := lessons.Compare(&was.trace, &s.now.trace)
	switch {
	case !same && s.now.len() < was.len():
		// What happened there is kept as the ghost, since it does not fit here.
		s.ghost = &was
		s.warn(ui.NoticeDiffers, step, s.text().differsAt(step))
	case !same:
		s.warn(ui.NoticeDiffers, step, s.text().differsAt(step))
	default:
		s.warn(ui.NoticeSame, 0, s.text().same(s.now.len()))
	}
	return nil
}

// replayOn plays choices from the start on an engine and makes what comes of
// them the timeline. When the engine fails everything stays as it was.
func (s *Session) replayOn(ctx context.Context, kind ui.EngineKind, choices []engine.Choice) *Error {
	unavailable := func(err error) *Error {
		s.warn(ui.NoticeError, 0, s.text().cannotSwitch(err))
		return &Error{CodeEngine, s.notice.Text}
	}
	var g *stage
	if s.stage != nil && s.stage.kind == kind {
		g = s.stage
	} else {
		var err error
		if g, err = s.openKind(ctx, kind); err != nil {
			return unavailable(err)
		}
	}
	trace, err := g.replay(ctx, choices)
	if err != nil && !isNotEnabled(err) {
		if g != s.stage {
			g.release() //nolint:errcheck // the engine has failed already
		} else {
			s.leave()
		}
		return unavailable(err)
	}
	n := len(trace.Steps)
	s.take(g, choices[:n:n], trace)
	if err != nil {
		s.warn(ui.NoticeDiffers, n+1, s.text().stopsAt(n+1, err))
	}
	return nil
}
