package sample

import (
	"context"
	"math/rand/v2"
	"time"

	"lockstep/engine"
)

// RandomRun makes choices in a world that are drawn from a seed, faults among them, so many
// unless nothing may happen sooner. They stand in its trace.
func RandomRun(ctx context.Context, w *engine.World, seed uint64, length int) error {
	r := rand.New(rand.NewPCG(seed, 1))
	for range length {
		choice, ok := draw(r, w.Enabled())
		if !ok {
			break
		}
		if _, err := w.Apply(ctx, choice); err != nil {
			return err
		}
	}
	return nil
}

func draw(r *rand.Rand, options []engine.Option) (engine.Choice, bool) {
	var enabled []engine.Choice
	for _, o := range options {
		if o.Enabled() {
			for range max(o.Choice.Kind.Row().Often, 1) {
				enabled = append(enabled, o.Choice)
			}
		}
	}
	if len(enabled) == 0 {
		return engine.Choice{}, false
	}
	choice := enabled[r.IntN(len(enabled))]
	if choice.Kind == engine.Tick && r.IntN(3) > 0 {
		choice.Span = time.Duration(1+r.IntN(20)) * 100 * time.Millisecond
	}
	return choice, true
}

// Choices are those that a trace has made.
func Choices(t *engine.Trace) []engine.Choice {
	var choices []engine.Choice
	for _, s := range t.Steps {
		choices = append(choices, s.Choice)
	}
	return choices
}
