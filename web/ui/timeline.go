package ui

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
)

// The measures of the diagram: vertical ones in pixels, horizontal ones in percent. Time is
// on the left. Each lane stands in the middle of a column, below its head; the style sheet
// gives the heads the same widths.
const (
	rowHeight  = 30 // the step itself, its label above the line
	lineHeight = 18 // each result of it

	unbegun      = 150 // of the lanes before the first step
	comingHeight = 22  // what will happen by itself
	shown        = 40  // steps that are drawn at once
	ahead        = 12  // of those, steps after the one that is shown

	margin      = 8.0 // the width of the time, and the place of events of no single actor
	actorWidth  = 2.0 // of a lane, in relation to others
	nodeWidth   = 0.8
	aloneWidth  = 1.5  // of a node that has no others beside it
	rightOfHalf = 70.0 // beyond it, texts end at their lane instead of beginning there
	taskOffset  = 0.22 // of its thread's column, from the thread to a task
)

// diagram is the layout of a part of the timeline. Heights are measured from the
// timeline's start, so that a step keeps its coordinates.
type diagram struct {
	Lanes       []lane
	Tasks       []taskLane
	Start       []line // what actors did before the first step
	Events      []event
	Breaches    []band
	Top, Bottom int
	From, To    int // steps before and up to and with
	Coming      []coming
	Whole       bool // rows are drawn in their places
}

// event is one step.
type event struct {
	*engine.Step
	*drawnStep
	Future  bool
	Current bool
}

func (e event) y() int { return e.Top + e.gap + rowHeight - 9 }

func (e event) class(v *View) string {
	class := "ev out-" + string(outcomeOf(e.Step))
	if e.Choice.Kind == engine.Run {
		class += " " + hue(v, e.Choice.Target)
	}
	return class
}

func callClass(e event) string {
	if outcomeOf(e.Step) == outMessage || e.Taken {
		return "call dotted"
	}
	return "call"
}

func layout(v *View) diagram {
	d := diagram{Top: 0, Lanes: lanes(v)}
	d.Start = d.start(v)
	steps := v.Trace.Steps
	d.To = min(len(steps), max(v.Pos+ahead, shown))
	d.From = max(0, d.To-shown)
	d.Tasks = tasks(v, d)
	for i := range steps[:d.To] {
		drawn := v.drawnStep(d, i)
		if i < d.From {
			continue
		}
		s := &steps[i]
		d.Events = append(d.Events, event{Step: s, drawnStep: drawn, Future: s.N > v.Pos, Current: s.N == v.Pos})
	}
	d.Bottom = lineHeight * len(d.Start)
	if n := len(d.Events); n > 0 {
		if d.From > 0 {
			d.Top = d.Events[0].Top
		}
		d.Bottom = d.Events[n-1].Top + d.Events[n-1].Height
	}
	if len(steps) == 0 {
		d.Bottom += unbegun
	}
	for i := range d.Lanes {
		d.Lanes[i].Segments = segments(v, d, d.Lanes[i])
		if d.Lanes[i].Server {
			d.Lanes[i].Bars = bars(v, d, d.Lanes[i])
		}
	}
	for i := range d.Tasks {
		d.Tasks[i].Segments = d.alive(v, d.Tasks[i])
	}
	if v.Present() {
		d.Coming = comingUp(v)
	}
	d.Breaches = breaches(v, d)
	return d
}

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
