package ui

import (
	"html"
	"slices"
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

func (p *pen) text(class string, x string, y int, text string) {
	p.write(`<text class="`, class, `" x="`, x, `" y="`, px(y), `">`, text, `</text>`)
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
		p.moved(v, d, e)
	default:
		p.says(d, e.y-aboveRow, says{class: "fault", text: "⚡ " + choiceText(v.Lang, &e.After, e.Choice)})
		if from, to := d.ends(v, e); from > 0 {
			p.line("call dotted", pc(from), pc(to), e.y)
		}
		for _, x := range d.marked(v, e) {
			p.glyph(e.mark(faultIcon(e)), x, e.y)
		}
	}
	for _, l := range e.lines {
		p.cameOf(d, l)
	}
	p.values(d, e.values)
	p.write(`</g>`)
}

// mark is the icon of a step: what it was or, if it broke a rule, that. One over the other would be neither.
func (e event) mark(was string) string {
	if len(e.Broken) > 0 {
		return icon(outBroken)
	}
	return was
}

func (p *pen) run(v *View, d diagram, e event) {
	lane := d.laneOf(e.Choice.Target)
	if r, ok := e.Request.(engine.Receive); ok {
		p.glyph(e.mark("i-message"), lane, e.y)
		takes := actorTakesWord.in(v.Lang) + " " + message(e.Message) // the row where it came has the message, too
		p.says(d, e.y-aboveRow, says{text: takes + " " + shortNumber(r.Channel), short: takes})
		return
	}
	from, to := d.arrow(e)
	if outcomeOf(e.Step) == outMessage || e.Taken {
		p.line("call dotted", pc(from), pc(to), e.y)
	} else {
		p.write(`<line class="call" pathLength="1" x1="`, pc(from), `" x2="`, pc(to), `" y1="`, px(e.y), `" y2="`, px(e.y), `"/>`)
	}
	p.write(`<circle class="from" cx="`, pc(from), `" cy="`, px(e.y), `"/>`)
	answer := cameBack(v, e.Step)
	if answer != "" {
		answer = "→ " + answer
	}
	if e.times > 1 {
		answer += " ×" + px(e.times)
	}
	label := says{text: arrowText(v, e.Step), more: answer, short: opName(e.Request)}
	label.less = withLess(label.text, e.Request)
	if x, ok := e.Request.(engine.Exec); ok && x.Op.Script != nil {
		label.short, label.named = "▸ "+label.short, true
	}
	if e.Reply != nil && e.Reply.IsError() {
		code, _, _ := strings.Cut(e.Reply.Str, " ")
		label.code = "→ " + code
	}
	p.says(d, e.y-aboveRow, label)
	mark := icon(outcomeOf(e.Step))
	if e.NoReply == engine.RequestLost {
		mark = "i-dead"
	}
	p.glyph(e.mark(mark), to, e.y)
}

// ground draws all that lies below the events: the breaches, the lanes, the leases, what is to come, and the
// state before the first step.
func ground(v *View, d diagram) templ.Component {
	var p pen
	p.write(`<g class="lanes">`)
	p.stretches(d)
	p.leases(v, d)
	p.remains(v, d)
	p.write(`</g>`)
	p.now(v, d) // below the words of a breach
	for _, b := range d.Breaches {
		p.write(`<g class="`, onlyIf(b.Top >= d.Now, "ahead"), `">`)
		p.write(`<rect class="overlap" x="`, pc(b.From), `" width="`, pc(b.To-b.From), `" y="`, px(b.Top), `" height="`, px(b.End-b.Top), `"/>`)
		p.both(v, d, b)
		p.write(`</g>`)
	}
	for _, e := range d.Events {
		if v.Edits.at(v) == e.N {
			p.line("differs", "0", "100%", e.Top+1)
		}
		if v.forkedAt() == e.N {
			p.line("forked", "0", "100%", e.Top+e.Height)
		}
	}
	if d.From == 0 {
		p.write(`<text class="when" x="-10" y="`, px(axisHead+4), `">`, span(v.Lang, v.Trace.Start.Now), `</text>`)
		p.values(d, d.given(v))
		for _, l := range d.Start {
			p.cameOf(d, l)
		}
	}
	return p.drawn()
}

// both says that two are inside, between their lanes: in a line, or, where that is too long, in two small ones; where a
// band is too narrow for those, on its right, and only where there is no room either in shorter words.
func (p *pen) both(v *View, d diagram, b band) {
	if !b.Two {
		return
	}
	text := stripBoth.in(v.Lang)
	short := strings.Split(stripBothShort.in(v.Lang), "\n")
	said := map[byte]bool{}
	p.inBand(d, b, 16, said, text)
	p.inBand(d, b, 0, said, strings.Split(stripBothLines.in(v.Lang), "\n")...)
	p.inBand(d, b, 0, said, text)
	p.outside(d, b, text, said)
	p.inBand(d, b, 0, said, short...)
	p.outside(d, b, strings.Join(short, " "), said)
}

