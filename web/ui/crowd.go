package ui

import (
	"lockstep/engine"
)

// Of a crowd many do the same, one after the other. Their steps are drawn as a run: the first is a row like others, the
// next ones are lines close below each other, and what they say is said once, with how many they are.

// thinRow is how high a step is that does once more what the one before it did.
const thinRow = 1

// repeats tells whether a step does once more what the one before it did, for another one of the same crowd.
func repeats(v *View, before, s *engine.Step) bool {
	return before.Choice == s.Choice && s.Choice.Kind == engine.Run && manyOf(v, s.Choice.Target) != "" &&
		requestText(v.Lang, before.Request, exactSpan) == requestText(v.Lang, s.Request, exactSpan) &&
		cameBack(v, before) == cameBack(v, s) && len(before.Broken)+len(s.Broken) == 0
}

// follow makes a step the next one of a run, if it is one. The second keeps its height: it leaves the words of the first,
// and its own, or those of a later one, their room.
func (e *drawnStep) follow(d diagram, v *View, n int, before *drawnStep) {
	e.times = 1
	steps := v.Trace.Steps
	if before == nil || len(before.lines)+len(e.lines) > 0 || !repeats(v, &steps[n-1], &steps[n]) {
		return
	}
	e.times = before.times + 1
	if e.times > 2 {
		up := d.row - thinRow
		e.y -= up
		e.Height -= up
		for i := range e.values {
			e.values[i].y -= up
		}
	}
}

// mostDrawn is how many steps are drawn at most, those of runs with them.
const mostDrawn = 320

// from is where the drawing begins: as many rows as are shown above its end, and the whole of the first run.
func (d diagram) from(v *View) int {
	from := d.To
	for rows := 0; from > 0 && rows < shown && d.To-from < mostDrawn; from-- {
		if v.drawnStep(d, from-1).times <= 2 {
			rows++
		}
	}
	for from > 0 && v.drawnStep(d, from).times > 1 {
		from--
	}
	return from
}

// begins is how many steps there are before the run of a step.
func (e event) begins() int { return e.N - e.times }

// unsaid tells whether a step of a run leaves its words to another one: to the shown step, if it is in the run, or
// else to the last.
func (d diagram) unsaid(i int) bool {
	e := d.Events[i]
	if e.times == 1 || e.Current {
		return false
	}
	if i+1 < len(d.Events) && d.Events[i+1].begins() == e.begins() {
		return true
	}
	for _, other := range d.Events {
		if other.Current {
			return other.begins() == e.begins()
		}
	}
	return false
}
