package player

import (
	"context"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/luaexec"
	"lockstep/web/ui"
)

// moveLine walks through the script of the shown step. Forward from outside leads
// to its first line, back to its last; beyond the last one the step has ended.
func (s *Session) moveLine(ctx context.Context, c Command) *Error {
	if s.line == 0 {
		s.notice = nil // inside it stands: it may say that these are not the lines that ran
	}
	if c.Pos != nil && *c.Pos <= 0 {
		s.leaveScript()
		return nil
	}
	if c.Pos == nil && c.N == 0 {
		return &Error{Code: CodeBadMessage, Msg: s.text().missing("n")}
	}
	if err := s.lookInside(ctx); err != nil {
		return err
	}
	last := len(s.inside().Lines)
	to := s.line + clamp(c.N)
	switch {
	case c.Pos != nil:
		to = min(*c.Pos, last)
	case s.line == 0 && c.N < 0:
		to = last + 1 + clamp(c.N)
	}
	if to > last {
		s.leaveScript()
		return nil
	}
	s.line = max(to, 1)
	s.say = ui.LineSentence(s.lang, s.inside(), s.line)
	return nil
}

func (s *Session) leaveScript() {
	if s.line > 0 {
		s.line, s.notice = 0, nil
		s.speak()
	}
}

// inside is what is known of the lines of the shown step's script.
func (s *Session) inside() *engine.Inside {
	if s.now.pos == 0 {
		return nil
	}
	return s.now.trace.Steps[s.now.pos-1].Inside
}

// lookInside sees to it that inside has lines. The step is played once more, with
// its script looked into; what that tells is kept in the timeline.
func (s *Session) lookInside(ctx context.Context) *Error {
	pos := s.now.pos
	exec, ran := s.ranScript()
	if !ran {
		return &Error{Code: CodeNoScript, Msg: s.text().noScript(pos)}
	}
	if s.inside() == nil {
		trace, err := s.replayInside(ctx)
		switch {
		case err != nil && isNotEnabled(err):
			n := len(trace.Steps) + 1
			s.warn(ui.NoticeDiffers, n, s.text().stopsAt(n, err))
			return &Error{Code: CodeEngine, Msg: s.notice.Text}
		case err != nil:
			s.warn(ui.NoticeError, 0, s.text().cannotLook(pos, err))
			s.leave()
			return &Error{Code: CodeEngine, Msg: s.notice.Text}
		}
		if step, same := lessons.Compare(&engine.Trace{Start: s.now.trace.Start, Steps: s.now.trace.Steps[:pos]}, trace); !same {
			s.warn(ui.NoticeDiffers, step, s.text().differsAt(step))
		}
		s.now.trace.Steps[pos-1].Inside = trace.Steps[pos-1].Inside
	}
	if in := s.inside(); in == nil || len(in.Lines) == 0 {
		return &Error{Code: CodeNoScript, Msg: s.text().noLines(exec.Op.Script.Name)}
	}
	return nil
}

// ranScript is the script that the shown step ran.
func (s *Session) ranScript() (engine.Exec, bool) {
	if s.now.pos == 0 {
		return engine.Exec{}, false
	}
	exec, ok := s.now.trace.Steps[s.now.pos-1].Request.(engine.Exec)
	return exec, ok && exec.Op.Script != nil
}

// replayInside plays the timeline up to the shown step, which is looked into.
func (s *Session) replayInside(ctx context.Context) (*engine.Trace, error) {
	g, err := s.on(ctx, s.kind)
	if err != nil {
		return nil, err
	}
	s.stage = g
	pos := s.now.pos
	s.stage.scenario.Look = func(ctx context.Context, step int, node engine.Node, op engine.Op, before engine.NodeView, now engine.Instant) (engine.Result, *engine.Inside, error) {
		if step == pos {
			return luaexec.Look(ctx, node, op, before, now)
		}
		res, err := node.Exec(ctx, op)
		return res, nil, err
	}
	trace, err := s.stage.replay(ctx, s.now.choices[:pos:pos])
	s.stage.scenario.Look = nil
	return trace, err
}