// inBand writes lines between two lanes on the screens where all of them fit, of those that have not said them: in letters of
// a size, or, without one, in small ones.
func (p *pen) inBand(d diagram, b band, size float64, said map[byte]bool, lines ...string) {
	class, above, below := "overlap-says", 17, 5
	if size == 0 {
		class, above, below = "overlap-says small", 11, 4+bothPitch*(len(lines)-1)
	}
	y, free := d.freePlace(b, above, below)
	if !free {
		return
	}
	longest := 0.0
	for _, line := range lines {
		longest = max(longest, ems(line))
	}
	fits := map[byte]bool{}
	for _, on := range breadths {
		high := size
		if size == 0 {
			high = on.small
		}
		fits[on.class] = !said[on.class] && high*longest <= (b.To-b.From)/100*on.pixels-on.bars
	}
	for i, line := range lines {
		p.fitted(class, (b.From+b.To)/2, y+i*bothPitch, func(on breadth) string { return onlyIf(fits[on.class], line) })
	}
	for _, on := range breadths {
		said[on.class] = said[on.class] || fits[on.class]
	}
}

// outside writes words on the right of a band, on screens that have not said them: up to where arrows say what they carry,
// and as far as to the servers where none does.
func (p *pen) outside(d diagram, b band, text string, said map[byte]bool) {
	for _, on := range breadths {
		r := band{From: b.To, To: b.To + 100*(on.bars+on.small*ems(text))/on.pixels, Top: b.Top, End: b.End}
		y, free := d.freePlace(r, 11, 4)
		if !said[on.class] && free && !d.isBusy(r, y-11, y+4) && (r.To < d.gutter || r.To < d.gutterEnd && d.isQuiet(on, y-9, y+4)) {
			said[on.class] = true
			p.text("overlap-says small outside on "+string(on.class), pc(b.To), y, text)
		}
	}
}

// isQuiet tells whether nothing is said in the gutter between two heights.
func (d diagram) isQuiet(on breadth, top, end int) bool {
	for _, c := range d.Coming {
		if c.Told {
			return false
		}
	}
	over := func(y int) bool { return y-aboveRow-9 < end && y-aboveRow+4 > top } // letters of small screens
	for _, e := range d.Events {
		if over(e.y) {
			return false
		}
		for _, l := range e.lines {
			if over(l.y) && (says{text: l.Text, less: l.Less}.fit(d.inGutter(on)) != "") {
				return false
			}
		}
	}
	return true
}

// isBusy tells whether a lane is more than a line where a text would stand on the right of a band.
func (d diagram) isBusy(b band, top, end int) bool {
	return slices.ContainsFunc(d.Lanes, func(l lane) bool {
		return l.X > b.From && l.X < b.To && slices.ContainsFunc(l.Segments, func(s segment) bool {
			return s.Class != "ended" && s.Top < end && s.End > top
		})
	})
}

const bothPitch = 16 // of the small lines in a band

// ems is how wide bold letters are, as a share of their size.
func ems(text string) (all float64) {
	for _, r := range text {
		all += .45
		if r >= 0x2e80 {
			all += .57
		}
	}
	return all
}

func onlyIf(so bool, text string) string {
	if so {
		return text
	}
	return ""
}

// freePlace is where words in a band are crossed by no instant and no arrow: as high as its least height has them in its
// middle, or below what crosses them there, or at its top; free is false where there is no such place. Words take so much above and
// below their first line.
func (d diagram) freePlace(b band, above, below int) (y int, free bool) {
	for _, first := range []int{(leastBand - above - below) / 2, 1} {
		y = b.Top + first + above
		for _, e := range d.Events {
			if d.crosses(e, b) && e.y > y-above && e.y < y+below {
				y = e.y + above + 1
			}
		}
		if free = y+below <= max(b.End, b.Top+leastBand); free {
			return y, free
		}
	}
	return y, false
}

// crosses tells whether the line of a step goes over a band.
func (d diagram) crosses(e event, b band) bool {
	if _, mail := e.Request.(engine.Receive); e.Choice.Kind != engine.Run || mail {
		return e.Choice.Kind == engine.Tick
	}
	from, to := d.arrow(e)
	return min(from, to) < b.To && b.From < max(from, to)
}

// culprit marks the step that made a breach possible.
func culprit(e event) templ.Component {
	var p pen
	p.write(`<g class="culprit"><rect class="row" width="100%" y="`, px(e.Top+1), `" height="`, px(e.Height-2), `"/></g>`)
	return p.drawn()
}

// cameOf draws one consequence of a step, or one part of the state before the first step.
func (p *pen) cameOf(d diagram, l line) {
	p.write(`<g class="came `, l.Class, `">`)
	if l.From > 0 {
		p.line("call dotted", pc(l.From), pc(l.X), l.y)
	}
	if l.X > 0 {
		p.glyph(l.Icon, l.X, l.y)
	}
	p.says(d, l.y-aboveRow+1, says{text: l.Text, less: l.Less})
	p.write(`</g>`)
}

func strip(v *View) templ.Component {
	var p pen
	n := len(v.Trace.Steps)
	at := percent(v.Pos, n)
	p.write(`<line class="gone" x1="0" x2="`, at, `" y1="8" y2="8"/><line class="future" x1="`, at, `" x2="100%" y1="8" y2="8"/>`)
	if g := v.forkedAt(); g >= 0 {
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
