package ui

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
)

// The measures of the diagram: vertical ones in pixels, horizontal ones in percent of the plot, which begins at the
// right of the axis. A step is as high as its scale says (scale.go).
const (
	lineHeight = 16 // each text below a step
	aboveRow   = 4  // from the bottom of a step to its arrow
	shown      = 40 // rows that are drawn at once
	ahead      = 12 // of those, steps after the one that is shown
)

// diagram is the layout of a part of the timeline. Heights are measured from the
// timeline's start, so that a step keeps its coordinates.
type diagram struct {
	scale
	Lanes             []lane
	Tasks             []taskLane
	servers           int     // so many of the lanes, the last ones
	gutter, gutterEnd float64 // where arrows say what they carry
	Start             []line  // what actors did before the first step
	Events            []event
	Breaches          []band
	Top, Bottom       int
	Now               int // where the shown step ends
	End               int // of what is drawn of the future
	From, To          int // steps before and up to and with
	Coming            []coming
	whys              []*engine.Step
	Whole             bool // rows are drawn in their places
}

type event struct {
	*engine.Step
	*drawnStep
	Future  bool
	Current bool
	leave   []leaving
}

func (e event) class(v *View) string {
	class := "ev out-" + string(outcomeOf(e.Step))
	if e.Choice.Kind == engine.Run {
		class += " " + hue(v, e.Choice.Target)
	}
	return class
}

func layout(v *View) diagram {
	d := diagram{scale: scaleOf(v)}
	d.Lanes, d.gutter = lanes(v)
	d.servers = len(v.Trace.Start.Nodes)
	d.gutterEnd = d.Lanes[len(d.Lanes)-d.servers].X
	d.Start = d.start(v)
	steps := v.Trace.Steps
	d.To = min(len(steps), max(v.Pos+ahead, shown))
	d.Tasks = tasks(v, d)
	d.From = d.from(v)
	for i := d.From; i < d.To; i++ {
		s := &steps[i]
		d.Events = append(d.Events, event{Step: s, drawnStep: v.drawnStep(d, i), Future: s.N > v.Pos, Current: s.N == v.Pos})
	}
	d.Bottom = d.startHeight()
	d.Now = d.Bottom
	if n := len(d.Events); n > 0 {
		if d.From > 0 {
			d.Top = d.Events[0].Top
		}
		d.Bottom = d.Events[n-1].Top + d.Events[n-1].Height
	}
	if v.Pos > d.From {
		e := d.Events[v.Pos-d.From-1]
		d.Now = e.Top + e.Height
	}
	for i := range d.Events {
		d.Events[i].leave = d.leaves(v, d.Events[i])
	}
	for i := range d.Lanes {
		l := &d.Lanes[i]
		l.Segments = d.segments(l.Name, classes(v, d, *l))
		if l.Server {
			l.Bars, l.Columns = bars(v, d, *l)
		}
	}
	for i := range d.Tasks {
		d.Tasks[i].Segments = d.segments(d.Tasks[i].Name, alive(v, d.Tasks[i]))
	}
	if v.Present() {
		d.Coming = comingUp(v)
	}
	d.End = d.foreseen(v)
	d.Breaches = breaches(v, d)
	d.whys = whys(v)
	return d
}

func (d diagram) startHeight() int { return axisHead + lineHeight*len(d.Start) }

// keysOf are the keys that a step touched, a line each, to be lit together with it.
func keysOf(s *engine.Step) string {
	var keys []string
	for _, c := range s.Changes {
		keys = append(keys, keyID(&s.After, c.Node, c.Key))
	}
	if e, ok := s.Request.(engine.Exec); ok {
		for _, k := range e.Op.Keys {
			if id := keyID(&s.After, e.Node, k); !slices.Contains(keys, id) {
				keys = append(keys, id)
			}
		}
	}
	return strings.Join(keys, "\n")
}

func px(n int) string { return strconv.Itoa(n) }

func pc(x float64) string { return coordinate(x) + "%" }
