package ui

import (
	"slices"

	"github.com/a-h/templ"

	"lockstep/engine"
)

// mostWhys is how many of a breach's causes are numbered in the diagram: the first, and the last of the others.
const mostWhys = 5

// whys are the steps to be numbered, in order: those that led to the breach that is explained.
func whys(v *View) []*engine.Step {
	breach := explained(v)
	if breach == nil {
		return nil
	}
	var all []*engine.Step
	for _, c := range causes(v, breach) {
		all = append(all, c.Step)
	}
	if over := len(all) - mostWhys; over > 0 {
		all = slices.Delete(all, 1, 1+over)
	}
	return all
}

// whyMarks draws the numbers, which the style sheet shows while the list of causes is open.
func whyMarks(v *View, d diagram) templ.Component {
	var p pen
	for i, s := range d.whys {
		if s.N <= d.From || s.N > d.To {
			continue
		}
		x, y := d.whyAt(v, d.Events[s.N-d.From-1])
		p.write(`<g class="led"><circle cx="`, pc(x), `" cy="`, px(y), `" r="9"/>`)
		p.text("", pc(x), y+4, px(i+1))
		p.write(`</g>`)
	}
	return p.drawn()
}

// whyAt is where a cause is: at who moved, at what expired, or at what failed.
func (d diagram) whyAt(v *View, e event) (x float64, y int) {
	switch at := d.marked(v, e); {
	case e.Choice.Kind.Of() == engine.AnActor:
		return d.laneOf(e.Choice.Target), e.y
	case len(e.Expired) > 0:
		return d.serverOf(e.Expired[0].Node), d.heightOf(e.N, e.Expired[0].At)
	case len(at) > 0:
		return at[0], e.y
	}
	return 0, e.y
}
