package ui

import (
	"cmp"
	"strings"

	"github.com/a-h/templ"

	"lockstep/engine"
)

// headRows is in how many rows the lanes' names stand, so that none covers another.
func (d diagram) headRows() int {
	switch n := len(d.Lanes); {
	case n <= 4:
		return 1
	case n <= 6 && d.servers < 4:
		return 2
	}
	return 3
}

// heads are the lanes' names, with a line to each lane below all names.
func (v *View) heads(d diagram) string {
	rows := d.headRows()
	height := px(14 + 16*rows)
	var lines, names strings.Builder
	for i, l := range d.Lanes {
		x, y := pc(l.X), 16*(i%rows)
		lines.WriteString(`<line class="` + l.Hue + `" x1="` + x + `" x2="` + x + `" y1="` + px(25+y) + `" y2="` + height + `"></line>`)
		names.WriteString(`<text class="` + l.Hue + `" x="` + x + `" y="` + px(19+y) + `">` + templ.EscapeString(clip(l.Name, 12)+manyOf(v, l.Name)) + `</text>`)
	}
	return `<svg class="heads" width="100%" height="` + height + `" aria-hidden="true">` + lines.String() + names.String() + `</svg>`
}

// short is how far from a lane something is lost on its way there.
const short = 2.5

// before is the place short of a lane, seen from another one.
func before(from, to float64) float64 {
	if from < to {
		return to - short
	}
	return to + short
}

// arrow is from where to where a request or its reply goes: up to its node's lane, or
// short of it when it is lost.
func (d diagram) arrow(e event) (from, to float64) {
	from, to = d.laneOf(e.Choice.Target), d.serverOf(engine.NodeOf(e.Request))
	switch {
	case e.Taken:
		return to, from
	case e.NoReply == engine.RequestLost:
		to = before(from, to)
	}
	return from, to
}

// ends are the lanes that a fault of a link lies between, or a write on its way to a
// replica; 0 for all else.
func (d diagram) ends(v *View, e event) (from, to float64) {
	c := e.Choice
	other, target := d.lanesOf(v, c.Other), d.lanesOf(v, c.Target)
	if c.Kind == engine.Replicate {
		n, _ := e.After.Node(c.Target)
		other = d.lanesOf(v, n.Leader)
	}
	if len(other) == 0 || len(target) == 0 {
		return 0, 0
	}
	return target[0], other[0]
}

// marked are the lanes that a fault's shape stands on: short of who no longer receives
// where a link is cut.
func (d diagram) marked(v *View, e event) []float64 {
	if from, to := d.ends(v, e); from > 0 && e.Choice.Kind.Of() == engine.ALink {
		return []float64{before(from, to)}
	}
	return d.lanesOf(v, e.Choice.Target)
}

func faultIcon(e event) string {
	return "i-" + string(cmp.Or(e.Choice.Kind.Row().Mark, engine.Mark(outFault)))
}
