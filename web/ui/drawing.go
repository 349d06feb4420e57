package ui

import (
	"html"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"lockstep/engine"
)

// pen writes SVG by hand. For many small shapes templ is slower (markup.go), and its code makes the module for
// browsers larger.
type pen struct{ strings.Builder }

func (p *pen) write(parts ...string) {
	for _, part := range parts {
		p.WriteString(part)
	}
}

func (p *pen) text(class string, x string, dx, y int, text string) {
	p.write(`<text class="`, class, `" x="`, x, `" dx="`, px(dx), `" y="`, px(y), `">`, text, `</text>`)
}

func (p *pen) line(class string, x1, x2 string, y int) {
	p.write(`<line class="`, class, `" x1="`, x1, `" x2="`, x2, `" y1="`, px(y), `" y2="`, px(y), `"/>`)
}

// glyph draws an icon at a place; the style sheet centres it there.
func (p *pen) glyph(name string, x float64, y int) {
	p.write(`<use class="g" href="#`, name, `" x="`, pc(x), `" y="`, px(y), `" width="14" height="14"/>`)
}

func (p *pen) drawn() templ.Component { return markup(p.String()) }

func glyph(name string, x float64, y int) templ.Component {
	var p pen
	p.glyph(name, x, y)
	return p.drawn()
}

// event draws a step's row, without anything that depends on where the learner stands.
func (p *pen) event(v *View, d diagram, e event) {
	p.write(`<g class="`, e.class(v), `" data-step="`, strconv.Itoa(e.N))
	if keys := keysOf(e.Step); keys != "" {
		p.write(`" data-keys="`, html.EscapeString(keys))
	}
	p.write(`">`)
	p.write(`<rect class="hit" y="`, px(e.Top), `" height="`, px(e.Height), `"/>`)
	switch e.Choice.Kind.Of() {
	case engine.AnActor:
		p.run(v, d, e)
	case engine.TheClock:
		p.ruler(v, e)
		p.line("tick", "9%", "100%", e.y())
		p.text("label strong", pc(margin), 2, e.y()-5, tickText(v, e.Step))
	default:
		what := choiceText(v.Lang, &e.After, e.Choice)
		p.fitted(d, margin, e.y()-9, func(b breadth) label {
			return label{"label strong", fromLane, html.EscapeString(cutMiddle(what, b.letters(margin, d.edge())))}
		})
		if from, to := d.ends(v, e); from > 0 {
			p.line("call dotted", pc(from), pc(to), e.y())
		}
		for _, x := range d.marked(v, e) {
			p.glyph(faultIcon(e), x, e.y())
		}
	}
	for _, l := range e.lines {
		if l.Row < 0 {
			p.cameOf(d, l, e.y())
		} else {
			p.cameOf(d, l, e.Top+e.gap+rowHeight+lineHeight*l.Row+lineHeight/2)
		}
	}
	p.when(v, e)
	p.write(`</g>`)
}

// when draws the time of a step over its lines. A long time is lower at a move of the clock, below its text.
func (p *pen) when(v *View, e event) {
	at, y := shortInstant(v.Lang, e.At), e.y()+4
	if width(at) > mostWhen && e.Choice.Kind.Of() == engine.TheClock {
		y += 4
	}
	p.write(`<text class="when" y="`, px(y), `">`, at, `</text>`)
}

func (p *pen) run(v *View, d diagram, e event) {
	lane := d.laneOf(e.Choice.Target)
	if r, ok := e.Request.(engine.Receive); ok {
		p.glyph("i-message", lane, e.y())
		p.label(d, lane, e.y()+4, "“"+e.Message+"” "+shortNumber(r.Channel), "")
		return
	}
	from, to := d.arrow(e)
	if class := callClass(e); class == "call" {
		p.write(`<line class="call" pathLength="1" x1="`, pc(from), `" x2="`, pc(to), `" y1="`, px(e.y()), `" y2="`, px(e.y()), `"/>`)
	} else {
		p.line(class, pc(from), pc(to), e.y())
	}
	p.write(`<circle class="from" cx="`, pc(from), `" cy="`, px(e.y()), `"/>`)
	answer := cameBack(v, e.Step)
	if answer != "" {
		answer = "→ " + answer
	}
	p.label(d, lane, e.y()-6, arrowText(e.Step), answer)
	p.glyph(arrowIcon(e), to, e.y())
}

// ground draws all that lies below the events: the shown step, the breaches, the lanes, the leases, and the
// state before the first step.
func ground(v *View, d diagram) templ.Component {
	var p pen
	for _, e := range d.Events {
		if e.Current {
			p.write(`<rect class="here" y="`, px(e.Top), `" height="`, px(e.Height), `"/>`)
		}
	}
	for _, b := range d.Breaches {
		p.write(`<rect class="overlap" x="`, pc(b.From), `" width="`, pc(b.To-b.From), `" y="`, px(b.Top), `" height="`, px(b.End-b.Top), `"/>`)
		if y, ok := d.roomIn(b); ok {
			p.write(`<text class="overlap-says" x="`, pc((b.From+b.To)/2), `" y="`, px(y), `">`, stripBoth.in(v.Lang), `</text>`)
		}
	}
	for _, e := range d.Events {
		if v.Edits.at(v) == e.N {
			p.line("differs", "9%", "100%", e.Top+1)
		}
		if v.Ghost.forkedAt() == e.N {
			p.line("forked", "9%", "100%", e.Top+e.Height)
		}
	}
	p.write(stretches(d.Lanes, d.Tasks))
	p.leases(d.Lanes)
	p.axis(v, d)
	if d.From == 0 {
		for i, l := range d.Start {
			p.cameOf(d, l, lineHeight*i+lineHeight/2)
		}
	}
	return p.drawn()
}

