package player

import (
	"context"
	"reflect"
	"slices"

	"lockstep/engine"
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
	step, same := compare(&was.trace, &s.now.trace)
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

// compare finds the first step that is not the same in both traces; 0 is the start.
func compare(a, b *engine.Trace) (step int, same bool) {
	if !sameSnapshot(&a.Start, &b.Start) {
		return 0, false
	}
	for i := range min(len(a.Steps), len(b.Steps)) {
		if !sameStep(&a.Steps[i], &b.Steps[i]) {
			return i + 1, false
		}
	}
	if len(a.Steps) != len(b.Steps) {
		return min(len(a.Steps), len(b.Steps)) + 1, false
	}
	return 0, true
}

// sameStep compares what a reader sees of two steps, and the worlds after them.
func sameStep(a, b *engine.Step) bool {
	return a.Choice == b.Choice && a.String() == b.String() && sameSnapshot(&a.After, &b.After)
}

func sameSnapshot(a, b *engine.Snapshot) bool {
	return a.Now == b.Now &&
		slices.EqualFunc(a.Actors, b.Actors, sameActor) &&
		slices.EqualFunc(a.Nodes, b.Nodes, sameNode) &&
		slices.Equal(a.Mail, b.Mail) &&
		slices.Equal(a.Options, b.Options)
}

func sameActor(a, b engine.ActorState) bool {
	return a.Name == b.Name && a.Status == b.Status && a.Until == b.Until && a.Failure == b.Failure &&
		slices.Equal(a.Inside, b.Inside) && slices.Equal(a.Wants, b.Wants) && reflect.DeepEqual(a.Next, b.Next)
}

func sameNode(a, b engine.NodeView) bool {
	return a.Node == b.Node && slices.EqualFunc(a.Keys, b.Keys, engine.Key.Equal) &&
		slices.Equal(a.Subscriptions, b.Subscriptions)
}
