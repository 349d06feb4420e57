package search_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"lockstep/engine"
	"lockstep/engine/search"
	"lockstep/lessons/decode"
	"lockstep/node/sample"
)

// TestAStepFromMemoryIsTheStep compares searches of small random lessons, which make most steps from what they have met
// before, with those that make each step in the world: they meet as many states after as many choices. Rules of a lesson's own
// would keep the first from remembering moves of the clock.
func TestAStepFromMemoryIsTheStep(t *testing.T) {
	for _, seed := range sample.Drawn.Seeds(t) {
		compareMemories(t, seed)
	}
}

func compareMemories(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 2))
	text := drawLesson(r)
	l, err := decode.Lesson(fstest.MapFS{"01-x/lesson.yaml": {Data: []byte(text)}}, "01-x")
	if l == nil {
		t.Errorf("seed %d: %v\n%s", seed, err, text)
		return
	}
	b := search.Bounds{Time: []search.TimeBound{search.Prompt, search.Arrive, search.AnyLate}[r.IntN(3)], States: 2_000}
	if r.IntN(2) == 0 {
		b.Faults = l.OneFault()
	}
	if r.IntN(2) == 0 {
		b.Beyond, b.Spans, b.Idle = 9*time.Second, []time.Duration{2 * time.Second}, 1+r.IntN(2)
	}
	var rules []engine.Invariant
	for _, name := range engine.RuleNames() {
		if rule, _ := engine.Rule(name); r.IntN(3) == 0 {
			rules = append(rules, rule)
		}
	}
	s := func() engine.Scenario {
		s := scenarioOf(t, l)
		s.Invariants = rules
		return s
	}
	remembers, err := search.Explore(t.Context(), s(), b, nil)
	if err != nil {
		t.Errorf("seed %d: %v\n%s", seed, err, text)
		return
	}
	makes, err := search.Unremembered(t.Context(), s(), b)
	if err != nil {
		t.Errorf("seed %d: %v\n%s", seed, err, text)
		return
	}
	if remembers.Ending != makes.Ending || remembers.Depth != makes.Depth || remembers.States != makes.States || !slices.Equal(remembers.Levels, makes.Levels) {
		t.Errorf("seed %d, time %v, faults %v: from memory it %s after %d choices, %v states; in the world it %s after %d, %v\n%s",
			seed, b.Time, b.Faults, remembers.Ending, remembers.Depth, remembers.Levels, makes.Ending, makes.Depth, makes.Levels, text)
	}
}
