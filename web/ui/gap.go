package ui

import (
	"math"
	"slices"
	"time"

	"lockstep/engine"
)

// Time is drawn to scale: where the clock moves, a second has the same height in all of a lesson.
const (
	storyGaps = 240 // pixels of the moves of the clock that a story makes, together
	mostGap   = 160 // a longer move is folded, and says so
	foldedGap = 36
	leastMark = 8 // pixels between two marks of the ruler
)

// perSecond is how many pixels a second has; 0: there is no story to take the measure of.
func perSecond(v *View) float64 {
	var all time.Duration
	for _, c := range v.Lesson.Choices() {
		if c.Kind == engine.Tick && (all == 0 || c.Span < 10*all) { // what is to be folded is no measure
			all += c.Span
		}
	}
	if all == 0 {
		return 0
	}
	return storyGaps / all.Seconds()
}

// gap is how many pixels a step leaves free above it for the time that passes.
func gap(v *View, s *engine.Step) (pixels int, folded bool) {
	if s.Choice.Kind.Of() != engine.TheClock {
		return 0, false
	}
	if pixels = int((s.At - s.From).Seconds() * perSecond(v)); pixels > mostGap {
		return foldedGap, true
	}
	return pixels, false
}

// units are the spans between two marks of the ruler, in seconds. What has no pixels for the last one is folded.
var units = []int{1, 5, 10, 30, 60, 300, 3600, 86400, math.MaxInt}

// ruler marks the seconds that pass beside the margin, or that they are not to scale.
func (p *pen) ruler(v *View, e event) {
	if e.gap == 0 {
		return
	}
	from := e.y() - e.gap
	p.write(`<svg class="ruler" x="9%"><path d="M0 `, px(from))
	if e.folded {
		for i := range foldedGap / 6 {
			p.write("l", px(4-8*(i%2)), " 6")
		}
	} else {
		p.write("v", px(e.gap))
		scale := perSecond(v)
		unit := units[slices.IndexFunc(units, func(u int) bool { return float64(u)*scale >= leastMark })]
		for n := unit; int(float64(n)*scale) < e.gap; n += unit {
			p.write("M-4 ", px(from+int(float64(n)*scale)), "h4")
		}
	}
	p.write(`"/></svg>`)
}
