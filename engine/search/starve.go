package search

import (
	"context"
	"fmt"
	"slices"

	"lockstep/engine"
)

// NobodyStarves is the rule that whoever wants a section gets inside eventually. No step breaks it: a
// loop of states does that can go on for ever, or a state after which nothing has to happen. So only a
// search can judge it.
type NobodyStarves struct{}

// Name is what lessons call the rule.
func (NobodyStarves) Name() string { return engine.StarvesRule }

// Check finds nothing, as no step breaks the rule.
func (NobodyStarves) Check(*engine.Snapshot, *engine.Step) ([]engine.Violation, error) {
	return nil, nil
}

// Starves tells whether it is NobodyStarves that breaks.
func (v *Verdict) Starves() bool {
	return v.Violation != nil && v.Violation.Invariant == NobodyStarves{}.Name()
}

// replayLoop plays the schedule of the verdict on the scenario's own nodes, and fails unless the
// starving actor wants its section there, too, all the way round.
func (x *search) replayLoop(ctx context.Context, s engine.Scenario) error {
	_, trace, err := engine.Replay(ctx, bare(s), x.verdict.Schedule)
	if err != nil {
		return fmt.Errorf("the search does not agree with the world, and found %v: %w", x.verdict.Violation, err)
	}
	wants := func(h engine.Holding) bool {
		return h.Section == x.starving.Section && slices.Contains(h.Actors, x.starving.Actors[0])
	}
	for i := len(trace.Steps) - x.verdict.Loop; i <= len(trace.Steps); i++ {
		if !slices.ContainsFunc(trace.At(i).Wanted, wants) {
			return fmt.Errorf("the search does not agree with the world, and found %v: not after %d choices of %v", x.verdict.Violation, i, x.verdict.Schedule)
		}
	}
	return nil
}
