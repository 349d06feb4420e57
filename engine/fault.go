package engine

import (
	"context"
	"slices"

	"lockstep/engine/fact"
)

func isPaused(_ *World, p *process) fact.Fact {
	if p.paused {
		return fact.Of("paused", p.name)
	}
	return fact.Fact{}
}

func isNotPaused(_ *World, p *process) fact.Fact {
	if !p.paused {
		return fact.Of("not-paused", p.name)
	}
	return fact.Fact{}
}

func hasNoMessage(w *World, p *process) fact.Fact {
	if w.oldest(p) < 0 {
		return fact.Of("no-message", p.name)
	}
	return fact.Fact{}
}

func pause(_ context.Context, _ *World, p *process, _ *Step) error {
	p.paused = true
	return nil
}

func resume(_ context.Context, _ *World, p *process, _ *Step) error {
	p.paused = false
	return nil
}

// drop loses the oldest message that waits in a process.
func drop(_ context.Context, w *World, p *process, step *Step) error {
	i := w.oldest(p)
	step.Lost = w.mail[i].Payload
	w.mail = slices.Delete(w.mail, i, i+1)
	return nil
}

// oldest is the place of the first message that waits in a process, or -1.
func (w *World) oldest(p *process) int {
	return slices.IndexFunc(w.mail, func(d Delivery) bool { return d.Process == p.name })
}

// crash ends a process: its threads, its connections and what it was listening
// for. What it left on the nodes stays there.
func crash(ctx context.Context, w *World, p *process, _ *Step) error {
	for _, n := range w.scenario.Nodes {
		if err := n.Node.Disconnect(ctx, p.name); err != nil {
			return err
		}
	}
	p.crashed = true
	w.mail = slices.DeleteFunc(w.mail, func(d Delivery) bool { return d.Process == p.name })
	for _, t := range w.threads {
		if t.process == p.name {
			t.inside = nil
			w.unwant(t, "")
		}
	}
	return nil
}
