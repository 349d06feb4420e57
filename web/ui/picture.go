package ui

import (
	"html"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
)

// The measures of a picture, in pixels.
const (
	picMargin = 16
	picHead   = 84 // the lesson's title, and the lanes' names
	picRow    = 30 // a step
	picTime   = 64
	picLane   = 104
	picText   = 520 // the words of a step
	picKey    = 6   // letters of a lease's name
)

// The colours of a picture: always light, because it stands alone, without the page's style sheet.
const (
	picInk     = "#18202c"
	picMuted   = "#566072"
	picRed     = "#c0282d"
	picFault   = "#995700"
	picOverlap = "#f6cdce"
)

var picHues = []string{"#566072", "#1a5fc0", "#b14a00", "#167a45", "#a12a8c", "#0b6b80", "#735c00"}

// picture is the drawing of a whole timeline.
type picture struct {
	pen
	v     *View
	names []string // of the lanes, from the left
}

// Picture is the whole timeline as an SVG file: a row and a sentence for each step, leases as bars, and a
// red band wherever a rule about who is inside is broken.
func Picture(v View) string {
	p := &picture{v: &v, names: append(v.Lesson.ActorNames(), v.Lesson.NodeNames()...)}
	width, height := p.textX()+picText+picMargin, p.bottom()+picMargin
	p.write(`<svg xmlns="http://www.w3.org/2000/svg" width="`, px(width), `" height="`, px(height), `" viewBox="0 0 `, px(width), ` `, px(height),
		`" font-family="system-ui, sans-serif" font-size="13">`+"\n")
	p.write(`<title>`, xmlText(v.Lesson.Title.In(v.Lang)), `</title>`+"\n")
	p.write(`<rect width="100%" height="100%" fill="#fff"/>` + "\n")
	p.text(picMargin, 32, `font-size="18" font-weight="700"`, v.Lesson.Title.In(v.Lang))
	p.bands()
	p.lanes()
	for i := range v.Trace.Steps {
		p.step(&v.Trace.Steps[i])
	}
	p.write("</svg>\n")
	return p.String()
}

// x is the middle of a lane; for a name without one, the left end of all lanes.
func (p *picture) x(name string) int {
	for i, n := range p.names {
		if n == name {
			return picMargin + picTime + i*picLane + picLane/2
		}
	}
	return picMargin + picTime
}

func (p *picture) textX() int { return picMargin + picTime + len(p.names)*picLane + 8 }

// y is the top of a step's state, which lasts one row; 0 is the start.
func (p *picture) y(step int) int { return picHead + step*picRow }

// bottom is the end of the last step's state.
func (p *picture) bottom() int { return p.y(len(p.v.Trace.Steps) + 1) }

func (p *picture) text(x, y int, style, text string) {
	p.write(`<text x="`, px(x), `" y="`, px(y), `" fill="`, picInk, `" `, style, `>`, xmlText(text), `</text>`+"\n")
}

func (p *picture) line(x1, y1, x2, y2 int, colour, style string) {
	p.write(`<path d="M`, px(x1), ` `, px(y1), `L`, px(x2), ` `, px(y2), `" stroke="`, colour, `" fill="none" `, style, `/>`+"\n")
}

func (p *picture) colour(name string) string {
	n, _ := strconv.Atoi(strings.TrimPrefix(hue(p.v, name), "hue-"))
	return picHues[n%len(picHues)]
}

// bands are the times during which a rule about who is inside is broken.
func (p *picture) bands() {
	for i := range p.v.Trace.Steps {
		s := &p.v.Trace.Steps[i]
		for _, h := range s.After.Held {
			if clash(p.v, h) {
				from, to := p.x(h.Actors[0]), p.x(h.Actors[0])
				for _, a := range h.Actors {
					from, to = min(from, p.x(a)), max(to, p.x(a))
				}
				p.write(`<rect x="`, px(from-12), `" y="`, px(p.y(s.N)), `" width="`, px(to-from+24), `" height="`, px(picRow), `" fill="`, picOverlap, `"/>`+"\n")
			}
		}
	}
}

// lanes draws actors and then nodes, each with its name above.
func (p *picture) lanes() {
	last := p.bottom()
	for _, a := range p.v.Lesson.Actors {
		p.text(p.x(a.Name), picHead-16, `text-anchor="middle" font-weight="700"`, a.Name)
		p.line(p.x(a.Name), picHead-8, p.x(a.Name), last, p.colour(a.Name), `stroke-opacity=".45"`)
		p.work(a.Name)
	}
	for _, n := range p.v.Trace.Start.Nodes {
		name := n.Node
		if len(p.v.Trace.Start.Nodes) == 1 {
			name = serverName(p.v)
		}
		p.text(p.x(n.Node), picHead-16, `text-anchor="middle" font-weight="700"`, name)
		p.line(p.x(n.Node), picHead-8, p.x(n.Node), last, picMuted, `stroke-width="2"`)
		p.leases(n.Node)
	}
}

