package ui

import (
	"math"
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

	comingHeight = 22 // what will happen by itself
	shown        = 40 // steps that are drawn at once
	ahead        = 12 // of those, steps after the one that is shown

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

// lane is one actor's or server's column.
type lane struct {
	Name, Hue string
	Node      string // of a server
	Server    bool
	X, Width  float64
	Segments  []segment
	Bars      []bar // leases, on a server's lane
}

// segment is a stretch of a lane in one class.
type segment struct {
	Class    string
	Top, End int
}

// event is one step.
type event struct {
	*engine.Step
	*drawnStep
	Future  bool
	Current bool
}

func (e event) y() int { return e.Top + rowHeight - 9 }

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

func lanes(v *View) []lane {
	var ls []lane
	for _, a := range v.Lesson.Actors {
		ls = append(ls, lane{Name: a.Name, Hue: hue(v, a.Name)})
	}
	for _, n := range v.Trace.Start.Nodes {
		name := n.Node
		if len(v.Trace.Start.Nodes) == 1 {
			name = serverName(v)
		}
		ls = append(ls, lane{Name: name, Hue: "server", Node: n.Node, Server: true})
	}
	whole := 0.0
	for _, l := range ls {
		whole += l.width(v)
	}
	x := margin
	for i, l := range ls {
		width := (100 - margin) * l.width(v) / whole
		ls[i].X, ls[i].Width = x+width/2, width
		if l.Server && len(v.Trace.Start.Nodes) == 1 {
			ls[i].X = x + width*0.35 // the names of its leases stand on the right
		}
		x += width
	}
	return ls
}

// width is how wide a lane's column is, in relation to others.
func (l lane) width(v *View) float64 {
	switch {
	case !l.Server:
		return actorWidth
	case len(v.Trace.Start.Nodes) == 1:
		return aloneWidth
	}
	return nodeWidth
}

func segments(v *View, d diagram, l lane) []segment {
	unleased := unleasedSteps(v, d, l)
	class := func(n int) string { return with(laneClass(v.Trace.At(n), l), unleased[n], "unleased") }
	segs := []segment{{Class: class(d.From), Top: d.Top, End: d.Bottom}}
	for _, e := range d.Events {
		last := &segs[len(segs)-1]
		last.End = e.y()
		if is := class(e.N); is != last.Class {
			segs = append(segs, segment{Class: is, Top: e.y()})
		}
		segs[len(segs)-1].End = e.Top + e.Height
	}
	return segs
}

// laneClass is the state of a lane: in a critical section, paused, dead.
func laneClass(s *engine.Snapshot, l lane) string {
	class := "lane " + l.Hue
	a, ok := s.Actor(l.Name)
	n, _ := s.Node(l.Node)
	switch {
	case l.Server && n.Status == engine.Crashed:
		class += " dead"
	case l.Server && n.Status == engine.Paused:
		class += " paused"
	case l.Server || !ok:
	case a.Status == engine.Crashed || a.Status == engine.Finished || a.Status == engine.Failed:
		class += " dead"
	case len(a.Inside) > 0:
		class += " in"
	case a.Status == engine.Paused:
		class += " paused"
	}
	return class
}

// laneOf is where an actor, a task or a server stands.
func (d diagram) laneOf(name string) float64 {
	for _, t := range d.Tasks {
		if t.Name == name {
			return t.X
		}
	}
	for _, l := range d.Lanes {
		if !l.Server && l.Name == engine.Root(name) {
			return l.X
		}
	}
	return margin
}

func (d diagram) serverOf(node string) float64 {
	for _, l := range d.Lanes {
		if l.Server && l.Node == node {
			return l.X
		}
	}
	return 100 - margin
}

// lanesOf are where a process's actors stand, or a node.
func (d diagram) lanesOf(v *View, name string) []float64 {
	var xs []float64
	for i, l := range d.Lanes {
		if l.Server && l.Node == name || !l.Server && v.Lesson.Actors[i].Process == name {
			xs = append(xs, l.X)
		}
	}
	return xs
}

// line is one thing that came of a step, drawn below it. An arrow goes from the
// server to a lane, all else stands at one lane.
type line struct {
	Icon, Text, Class string
	X, From           float64 // From is 0 unless it is an arrow
	Row               int     // below the step; -1: beside it
	Shared            bool    // others stand in its row
}

// inRows gives each line its row: those that stand at different lanes share one. The first
// may stand beside a step of the clock, which has no arrow and so many letters; 0: it is none.
func inRows(lines []line, tick int) []line {
	row, first := -1, 0 // of the lines in this row
	if tick == 0 && len(lines) > 0 {
		row = 0
	}
	for i := range lines {
		l := &lines[i]
		alone := l.From > 0 || l.X == margin || row < 0 && letters(margin, l.X) < tick
		clashes := slices.ContainsFunc(lines[first:i], func(o line) bool { return !apart(o.X, l.X) || o.From > 0 || o.X == margin })
		if i > first && (alone || clashes) || alone && row < 0 {
			row++
			first = i
		}
		l.Row, l.Shared = row, i > first
		lines[first].Shared = lines[first].Shared || i > first
	}
	return lines
}

// height is how many rows lines take below their step.
func height(lines []line) int {
	if len(lines) == 0 {
		return 0
	}
	return lines[len(lines)-1].Row + 1
}

// base is where a line's text stands: above the dashes beside a step of the clock.
func (l line) base(y int) int {
	if l.Row < 0 {
		return y - 5
	}
	return y + 4
}

// room is how many letters a text has that ends at its lane.
func (l line) room(most int) int {
	if l.Shared {
		return sharedRoom
	}
	return most
}

// maxLines limits how much of one step the diagram shows; the sentences show everything.
const maxLines = 5

func (d diagram) consequences(v *View, s *engine.Step) []line {
	var lines []line
	for _, e := range s.Expired {
		lines = append(lines, line{Icon: "i-expired", Text: saidExpired.in(v.Lang, onNode(v, e.Node, e.Key)), Class: "gone", X: d.serverOf(e.Node)})
	}
	for _, m := range s.Delivered {
		lines = append(lines, line{
			Icon: "i-message", Text: m.Payload, Class: "mail " + hueOfProcess(v, m.Process),
			X: d.laneOfProcess(v, m.Process), From: d.serverOf(m.Node),
		})
	}
	for _, m := range s.Missed {
		lines = append(lines, line{Icon: "i-denied", Text: m.Payload, Class: "mail", X: before(d.serverOf(m.Node), d.laneOfProcess(v, m.Process)), From: d.serverOf(m.Node)})
	}
	for _, a := range s.Answered {
		lines = append(lines, line{Icon: "i-dot", Text: a.Reply.String(), Class: "note " + hue(v, a.Actor), X: d.laneOf(a.Actor), From: d.serverOf(a.Node)})
	}
	for _, r := range s.Replicas {
		lines = append(lines, line{Icon: "i-dot", Text: replicaBrief(v.Lang, r), Class: "note", X: d.serverOf(r.Node)})
	}
	section, refused := refusedSection(s)
	for _, n := range s.Notes {
		atArrow := refused && n.Actor == s.Choice.Target && n.Text == section
		if shownByLane(n) {
			continue
		}
		if !atArrow || n.Kind != engine.NoteRefused && n.Kind != engine.NoteWant {
			lines = append(lines, d.note(v, n))
		}
	}
	lines = mostOf(v, lines)
	for _, b := range s.Broken {
		text := brokenLabel.in(v.Lang, invariantName(v.Lang, b.Invariant))
		lines = append(lines, line{Icon: "i-broken", Text: text, Class: "bad", X: margin})
	}
	beside := 0
	if s.Choice.Kind == engine.Tick {
		beside = width(tickText(v, s)) + 1
	}
	return inRows(lines, beside)
}

// tickText is how far the clock moved.
func tickText(v *View, s *engine.Step) string { return "+" + span(v.Lang, s.At-s.From) }

// shownByLane tells whether a lane shows what a note says: who is inside, and who ended.
func shownByLane(n engine.Note) bool {
	switch n.Kind {
	case engine.NoteEnter, engine.NoteLeave, engine.NoteDone, engine.NoteWant, engine.NoteUnwant:
		return true
	default:
		return false
	}
}

func (d diagram) note(v *View, n engine.Note) line {
	return line{Icon: noteIcon(n.Kind), Text: noteText(v.Lang, n), Class: "note " + hue(v, n.Actor), X: d.laneOf(n.Actor)}
}

// start is what actors did before the first step.
func (d diagram) start(v *View) []line {
	var lines []line
	for _, n := range v.Trace.Notes {
		lines = append(lines, d.note(v, n))
	}
	return mostOf(v, lines)
}

func mostOf(v *View, lines []line) []line {
	if over := len(lines) - maxLines; over > 0 {
		lines = append(lines[:maxLines], line{Icon: "i-dot", Text: timelineMore.in(v.Lang, over), Class: "note", X: margin})
	}
	return lines
}

func noteIcon(k engine.NoteKind) string {
	switch k {
	case engine.NoteEnter, engine.NoteReenter:
		return "i-lock"
	case engine.NoteFailed, engine.NoteRefused:
		return "i-denied"
	case engine.NoteWoke, engine.NoteTimeout, engine.NoteNoReply:
		return "i-time"
	case engine.NoteLeave, engine.NoteStay, engine.NoteWant, engine.NoteUnwant, engine.NoteSay, engine.NoteRemember, engine.NoteSpawn, engine.NoteCancel, engine.NoteDone:
	}
	return "i-dot"
}

func (d diagram) laneOfProcess(v *View, process string) float64 {
	for _, a := range v.Lesson.Actors {
		if a.Process == process {
			return d.laneOf(a.Name)
		}
	}
	return margin
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

func pc(x float64) string { return strconv.FormatFloat(math.Round(10*x)/10, 'f', -1, 64) + "%" }
