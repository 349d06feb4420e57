package search_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/node/sample"
)

// A search joins worlds of which it says that they are in one state. Whatever was done to them before,
// they show the same whatever is done to them next, as long after now.
func TestOneStateIsOneFuture(t *testing.T) {
	all, err := catalog()
	if err != nil {
		t.Fatal(err)
	}
	joined := 0
	for _, l := range sample.Sample(t, all, 12) {
		t.Run(l.Name, func(t *testing.T) { joined += sound(t, l) })
	}
	if joined < 20 {
		t.Errorf("only %d histories led to a state that another had led to", joined)
	}
}

// sound plays random schedules of a lesson, and compares those that lead to one state. It tells how
// many did.
func sound(t *testing.T, l *lessons.Lesson) int {
	t.Helper()
	const walks, length = 12, 25
	most := 12
	if sample.Everything() {
		most = 60
	}
	r := rand.New(rand.NewPCG(1, 2))
	s := scenarioOf(t, l)
	w, err := search.NewStepwise(t.Context(), s, search.Bounds{Time: search.AnyLate, Faults: l.OneFault()})
	if err != nil {
		t.Fatal(err)
	}
	pair := [2]engine.Scenario{scenarioOf(t, l), scenarioOf(t, l)}
	histories := map[uint32][]engine.Choice{}
	joined := 0
	for n := 0; n < walks && joined < most; n++ {
		var history []engine.Choice
		for state := uint32(0); len(history) < length && joined < most; {
			choices := w.Choices(state)
			if len(choices) == 0 {
				break
			}
			c := choices[r.IntN(len(choices))]
			to, again, err := w.Make(t.Context(), s, state, c)
			if err != nil {
				t.Fatal(err)
			}
			if again {
				clear(histories)
				n, history, state = 0, nil, 0
				continue
			}
			history, state = append(slices.Clip(history), c), to
			switch first, known := histories[state]; {
			case !known:
				histories[state] = history
			case !slices.Equal(first, history):
				joined++
				if !alike(t, pair, [2][]engine.Choice{first, history}, r) {
					return joined
				}
			}
		}
	}
	t.Logf("%d states, %d histories to others of them", len(histories), joined)
	return joined
}

// alike does to two worlds each thing that may be done to them, and some more after that.
func alike(t *testing.T, pair [2]engine.Scenario, histories [2][]engine.Choice, r *rand.Rand) bool {
	t.Helper()
	const after = 3
	worlds := func() (ws [2]*engine.World) {
		for i, s := range pair {
			s.Invariants = nil
			w, _, err := engine.Replay(t.Context(), s, histories[i])
			if err != nil {
				t.Fatal(err)
			}
			ws[i] = w
		}
		return ws
	}
	for _, c := range enabled(worlds()[0].Snapshot()) {
		ws := worlds()
		done := []engine.Choice{}
		for next := []engine.Choice{c}; len(next) > 0 && len(done) <= after; {
			c := next[r.IntN(len(next))]
			done = append(done, c)
			var shown [2]string
			for i, w := range ws {
				step, err := w.Apply(t.Context(), c)
				shown[i] = observed(t, step, err)
			}
			if shown[0] != shown[1] {
				t.Errorf("after\n%v\nand\n%v,\nwhich are one state, the last of %v shows\n%s\nand\n%s", histories[0], histories[1], done, shown[0], shown[1])
				return false
			}
			next = enabled(ws[0].Snapshot())
		}
	}
	return true
}

func enabled(s *engine.Snapshot) []engine.Choice {
	var cs []engine.Choice
	for _, o := range s.Options {
		if o.Enabled() {
			cs = append(cs, o.Choice)
		}
	}
	return cs
}

// observed is all that a step shows, with instants that count from its beginning. What a search need not
// know is left out: what became of actors whose processes died, and what was written that is on its way.
func observed(t *testing.T, step engine.Step, err error) string {
	t.Helper()
	if err != nil {
		return err.Error()
	}
	now, after := step.From, step.After
	from := func(at engine.Instant) engine.Instant {
		if at == engine.NoDeadline {
			return at
		}
		return at - now
	}
	step.N, step.From, step.At = 0, 0, step.At-now
	for i := range step.Notes {
		if step.Notes[i].At != 0 { // within a move of the clock
			step.Notes[i].At -= now
		}
	}
	step.Expired = slices.Clone(step.Expired)
	for i := range step.Expired {
		step.Expired[i].At -= now
	}
	key := func(k engine.Key) engine.Key {
		k.Deadline = from(k.Deadline)
		return k
	}
	step.Changes = slices.Clone(step.Changes)
	for i, c := range step.Changes {
		for _, side := range []**engine.Key{&c.Old, &c.New} {
			if *side != nil {
				shifted := key(**side)
				*side = &shifted
			}
		}
		step.Changes[i] = c
	}
	choices := enabled(&after)
	after.Now, after.Options = 0, nil
	after.Mail = slices.Clone(after.Mail)
	slices.SortStableFunc(after.Mail, func(a, b engine.Delivery) int { return cmp.Compare(a.Process, b.Process) })
	after.Wanted = slices.Clone(after.Wanted)
	slices.SortFunc(after.Wanted, func(a, b engine.Holding) int { return cmp.Compare(a.Section, b.Section) })
	var actors []engine.ActorState
	for _, a := range after.Actors {
		switch a.Status { //nolint:exhaustive // the others go on
		case engine.Crashed, engine.Finished, engine.Failed:
			continue
		}
		a.Until, a.Failure = from(a.Until), fact.Fact{}
		slices.Sort(a.Wants)
		actors = append(actors, a)
	}
	after.Actors = actors
	after.Nodes = slices.Clone(after.Nodes)
	for i, n := range after.Nodes {
		n.Keys, n.Waits, n.Sessions, n.Queue = slices.Clone(n.Keys), slices.Clone(n.Waits), slices.Clone(n.Sessions), slices.Clone(n.Queue)
		for j := range n.Keys {
			n.Keys[j] = key(n.Keys[j])
		}
		for j := range n.Waits {
			n.Waits[j].Until = from(n.Waits[j].Until)
		}
		for j := range n.Sessions {
			n.Sessions[j].Until = from(n.Sessions[j].Until)
		}
		for j := range n.Queue {
			n.Queue[j].Changes = nil
		}
		after.Nodes[i] = n
	}
	step.After = after
	text, err := json.Marshal(step)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s %v", text, choices)
}
