package player

import (
	"context"
	"errors"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// baseline is the lesson without the learner's edits, played in memory with the same
// choices. Comparing with it shows what the edits change.
type baseline struct {
	scenario *engine.Scenario
	world    *engine.World // nil: it has not begun
	choices  []engine.Choice
	stopped  *engine.NotEnabledError // the choice after those cannot happen there
}

// follow plays the choices as far as they may happen.
func (b *baseline) follow(ctx context.Context, l *lessons.Lesson, choices []engine.Choice, keep func(bytes int) error) error {
	if b.scenario == nil {
		scenario, err := scenarioInMemory(ctx, l, keep)
		if err != nil {
			return err
		}
		b.scenario = &scenario
	}
	if b.world == nil || !prefix(choices, b.choices) {
		world, err := engine.NewWorld(ctx, *b.scenario)
		if err != nil {
			return err
		}
		*b = baseline{scenario: b.scenario, world: world}
	}
	if b.stopped != nil && len(choices) > len(b.choices) && choices[len(b.choices)] == b.stopped.Choice {
		return nil
	}
	b.stopped = nil
	for _, c := range choices[len(b.choices):] {
		_, err := b.world.Apply(ctx, c)
		if not, is := errors.AsType[*engine.NotEnabledError](err); is {
			b.stopped = not
			return nil
		}
		if err != nil {
			b.world = nil
			return err
		}
		b.choices = append(b.choices, c)
	}
	return nil
}

// compareWithBaseline finds the first step at which the timeline differs from the one without
// the edits.
func (s *Session) compareWithBaseline(ctx context.Context) {
	if len(s.edits) == 0 {
		s.baseline = baseline{}
		return
	}
	ctx, end := s.withReplayTimeout(ctx)
	defer end()
	if err := s.baseline.follow(ctx, s.original, s.now.choices, s.reserveMemory); err != nil {
		return // the next frame tries again
	}
	there, t := s.baseline.world.Trace().Steps, &s.now
	for t.agreed < min(t.len(), len(there)) && lessons.SameStep(t.trace.Steps[t.agreed], there[t.agreed]) {
		t.agreed++
	}
}

// describeDifference adds to a view the first step that differs from the timeline without
// the edits, and what happens there instead.
func (s *Session) describeDifference(v *ui.Edits) {
	if s.baseline.world == nil {
		return
	}
	there, n := s.baseline.world.Trace().Steps, s.now.agreed
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
	if _, there := enabled(s.baseline.world.Snapshot().Options); !there {
		return nil
	}
	return &engine.NotEnabledError{Choice: *next, Reason: reason}
}
