package player

import (
	"context"
	"slices"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// comparison is a timeline that the page shows beside the present one: a branch, or what
// another engine does with the same choices.
type comparison struct {
	timeline         // that is shown, or the part of it that is compared
	branch   int     // its id; 0: another engine
	runner   *runner // of another engine; nil: it has not begun
}

// compare begins a comparison, or ends it.
func (s *Session) compare(ctx context.Context, c Command) *Error {
	s.endComparison()
	switch {
	case c.N != 0:
		i, bad := s.findBranch(c.N)
		if bad != nil {
			return bad
		}
		s.comparison = &comparison{branch: c.N, timeline: timeline{kind: s.branches[i].kind}}
	case c.Kind != "":
		if !slices.ContainsFunc(s.comparableEngines(), func(e ui.EngineState) bool { return e.Kind == c.Kind }) {
			return s.refuse(CodeBadMessage, fact.Of("no-engine", clip(string(c.Kind))))
		}
		s.comparison = &comparison{timeline: timeline{kind: c.Kind}}
	default:
		return nil
	}
	if err := s.follow(ctx, s.comparison); err != nil {
		s.endComparison()
		return s.engineError(fact.Of("cannot-compare", err), err)
	}
	return nil
}

// compareAgain brings the comparison up to date with the present timeline. One that cannot
// go on ends, and the page says why.
func (s *Session) compareAgain(ctx context.Context) {
	if s.comparison == nil {
		return
	}
	if err := s.follow(ctx, s.comparison); err != nil {
		s.endComparison()
		s.warn(ui.NoticeError, 0, fact.Of("cannot-compare", err))
	}
}

// follow makes a comparison's trace that of its branch, or of the present choices.
func (s *Session) follow(ctx context.Context, c *comparison) error {
	if c.branch != 0 {
		i, gone := s.findBranch(c.branch)
		if gone != nil {
			return gone
		}
		b := &s.branches[i]
		c.choices, c.trace = b.choices, b.trace
		if c.agreed = forkedAt(c.choices, s.now.choices); b.kind != s.kind || !slices.Equal(b.edits, s.edits) {
			c.agreed = 0
		}
		c.agree(&s.now)
		return nil
	}
	if c.kind == s.kind {
		return s.refuse(CodeBadMessage, fact.Of("same-engine"))
	}
	if c.runner == nil {
		g, err := s.runnerOn(ctx, c.kind)
		if err != nil {
			return err
		}
		c.runner = g
	} else if err := s.prepare(c.runner); err != nil {
		return err
	}
	if err := c.play(ctx, s.now.choices); err != nil {
		return err
	}
	c.agree(&s.now)
	return nil
}

// agree counts the first steps that go as in the present timeline. How somebody chose to move the clock so
// far makes no difference.
func (c *comparison) agree(now *timeline) {
	for c.agreed < min(now.len(), len(c.trace.Steps)) {
		here, there := now.trace.Steps[c.agreed], c.trace.Steps[c.agreed]
		if here.Choice.Kind == engine.Tick && there.Choice.Kind == engine.Tick {
			there.Choice = here.Choice
		}
		if !lessons.SameStep(here, there) {
			break
		}
		c.agreed++
	}
}

// play makes the same choices on the other engine, as far as they may happen there.
func (c *comparison) play(ctx context.Context, choices []engine.Choice) error {
	if c.runner.world != nil && c.stopped != nil && prefix(choices, append(slices.Clone(c.choices), c.stopped.Choice)) {
		return nil
	}
	if c.runner.world == nil || !prefix(choices, c.choices) {
		c.agreed = 0
		trace, err := c.runner.replay(ctx, choices)
		return c.take(choices, trace, err)
	}
	for _, choice := range choices[len(c.choices):] {
		_, err := c.runner.apply(ctx, c.choices, choice)
		if c.runner.world == nil {
			return err
		}
		if err := c.take(choices, c.runner.world.Trace(), err); err != nil || c.stopped != nil {
			return err
		}
	}
	c.stopped = nil
	return nil
}

func (c *comparison) bytes() int {
	if c.runner == nil {
		return 0 // a branch counts itself
	}
	n := c.trace.Bytes()
	if c.runner.world != nil {
		n += c.runner.world.Bytes()
	}
	return n
}

func (s *Session) endComparison() {
	if c := s.comparison; c != nil && c.runner != nil {
		c.runner.release() //nolint:errcheck // what a dead server still holds expires there by itself
	}
	s.comparison = nil
}

// comparableEngines are those that could play the same choices beside the present one: in
// memory all do the same.
func (s *Session) comparableEngines() []ui.EngineState {
	var all []ui.EngineState
	for _, e := range s.Engines {
		state := e.State(s.lang)
		_, elsewhere := e.(Elsewhere)
		alike := state.Kind.Real() == "" && s.kind.Real() == "" || !state.Kind.Serves(s.lesson)
		if !elsewhere && !alike && state.Kind != s.kind && state.Reason == "" {
			all = append(all, state)
		}
	}
	return all
}

func (s *Session) comparedView() *ui.Compared {
	c := s.comparison
	if c == nil {
		return nil
	}
	v := &ui.Compared{Branch: c.branch, Engine: ui.EngineState{Kind: c.kind}, Trace: &c.trace, Same: c.agreed, Stopped: c.stopped}
	if e, ok := s.engineOf(c.kind); ok {
		v.Engine = e.State(s.lang)
	}
	return v
}