// culprit marks the step that made a breach possible. Its words have a ground of their own: they may lie over
// names of leases.
func culprit(v *View, e event) templ.Component {
	text := culpritMarkText(v)
	wide := px(int(desk.letter*float64(width(text))) + fromLane)
	var p pen
	p.write(`<g class="culprit"><rect class="row" x="9%" width="91%" y="`, px(e.Top+1), `" height="`, px(e.Height-2), `"/>`)
	p.write(`<rect class="ground" x="100%" width="`, wide, `" y="`, px(e.Top+3), `" height="17" transform="translate(-`, wide, `,0)"/>`)
	p.text("label ends", "100%", -fromLane/2, e.Top+15, html.EscapeString(text))
	p.write(`</g>`)
	return p.drawn()
}

// axis draws what is due to happen by itself, below the present.
func (p *pen) axis(v *View, d diagram) {
	if len(d.Coming) == 0 {
		return
	}
	p.write(`<g class="coming">`)
	for i, c := range d.Coming[:min(len(d.Coming), mostComing)] {
		y := d.Bottom + comingHeight*i + comingHeight/2 + 4
		at := shortInstant(v.Lang, c.At)
		p.write(`<text y="`, px(y), `">`, at, `</text>`)
		p.fitted(d, margin, y, func(b breadth) label {
			dx := max(2, b.after(at))
			return label{"label", dx, html.EscapeString(cutMiddle(c.What, b.letters(margin, 100)-dx/int(b.letter)))}
		})
	}
	p.write(`</g>`)
}

// cameOf draws one consequence of a step, or one part of the state before the first step.
func (p *pen) cameOf(d diagram, l line, y int) {
	p.write(`<g class="came `, l.Class, `">`)
	if l.Class == "bad" {
		p.write(`<rect class="breach" x="9%" width="91%" y="`, px(y-lineHeight/2), `" height="`, px(lineHeight), `"/>`)
	}
	if l.From > 0 {
		p.line("call dotted", pc(l.From), pc(l.X), y)
	}
	p.glyph(l.Icon, l.X, y)
	switch {
	case l.From > 0:
		p.label(d, l.X, y-4, "“"+clip(l.Text, 20)+"”", "")
	case l.X > rightOfHalf:
		p.fitted(d, l.X, l.base(y), func(b breadth) label {
			if l.Near == 0 {
				return besideLane(0, l.left(b), l.Text, "")
			}
			return besideLane(0, l.room(b), l.Text, "")
		})
	case l.Near > 0:
		p.fitted(d, l.X, l.base(y), func(b breadth) label { return besideLane(min(l.room(b), b.letters(l.X, 100)-1), 0, l.Text, "") })
	case l.Row < 0:
		p.fitted(d, l.X, l.base(y), func(b breadth) label {
			return besideLane(b.letters(l.X, d.edge()), l.left(b), l.Text, "")
		})
	default:
		p.label(d, l.X, l.base(y), l.Text, "")
	}
	p.write(`</g>`)
}

func (p *pen) leases(lanes []lane) {
	for _, l := range lanes {
		for _, b := range l.Bars {
			p.write(`<rect class="`, with("lease "+b.Hue, b.Forever, "forever"), `" x="`, pc(l.X), `" y="`, px(b.Top), `" width="10" height="`, px(b.End-b.Top), `" transform="translate(`, px(4+12*b.Column), `,0)"/>`)
		}
	}
}

// leaseNames draws the names of keys where their bars begin, over events and bars.
func leaseNames(v *View, d diagram) templ.Component {
	var p pen
	if len(v.Trace.Start.Nodes) > 1 {
		return p.drawn() // there is no room beside their lanes
	}
	for _, l := range d.Lanes {
		beside := 8 + 12*l.columns()
		free := d.Top // below the names that are written
		for _, b := range l.Bars {
			names := []string{b.Key, b.Owner}
			if b.Forever {
				names = append(names, keyNoTTL.in(v.Lang))
			}
			p.write(`<g class="lease `, b.Hue, `">`)
			for i, name := range names {
				y := max(b.Top, free)
				if name == "" || b.End-y < (1+min(i, 1))*lineHeight {
					continue
				}
				p.fitted(d, l.X, y+14, func(on breadth) label {
					room := int(((100-l.X)/100*on.pixels - float64(beside)) / smallLetter)
					if room < leastName && width(name) > room {
						return label{}
					}
					return label{"label", beside, html.EscapeString(cutMiddle(name, room))}
				})
				free = y + lineHeight
			}
			p.write(`</g>`)
		}
	}
	return p.drawn()
}

func strip(v *View) templ.Component {
	var p pen
	n := len(v.Trace.Steps)
	at := percent(v.Pos, n)
	p.write(`<line class="gone" x1="0" x2="`, at, `" y1="8" y2="8"/><line class="future" x1="`, at, `" x2="100%" y1="8" y2="8"/>`)
	if g := v.Ghost.forkedAt(); g >= 0 {
		x := percent(min(g, n), n)
		p.write(`<line class="forked" x1="`, x, `" x2="`, x, `" y1="0" y2="16"/>`)
	}
	if differs := v.Edits.at(v); differs > 0 {
		x := percent(differs, n)
		p.write(`<line class="differs" x1="`, x, `" x2="`, x, `" y1="-6" y2="22"/>`)
		p.write(`<use class="differs" href="#i-differs" x="`, x, `" y="-10" width="10" height="10"/>`)
	}
	if past, future := tickMarks(v); n > 0 {
		p.write(`<g>`, marks(past), `</g>`)
		if len(future) > 0 {
			p.write(`<g class="future">`, marks(future), `</g>`)
		}
	}
	return p.drawn()
}
