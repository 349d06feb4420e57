package ui

import (
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
)

// Of two timelines side by side, an instant to which both clocks move has one height, and so has what they share.
func TestTwoTimelinesHaveOneScale(t *testing.T) {
	move := func(steps []engine.Step, c engine.Choice, to engine.Instant) []engine.Step {
		from := engine.Instant(0)
		if n := len(steps); n > 0 {
			from = steps[n-1].At
		}
		return append(steps, engine.Step{N: len(steps) + 1, Choice: c, From: from, At: to})
	}
	run, tick := engine.Choice{Kind: engine.Run, Target: "A"}, engine.Choice{Kind: engine.Tick}
	const s = 1e9
	shared := move(move(nil, run, 0), tick, 10*s)
	here := move(move(move(move(shared[:2:2], run, 10*s), run, 10*s), tick, 12*s), tick, 20*s)
	there := move(move(move(shared[:2:2], tick, 12*s), run, 12*s), tick, 20*s)
	v := viewOf(newWorld(), lessons.En)
	start := v.Trace.Start
	v.Trace, v.Pos = &engine.Trace{Start: start, Steps: here}, 2
	c := &Compared{Branch: 1, Trace: &engine.Trace{Start: start, Steps: there}, Same: 2}
	both := halves(&v, c)
	at := func(h half, n int) int { return h.d.Events[n-1].y }
	for _, pair := range [][2]int{{1, 1}, {2, 2}, {5, 3}, {6, 5}} {
		if l, r := at(both[0], pair[0]), at(both[1], pair[1]); l != r {
			t.Errorf("step %d is at %d, and step %d beside it at %d", pair[0], l, pair[1], r)
		}
	}
	if both[0].Tear != both[1].Tear || both[0].Tear <= at(both[0], 2) || both[0].Tear > at(both[0], 3) {
		t.Errorf("they are torn at %d and %d", both[0].Tear, both[1].Tear)
	}
	const mark, high = 7, 6 // below the arrow of a step, and of the words at the tear
	if tear := both[0].Tear; tear-high < at(both[0], 2)+mark || tear+high > both[0].d.Events[2].Top {
		t.Errorf("the tear at %d crosses the step at %d that both share, or what follows at %d", tear, at(both[0], 2), both[0].d.Events[2].Top)
	}
	if both[0].Parts != "run A" || both[0].Height != both[1].Height {
		t.Errorf("here it says %q; %d and %d pixels are drawn", both[0].Parts, both[0].Height, both[1].Height)
	}
	c.Trace, c.Same = v.Trace, len(here)
	if same := halves(&v, c); same[0].Tear != 0 || same[1].Tear != 0 {
		t.Error("two that are the same are torn")
	}
}
