package ui

import (
	"html"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"lockstep/engine"
	"lockstep/lessons"
)

// The measures of the graph of a deadlock, in pixels.
const (
	graphWidth = 264
	graphNode  = 26 // the height of a transaction
)

// deadlockTexts say who waited for whom, and whom the database rolled back.
func deadlockTexts(lang lessons.Lang, d engine.Deadlock) []string {
	var texts []string
	for _, w := range d.Waits {
		texts = append(texts, deadlockWait.in(lang, w.Actor, strings.Join(w.By, clauseAnd.in(lang)), strings.Join(w.Keys, clauseAnd.in(lang))))
	}
	return append(texts, deadlockVictim.in(lang, d.Victim))
}

// spot is where a transaction stands in the graph.
type spot struct{ X, Y float64 }

// spots are as many on a ring, the first on the left.
func spots(n int) (all []spot, height float64) {
	rx, ry := 96.0, 0.0
	height = 104
	if n > 2 {
		ry, height = 62, 172
	}
	for i := range n {
		angle := math.Pi + 2*math.Pi*float64(i)/float64(n)
		all = append(all, spot{graphWidth/2 + rx*math.Cos(angle), height/2 + ry*math.Sin(angle)})
	}
	return all, height
}

// waitGraph is a circle of transactions, each with an arrow to the one that was in its way.
func waitGraph(v *View, d engine.Deadlock) templ.Component {
	var p pen
	at, height := spots(len(d.Waits))
	p.write(`<svg class="wait-graph" width="`, px(graphWidth), `" height="`, px(int(height)), `" aria-hidden="true">`)
	for i, w := range d.Waits {
		to := slices.IndexFunc(d.Waits, func(o engine.Wait) bool { return slices.Contains(w.By, o.Actor) })
		if to >= 0 {
			p.waitsFor(at[i], at[to], hue(v, w.Actor), strings.Join(w.Keys, ", "))
		}
	}
	for i, w := range d.Waits {
		class := with("tx "+hue(v, w.Actor), w.Actor == d.Victim, "victim")
		wide := max(graphNode, 9*width(w.Actor)+14)
		p.write(`<g class="`, class, `"><rect x="`, coordinate(at[i].X-float64(wide)/2), `" y="`, coordinate(at[i].Y-graphNode/2), `" width="`, px(wide), `" height="`, px(graphNode), `" rx="6"/>`,
			`<text x="`, coordinate(at[i].X), `" y="`, coordinate(at[i].Y+5), `" text-anchor="middle">`, html.EscapeString(w.Actor), `</text></g>`)
	}
	p.write(`</svg>`)
	return p.drawn()
}

// waitsFor is a curved arrow, with what it is about in its middle. It bends to the left of
// its way, so that two that lead back and forth lie apart.
func (p *pen) waitsFor(from, to spot, hue, what string) {
	const bend, gap = 52, 20
	dx, dy := to.X-from.X, to.Y-from.Y
	long := math.Hypot(dx, dy)
	over := spot{(from.X+to.X)/2 + dy/long*bend, (from.Y+to.Y)/2 - dx/long*bend}
	start, end := toward(from, over, gap), toward(to, over, gap+4)
	back := toward(end, over, 9)
	side := spot{(end.Y - back.Y) / 2, (back.X - end.X) / 2}
	middle := spot{(start.X + 2*over.X + end.X) / 4, (start.Y + 2*over.Y + end.Y) / 4}
	p.write(`<g class="wait `, hue, `"><path class="way" d="M`, start.String(), `Q`, over.String(), ` `, back.String(), `"/>`,
		`<path class="tip" d="M`, end.String(), `L`, coordinate(back.X+side.X), ` `, coordinate(back.Y+side.Y), `L`, coordinate(back.X-side.X), ` `, coordinate(back.Y-side.Y), `Z"/>`,
		`<text x="`, coordinate(middle.X), `" y="`, coordinate(middle.Y+4), `" text-anchor="middle">`, html.EscapeString(cut(what, 24)), `</text></g>`)
}

// toward is so far from a place on the way to another.
func toward(from, to spot, far float64) spot {
	long := math.Hypot(to.X-from.X, to.Y-from.Y)
	return spot{from.X + (to.X-from.X)*far/long, from.Y + (to.Y-from.Y)*far/long}
}

func (s spot) String() string { return coordinate(s.X) + " " + coordinate(s.Y) }

func coordinate(x float64) string { return strconv.FormatFloat(math.Round(10*x)/10, 'f', -1, 64) }
