package ui

import (
	"github.com/a-h/templ"

	"lockstep/engine"
)

// whys are the steps that led to the breach that is explained, in order: those of the list.
func whys(v *View) []*engine.Step {
	breach := explained(v)
	if breach == nil {
		return nil
	}
	var all []*engine.Step
	for _, c := range causes(v, breach) {
		all = append(all, c.Step)
	}
	return all
}

// whyMarks draws their numbers, as the list has them; the style sheet shows them while it is open.
func whyMarks(v *View, d diagram) templ.Component {
	var p pen
	for _, s := range d.whys {
		if s.N <= d.From || s.N > d.To {
			continue
		}
		x, y := d.whyAt(v, d.Events[s.N-d.From-1])
		radius := "9"
		if s.N > 99 {
			radius = "12"
		}
		p.write(`<g class="led"><circle cx="`, pc(x), `" cy="`, px(y), `" r="`, radius, `"/>`)
		p.text("", pc(x), y+4, px(s.N))
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
