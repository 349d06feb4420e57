package engine

import (
	"context"

	"lockstep/engine/fact"
)

func cannotJump(w *World, c Choice) fact.Fact {
	if at := w.machine(c.Target).clock + c.Span; at > MaxSpan || at < -MaxSpan {
		return fact.Of("clock-too-far", c.Target)
	}
	return fact.Fact{}
}

// jump sets the clock of a process or a node. Timers that have begun do not notice:
// they measure spans. What expires on a node follows its clock.
func jump(ctx context.Context, w *World, c Choice, step *Step) error {
	m := w.machine(c.Target)
	m.clock += c.Span
	s := w.server(c.Target)
	if s == nil {
		return nil
	}
	err := w.advanceNode(ctx, s, w.now, step)
	for i := range step.Expired {
		step.Expired[i].At = w.now // by the new clock it was over before, and yet it was there until the jump
	}
	return err
}

// advanceNode moves the clock of a node that runs to what it shows at an instant of the world: its own
// clock may be ahead or behind. The clock of a node that stands still is moved when it goes on.
func (w *World) advanceNode(ctx context.Context, s *server, to Instant, step *Step) error {
	if !s.runs() {
		return nil
	}
	effects, err := s.node.AdvanceTo(ctx, to+s.clock)
	if err != nil {
		return err
	}
	w.spread(s, effects, step)
	return nil
}
