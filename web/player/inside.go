package player

import (
	"context"
	"errors"
	"slices"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/node/redis"
	"lockstep/web/ui"
)

// moveLine walks through the lines of the shown step: those of its script in Redis,
// then those that clients ran on their own. Forward from outside leads to the first
// line, back to the last; beyond the last one the step has ended.
func (s *Session) moveLine(ctx context.Context, c Command) *Error {
	if s.line == 0 {
		s.notice = nil // inside it stands: it may say that these are not the lines that ran
	}
	if c.Pos != nil && *c.Pos <= 0 {
		s.leaveLines()
		return nil
	}
	if c.Pos == nil && c.N == 0 {
		return s.refuse(CodeBadMessage, fact.Of("no-field", "n"))
	}
	if err := s.lookInside(ctx); err != nil {
		return err
	}
	last := s.lineCount()
	to := s.line + clamp(c.N)
	switch {
	case c.Pos != nil:
		to = min(*c.Pos, last)
	case s.line == 0 && c.N < 0:
		to = last + 1 + clamp(c.N)
	}
	if to > last {
		s.leaveLines()
		return nil
	}
	s.line, s.thread = max(to, 1), ""
	v := s.View()
	s.announcement = ui.LineSentence(&v)
	return nil
}

func (s *Session) leaveLines() {
	if s.line > 0 {
		s.line, s.notice = 0, nil
		s.announceStep()
	}
}

// shownStep is nil at the start.
func (s *Session) shownStep() *engine.Step {
	if s.now.pos == 0 {
		return nil
	}
	return &s.now.trace.Steps[s.now.pos-1]
}

func (s *Session) lineCount() int {
	_, all := ui.LinesOf(s.shownStep())
	return all
}

// lookInside sees to it that the shown step's lines are known. The step is played
// once more, and followed; what that tells is kept in the timeline.
func (s *Session) lookInside(ctx context.Context) *Error {
	pos := s.now.pos
	if !ui.HasLines(s.shownStep()) {
		return s.refuse(CodeNoLines, nothingRan(pos))
	}
	if s.lineCount() > 0 {
		return nil
	}
	trace, err := s.replayInside(ctx)
	not, disabled := errors.AsType[*engine.NotEnabledError](err)
	switch {
	case disabled:
		n := len(trace.Steps) + 1
		return s.warned(ui.NoticeDiffers, n, fact.Of("stops-at", n, not.Choice, not.Reason))
	case err != nil:
		s.dropRunner()
		return s.warned(ui.NoticeError, 0, fact.Of("cannot-look", pos, err))
	}
	shownSoFar := s.now.trace.Cut(pos)
	if step, same := lessons.Compare(&shownSoFar, trace); !same {
		s.warn(ui.NoticeDiffers, step, fact.Of("differs-at", step))
	}
	again := &trace.Steps[pos-1]
	if err := s.reserveMemory(again.LineBytes()); err != nil {
		return s.warned(ui.NoticeError, 0, fact.Of("cannot-look", pos, err))
	}
	s.now.trace.Steps = slices.Clone(s.now.trace.Steps) // one of them changes, here alone
	shown := s.shownStep()
	shown.ShowLines(again)
	if s.lineCount() > 0 {
		return nil
	}
	if exec, ok := shown.Request.(engine.Exec); ok && exec.Op.Script != nil {
		return s.refuse(CodeNoLines, fact.Of("no-lines", clip(exec.Op.Script.Name)))
	}
	return s.refuse(CodeNoLines, nothingRan(pos))
}

// replayInside plays the timeline up to the shown step, which is looked into.
func (s *Session) replayInside(ctx context.Context) (*engine.Trace, error) {
	g, err := s.runnerOn(ctx, s.kind)
	if err != nil {
		return nil, err
	}
	s.runner = g
	pos := s.now.pos
	s.runner.scenario.Look, s.runner.scenario.Watch = redis.Look, func(step int) bool { return step == pos }
	trace, err := s.runner.replay(ctx, s.now.choices[:pos:pos])
	s.runner.scenario.Look, s.runner.scenario.Watch = nil, nil
	return trace, err
}
