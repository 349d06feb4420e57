package ui

import (
	"strconv"
	"time"

	"lockstep/engine"
)

// moved draws a move of the clock on the axis: marks to scale, or how long the fold is that stands for them, and the time to
// which it came.
func (p *pen) moved(v *View, d diagram, e event) {
	from := e.Top
	p.write(`<path class="ruler" d="M0 `, px(from))
	if e.folded {
		for i := range foldedGap / 6 {
			p.write("l", px(5-10*(i%2)), " 6")
		}
		p.write(`"/>`)
		p.says(d, e.Top+foldedGap/2+4, says{class: "fold", text: foldedText.in(v.Lang, span(v.Lang, e.At-e.From)), short: foldedShort.in(v.Lang, span(v.Lang, e.At-e.From))})
	} else {
		p.write("V", px(e.y), `"/>`)
		p.marks(d, "marks", from, e.y)
	}
	p.line("instant", "0", "100%", e.y)
	if len(e.Broken) > 0 {
		p.glyph(icon(outBroken), 0, e.y)
	}
	p.write(`<text class="when" x="-10" y="`, px(e.y+4), `">`, axisTime(v, d, e), `</text>`)
}

// marks are seconds, or what of them has room, as dashes of one line.
func (p *pen) marks(d diagram, class string, from, to int) {
	step := d.unit(leastMark) * d.second
	if first := from + int(step); first < to {
		p.write(`<path class="`, class, `" d="M-2.5 `, px(first), "V", px(to), `" stroke-dasharray="1 `, strconv.FormatFloat(step-1, 'f', 2, 64), `"/>`)
	}
}

// axisTime is the time at which a step ends; after a fold, since its end: the digits of a long time tell nothing.
func axisTime(v *View, d diagram, e event) string {
	var since engine.Instant
	for i := range v.Trace.Steps[:e.N-1] {
		if s := &v.Trace.Steps[i]; s.At >= 10*time.Minute {
			if _, folded := d.gap(s); folded {
				since = s.At
			}
		}
	}
	switch {
	case e.At < 10*time.Minute:
		return span(v.Lang, e.At)
	case since > 0 && e.At-since < 10*time.Minute:
		return "+" + span(v.Lang, e.At-since)
	case e.At%time.Hour == 0 && !long(e.At):
		return span(v.Lang, e.At)
	}
	return shortInstant(v.Lang, e.At)
}
