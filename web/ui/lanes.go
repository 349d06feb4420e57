package ui

import (
	"strconv"

	"lockstep/engine"
)

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
			ls[i].X = x + width*0.2 // the names of its leases stand on the right
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

func (d diagram) laneOfProcess(v *View, process string) float64 {
	actor, _ := actorIn(v.Lesson, process)
	return d.laneOf(actor)
}

// manyOf is how many clients an actor stands for, as ×97; empty for one that is no crowd.
func manyOf(v *View, actor string) string {
	for _, a := range v.Lesson.Actors {
		if a.Name == actor && a.Count > 0 {
			return "×" + strconv.Itoa(a.Count)
		}
	}
	return ""
}

// head is what stands above a lane.
func head(v *View, l lane) string { return clip(l.Name, 12) + manyOf(v, l.Name) }
