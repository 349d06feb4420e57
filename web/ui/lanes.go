package ui

import (
	"slices"
	"strconv"
	"strings"

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
	Columns   int   // in which leases stand, up to the last step
}

// segment is a stretch of a lane in one class.
type segment struct {
	Class    string
	Top, End int
}

// The plot is everything right of the axis. Clients stand on its left, servers on its right, and between them is the
// gutter, where arrows say what they carry; on the right of a server are the values of its keys. The style sheet has the
// same measures for the lanes' heads.
const (
	clientsRoom, clientPitch = 41.0, 18.0 // beside one server: of all clients, and of each at most
	serverAlone              = 72.0

	clientsBeside, clientBeside = 28.0, 12.0 // beside several servers
	serversRoom, serverPitch    = 54.0, 19.0
	serverInset                 = .15 // of its column: its keys stand on the right of a server's lane
)

// lanes are the columns of clients and servers, and where the gutter between them begins.
func lanes(v *View) (ls []lane, gutter float64) {
	clients, servers := float64(len(v.Lesson.Actors)), float64(len(v.Trace.Start.Nodes))
	pitch := min(clientPitch, clientsRoom/clients)
	if servers > 1 {
		pitch = min(clientBeside, clientsBeside/clients)
	}
	for i, a := range v.Lesson.Actors {
		ls = append(ls, lane{Name: a.Name, Hue: hue(v, a.Name), X: pitch * (float64(i) + .5), Width: pitch})
	}
	for i, n := range v.Trace.Start.Nodes {
		l := lane{Name: n.Node, Hue: "server", Node: n.Node, Server: true, X: serverAlone, Width: 100 - serverAlone}
		if servers == 1 {
			l.Name = serverName(v)
		} else {
			l.Width = min(serverPitch, serversRoom/servers)
			l.X = 100 - l.Width*(servers-float64(i)-serverInset)
		}
		ls = append(ls, l)
	}
	return ls, pitch*clients + .5
}

// columnsOf are the classes of heads that stand over their lanes: how many clients and servers there are.
func columnsOf(v *View) string {
	const most = 8 // of each, which the style sheet counts
	return "c" + px(min(len(v.Lesson.Actors), most)) + " s" + px(min(len(v.Trace.Start.Nodes), most))
}

// classes are what a lane is like after each step, where it is not merely there.
func classes(v *View, d diagram, l lane) func(n int) string {
	unleased := unleasedSteps(v, d, l)
	return func(n int) string {
		class := laneClass(v, v.Trace.At(n), l)
		return with(class, class != "" && unleased[n], "unleased")
	}
}

// segments are the stretches of a lane that has a class after some of its steps. While time passes, those that leave a section
// do so at their own instants.
func (d diagram) segments(name string, class func(n int) string) []segment {
	var segs []segment
	is, top := class(d.From), d.Top
	end := func(y int) {
		if is != "" && y > top {
			segs = append(segs, segment{Class: is, Top: top, End: y})
		}
	}
	for _, e := range d.Events {
		next := class(e.N)
		for _, l := range e.leave {
			at := is
			switch {
			case l.who == name && !strings.HasPrefix(next, "in"):
				at = next
			case l.who != name && !slices.Contains(l.clash, name):
				at = strings.Replace(is, " clash", "", 1)
			}
			if at != is {
				end(l.y)
				is, top = at, l.y
			}
		}
		if next != is {
			end(e.y)
			is, top = next, e.y
		}
	}
	end(d.Bottom)
	return segs
}

// laneClass is what sets a lane apart: in a critical section, waiting, paused, dead; empty: nothing.
func laneClass(v *View, s *engine.Snapshot, l lane) string {
	a, ok := s.Actor(l.Name)
	n, _ := s.Node(l.Node)
	switch {
	case l.Server && n.Status == engine.Crashed, !l.Server && a.Status == engine.Crashed:
		return "dead"
	case l.Server && n.Status == engine.Paused:
		return "paused"
	case l.Server || !ok:
		return ""
	case ended(a) || a.Status == engine.Failed:
		return "ended"
	}
	class := ""
	switch {
	case len(a.Inside) > 0:
		class = with("in", slices.Contains(clashing(v, s), l.Name), "clash")
	case a.Status == engine.Sleeping || a.Status == engine.Waiting || a.Status == engine.Blocked || a.Status == engine.Unanswered:
		class = "idle"
	}
	if a.Status == engine.Paused {
		class = strings.TrimSpace(class + " paused")
	}
	return class
}

// leaving is somebody who leaves a section while time passes, and who is in one then where somebody else is who should not be.
type leaving struct {
	who   string
	y     int
	clash []string
}

// leaves are those who leave in a step.
func (d diagram) leaves(v *View, e event) (all []leaving) {
	clash := clashing(v, v.Trace.At(e.N-1))
	for _, n := range e.Notes {
		if n.Kind != engine.NoteLeave {
			continue
		}
		if clash = slices.DeleteFunc(slices.Clone(clash), func(who string) bool { return who == n.Actor }); len(clash) == 1 {
			clash = nil
		}
		all = append(all, leaving{n.Actor, d.heightOf(e.N, n.At), clash})
	}
	return all
}

// clashing are the actors who are in a section where somebody else is, too, who should not be.
func clashing(v *View, s *engine.Snapshot) (who []string) {
	for _, h := range s.Held {
		if clash(v, h) {
			who = append(who, h.Actors...)
		}
	}
	return who
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
	return 0
}

func (d diagram) serverOf(node string) float64 {
	for _, l := range d.Lanes {
		if l.Server && l.Node == node {
			return l.X
		}
	}
	return serverAlone
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
	return d.laneOf(actorIn(v.Lesson, process))
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
