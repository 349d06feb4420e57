package ui

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/lessons"
)

// The measures of a thumbnail, in units of its own.
const (
	thumbWidth, thumbHeight = 96, 112
	thumbMargin             = 10
	thumbRow                = 15.0 // at most
)

// sketch is a thumbnail that is being drawn: what has the same class is one path.
type sketch struct {
	lesson *lessons.Lesson
	x      map[string]float64 // of clients and nodes
	row    float64
	broken bool     // a rule is, since an earlier step
	order  []string // of classes
	paths  map[string]*strings.Builder
}

// Thumbnail is a story as a small SVG: a lane for each client and server, a line for each
// request, and a red band wherever a rule is broken.
func Thumbnail(l *lessons.Lesson, t *engine.Trace) string {
	s := &sketch{lesson: l, x: map[string]float64{}, paths: map[string]*strings.Builder{}}
	names := append(l.ActorNames(), l.NodeNames()...)
	for i, name := range names {
		s.x[name] = thumbMargin + float64(i)*(thumbWidth-2*thumbMargin)/float64(max(1, len(names)-1))
	}
	s.row = min(thumbRow, (thumbHeight-2*thumbMargin)/float64(max(1, len(t.Steps))))
	s.lanes()
	for i := range t.Steps {
		s.step(t, i)
	}
	return s.svg()
}

func (s *sketch) y(step int) float64 { return thumbMargin + s.row*float64(step) }

func (s *sketch) lanes() {
	for i, a := range s.lesson.Actors {
		s.add(thumbHue(i)+" lane", s.x[a.Name], 4, "V", thumbHeight-4)
	}
	for _, n := range s.lesson.Nodes {
		s.add("server lane", s.x[n.Name], 4, "V", thumbHeight-4)
	}
}

func (s *sketch) step(t *engine.Trace, i int) {
	step, y := &t.Steps[i], s.y(i)
	s.broken = len(step.Broken) > 0 || s.broken && bothInside(&step.After)
	if s.broken {
		s.add("breach", 0, y+s.row/2, "H", thumbWidth)
	}
	for n, a := range s.lesson.Actors {
		if state, ok := step.After.Actor(a.Name); ok && len(state.Inside) > 0 {
			s.add(thumbHue(n)+" in", s.x[a.Name], y, "V", s.y(i+1))
		}
	}
	switch step.Choice.Kind.Of() {
	case engine.AnActor:
		s.request(step, y)
	case engine.TheClock:
		s.add("tick", 0, y, "H", thumbWidth)
	default:
		if x, ok := s.x[actorIn(s.lesson, step.Choice.Target)]; ok {
			s.add("fault", x, y, "H", x)
		}
	}
}

func (s *sketch) request(step *engine.Step, y float64) {
	n := slices.IndexFunc(s.lesson.Actors, func(a lessons.Actor) bool { return a.Name == engine.Root(step.Choice.Target) })
	to, ok := s.x[engine.NodeOf(step.Request)]
	if n < 0 || !ok {
		return
	}
	from, class := s.x[s.lesson.Actors[n].Name], thumbHue(n)
	switch outcomeOf(step) {
	case outDenied, outOpen:
		s.add(class+" call no", from, y, "H", to)
	default:
		s.add(class+" call", from, y, "H", to)
		s.add(class+" dot", to, y, "H", to)
	}
}

// bothInside tells whether two are inside of one section.
func bothInside(s *engine.Snapshot) bool {
	return slices.ContainsFunc(s.Held, func(h engine.Holding) bool { return len(h.Actors) > 1 })
}

func thumbHue(actor int) string { return "hue-" + strconv.Itoa(actor%hues+1) }

// add draws a line from a place in one direction.
func (s *sketch) add(class string, x, y float64, direction string, to float64) {
	p := s.paths[class]
	if p == nil {
		p = &strings.Builder{}
		s.paths[class] = p
		s.order = append(s.order, class)
	}
	p.WriteString("M" + coordinate(x) + " " + coordinate(y) + direction + coordinate(to))
}

// layers are the classes of a thumbnail from the back to the front.
var layers = []string{"breach", "tick", "lane", "in", "no", "call", "dot", "fault"}

func (s *sketch) svg() string {
	layer := func(class string) int {
		last := class[strings.LastIndexByte(class, ' ')+1:]
		return slices.Index(layers, last)
	}
	slices.SortStableFunc(s.order, func(a, b string) int { return layer(a) - layer(b) })
	var b strings.Builder
	b.WriteString(`<svg class="thumb" viewBox="0 0 ` + strconv.Itoa(thumbWidth) + " " + strconv.Itoa(thumbHeight) + `" aria-hidden="true">`)
	for _, class := range s.order {
		b.WriteString(`<path class="` + class + `"`)
		if class == "breach" {
			b.WriteString(` stroke-width="` + coordinate(s.row) + `"`)
		}
		b.WriteString(` d="` + s.paths[class].String() + `"></path>`)
	}
	b.WriteString("</svg>")
	return b.String()
}
