package ui

import (
	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/highlight"
)

// RenderCache keeps the HTML of a timeline. The past does not change, so each step is
// rendered once, and so is each line of code. The player keeps one cache with
// each timeline. The zero value is ready for use.
type RenderCache struct {
	lang   lessons.Lang
	steps  []*drawnStep
	lines  map[string][]string   // HTML of each line by source
	tasks  []string              // in the order in which they began
	seen   int                   // steps whose tasks are known
	leases map[string]*leaseLane // by node
}

// Cut is the cache of the timeline's first n steps.
func (a *RenderCache) Cut(n int) RenderCache {
	n = min(n, len(a.steps))
	return RenderCache{lang: a.lang, steps: a.steps[:n:n], lines: a.lines, leases: map[string]*leaseLane{}}
}

// drawnStep is the HTML of one step, without anything that depends on where the learner
// stands, and where it is: from the timeline's start.
type drawnStep struct {
	lines             []line
	values            []written
	Top, Height       int
	y                 int    // of its arrow, or of the end of a move of the clock
	times             int    // how often a crowd has done it in a row
	folded            bool   // more time passes than it has room for
	picture, sentence string // HTML, empty until drawn
}

// cache is the player's cache, or else one for this rendering only.
func (v *View) cache() *RenderCache {
	if v.Cache == nil {
		v.Cache = &RenderCache{}
	}
	if v.Cache.lang != v.Lang {
		*v.Cache = RenderCache{lang: v.Lang, lines: map[string][]string{}, leases: map[string]*leaseLane{}}
	}
	return v.Cache
}

// lastScript is the last step up to the shown one that ran a script; 0: none did.
func (v *View) lastScript() int {
	for n := v.Pos; n > 0; n-- {
		if exec, ok := v.Trace.Steps[n-1].Request.(engine.Exec); ok && exec.Op.Script != nil {
			return n
		}
	}
	return 0
}

// drawnStep finds or adds the entry for the step after n others.
func (v *View) drawnStep(d diagram, n int) *drawnStep {
	a := v.cache()
	for k := len(a.steps); k <= n; k++ {
		top := d.startHeight()
		var before *drawnStep
		if k > 0 {
			before = a.steps[k-1]
			top = before.Top + before.Height
		}
		if k < len(v.pads) {
			top += v.pads[k]
		}
		step := d.drawn(v, v.Lesson.Words.Step(v.Lang, &v.Trace.Steps[k]), top)
		step.follow(d, v, k, before)
		a.steps = append(a.steps, step)
	}
	return a.steps[n]
}

// lines are a source's lines in colours, as HTML.
func (v *View) lines(source string) []string {
	known := v.cache().lines
	lines, ok := known[source]
	if !ok {
		for _, line := range highlight.Lua(source) {
			lines = append(lines, lineHTML(v.Lang, v.Lesson.Words, line))
		}
		known[source] = lines
	}
	return lines
}