// work draws an actor's time inside, dashed and red without its lease, and a cross where it crashed.
func (p *picture) work(actor string) {
	steps := p.v.Trace.Steps
	unleased := unleasedSteps(p.v, diagram{To: len(steps)}, lane{Name: actor})
	was := engine.Ready
	for i := range steps {
		state, _ := steps[i].After.Actor(actor)
		x, from, to := p.x(actor), p.y(i+1), p.y(i+2)
		switch {
		case len(state.Inside) > 0 && unleased[i+1]:
			p.line(x, from, x, to, picRed, `stroke-width="6" stroke-opacity=".8" stroke-dasharray="3 3"`)
		case len(state.Inside) > 0:
			p.line(x, from, x, to, p.colour(actor), `stroke-width="6" stroke-opacity=".5"`)
		case state.Status == engine.Crashed && was != engine.Crashed:
			p.cross(x, from)
		}
		was = state.Status
	}
}

// leases draws bars beside a node, dashed without a deadline. Only the first column has room for names.
func (p *picture) leases(node string) {
	steps := p.v.Trace.Steps
	var before []bar
	for i := range steps {
		now := leasesOf(p.v, &steps[i].After, node)
		for column, b := range now {
			x, style := p.x(node)+8+7*column, `stroke-width="5" stroke-opacity=".6"`
			if b.Forever {
				style += ` stroke-dasharray="3 2"`
			}
			p.line(x, p.y(i+1), x, p.y(i+2), p.colour(actorIn(p.v.Lesson, b.Owner)), style)
			if column == 0 && !slices.ContainsFunc(before, b.same) {
				p.text(x+6, p.y(i+1)+picRow/2+4, `font-size="11" fill-opacity=".7"`, cut(b.Key, picKey))
			}
		}
		before = now
	}
}

func (p *picture) cross(x, y int) {
	p.line(x-4, y-4, x+4, y+4, picRed, `stroke-width="2"`)
	p.line(x-4, y+4, x+4, y-4, picRed, `stroke-width="2"`)
}

func (p *picture) step(s *engine.Step) {
	y, colour := p.y(s.N), picInk
	switch o := worstOf(s); o {
	case outBroken, outDenied:
		colour = picRed
	case outFault:
		colour = picFault
	default:
	}
	p.text(picMargin, y+4, `font-size="12" fill-opacity=".7"`, shortInstant(p.v.Lang, s.At))
	switch s.Choice.Kind.Of() {
	case engine.AnActor:
		p.request(s, y)
	case engine.TheClock:
		p.line(picMargin+picTime-8, y, p.textX()-12, y, picMuted, `stroke-dasharray="5 4"`)
	default:
		x := p.x(actorIn(p.v.Lesson, s.Choice.Target))
		p.write(`<rect x="`, px(x-6), `" y="`, px(y-6), `" width="12" height="12" fill="`, picFault, `"/>`+"\n")
	}
	p.write(`<text x="`, px(p.textX()), `" y="`, px(y+4), `" fill="`, colour, `">`, strconv.Itoa(s.N), ". ", xmlText(clip(Brief(p.v.Lang, s), 76)), `</text>`+"\n")
	for _, b := range s.Broken[:min(1, len(s.Broken))] { // what else is broken has no room
		p.write(`<text x="`, px(p.textX()), `" y="`, px(y+18), `" font-size="11" fill="`, picRed, `">`, xmlText(clip(breachText(p.v, b), 90)), `</text>`+"\n")
	}
}

// request draws a step's request as a line to its node. A refusal and an open request are dashed, with a cross.
func (p *picture) request(s *engine.Step, y int) {
	root := engine.Root(s.Choice.Target)
	from, to := p.x(root), p.x(engine.NodeOf(s.Request))
	style := `stroke-width="1.8"`
	if outcomeOf(s) == outDenied || outcomeOf(s) == outOpen {
		style += ` stroke-dasharray="4 3"`
	}
	p.line(from, y, to, y, p.colour(root), style)
	p.write(`<circle cx="`, px(from), `" cy="`, px(y), `" r="3.5" fill="`, p.colour(root), `"/>`+"\n")
	switch outcomeOf(s) {
	case outDenied, outOpen:
		p.cross(to, y)
	default:
		p.write(`<circle cx="`, px(to), `" cy="`, px(y), `" r="4.5" fill="`, p.colour(root), `"/>`+"\n")
	}
}

// xmlText escapes a text, and replaces control characters: keys may have them, and XML may not.
func xmlText(text string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0xfffe || r == 0xffff {
			return '�'
		}
		return r
	}, strings.ToValidUTF8(text, "�")))
}
