package player

import (
	"context"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// compareWithBaseline finds the first step at which the timeline differs from the one without the edits: the lesson as
// it was written, played in memory with the same choices.
func (s *Session) compareWithBaseline(ctx context.Context) {
	if len(s.edits) == 0 {
		s.baseline = nil
		return
	}
	ctx, end := s.withReplayTimeout(ctx)
	defer end()
	if s.baseline == nil {
		scenario, err := scenarioInMemory(s.original, s.reserveMemory)
		if err != nil {
			return
		}
		s.baseline = &comparison{runner: &runner{scenario: scenario, withTimeout: s.withReplayTimeout}}
	}
	if err := s.baseline.play(ctx, s.now.choices); err != nil {
		return // the next frame tries again
	}
	there, t := s.baseline.trace.Steps, &s.now
	for t.agreed < min(t.len(), len(there)) && lessons.SameStep(t.trace.Steps[t.agreed], there[t.agreed]) {
		t.agreed++
	}
}

// describeDifference adds to a view the first step that differs from the timeline without
// the edits, and what happens there instead.
func (s *Session) describeDifference(v *ui.Edits) {
	if s.baseline == nil || s.baseline.runner.world == nil {
		return
	}
	there, n := s.baseline.trace.Steps, s.now.agreed
	pos := s.now.pos
	if n < pos && pos <= len(there) && !lessons.SameStep(s.now.trace.Steps[pos-1], there[pos-1]) {
		v.Shown = &there[pos-1]
	}
	switch {
	case n < s.now.len() && n < len(there):
		v.Differs, v.There = n+1, &there[n]
	case n < s.now.len() && s.baseline.stopped != nil:
		v.Differs, v.NotThere = n+1, s.baseline.stopped
	case n == s.now.len():
		if not := s.blockedChoice(); not != nil {
			v.Differs, v.NotHere = n+1, not
		}
	}
}

// blockedChoice is why the timeline cannot go on as it did before the edit, or as the
// story does, although it could without the edits.
func (s *Session) blockedChoice() *engine.NotEnabledError {
	next := s.storySteps.next(s.now.choices)
	if s.now.stopped != nil {
		next = &s.now.stopped.Choice
	}
	if next == nil {
		return nil
	}
	if next.Kind == engine.Tick && next.Span > 0 {
		return nil // the clock can always move by a span
	}
	enabled := func(options []engine.Option) (fact.Fact, bool) {
		for _, o := range options {
			if o.Choice.Kind == next.Kind && o.Choice.Target == next.Target {
				return o.Reason, o.Reason.Code == ""
			}
		}
		return fact.Of(engine.ReasonUnknown, next.Target), false
	}
	reason, here := enabled(s.now.trace.At(s.now.len()).Options)
	if here {
		return nil
	}
	if _, there := enabled(s.baseline.runner.world.Snapshot().Options); !there {
		return nil
	}
	return &engine.NotEnabledError{Choice: *next, Reason: reason}
}
