package player

import (
	"errors"
	"slices"

	"lockstep/engine"
	"lockstep/web/ui"
)

// timeline is one run of the lesson and the place where the learner stands in it.
type timeline struct {
	kind     ui.EngineKind // that the trace was made on
	choices  []engine.Choice
	trace    engine.Trace // Steps are as many as choices
	pos      int
	cache    ui.RenderCache // what was drawn of it
	followed followed       // the script that was followed last
	won      int            // the first step that reached the challenge's goal, …
	judged   int            // … of as many as were looked at; 0: none did

	edits   []edit                  // that the lesson had
	agreed  int                     // its first steps that are known to go as without edits; of a comparison, as in the present one
	stopped *engine.NotEnabledError // why the choices that were played did not all fit; nil when something happened since
}

func (t *timeline) len() int { return len(t.choices) }

// cut is the timeline up to n, sharing nothing that an append could overwrite.
func (t *timeline) cut(n int) timeline {
	c := timeline{
		kind:    t.kind,
		choices: t.choices[:n:n],
		trace:   t.trace.Cut(n),
		pos:     min(t.pos, n),
		cache:   t.cache.Cut(n),
		judged:  min(t.judged, n),
		edits:   t.edits,
		agreed:  min(t.agreed, n),
	}
	if t.won <= n {
		c.won = t.won
	}
	return c
}

// take keeps what was played of some choices: all of them, or those before one that could not be made.
func (t *timeline) take(choices []engine.Choice, trace *engine.Trace, err error) error {
	not, stopped := errors.AsType[*engine.NotEnabledError](err)
	if err != nil && !stopped {
		return err
	}
	n := len(trace.Steps)
	t.choices, t.trace, t.stopped = choices[:n:n], trace.Cut(n), not
	return nil
}

// extend adds a step at the end and goes there.
func (t *timeline) extend(c engine.Choice, step engine.Step) {
	t.choices = append(t.choices, c)
	t.trace.Steps = append(t.trace.Steps, step)
	t.pos = t.len()
	t.stopped = nil
}

// forkedAt is the number of choices that two timelines share.
func forkedAt(a, b []engine.Choice) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// prefix tells whether the choices begin with those given.
func prefix(choices, begin []engine.Choice) bool {
	return len(begin) <= len(choices) && slices.Equal(choices[:len(begin)], begin)
}
