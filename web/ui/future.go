package ui

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"lockstep/engine"
)

// What will happen by itself is drawn below the present, on the scale of the moves of the clock: what is left of leases,
// of work and of waiting, each to its true end.

// leastFuture is how much of it there is room for, in any case, while anything is due.
const leastFuture = 130

// lowFuture is how much of that a low stage shows: what a lease has left, and what is due last in as many lines as may be.
const lowFuture = lineHeight * (mostComing + 1)

// far is how far below its end the drawing goes on, for screens that are higher than a story's stage; others cut it off
// (diagram.css).
const far = 700

func (d diagram) far() int { return d.End + far }

// foreseen is where the drawing ends: a story's fills its stage from the start.
func (d diagram) foreseen(v *View) int {
	end := max(d.Top+stageHeight, d.Bottom+leastBand)
	if len(d.Coming) > 0 {
		far := d.Now
		for _, c := range d.Coming {
			far = max(far, d.Now+d.pixels(c.At-v.Snapshot().Now)+lineHeight)
		}
		end = max(end, min(far, d.Now+leastFuture))
	}
	for _, l := range d.Lanes {
		if open := l.open(); d.servers == 1 && v.Present() && len(open) > 1 {
			end = max(end, d.Now+lineHeight*(len(open)+1)) // what each has left
		}
	}
	return end
}

// least is down to where a low stage shows it, too: what has happened, and what is said of what comes. Of the rest of the future
// it shows as much as it has room for.
func (d diagram) least(v *View) int {
	end := d.Bottom + leastBand
	if len(d.Coming) > 0 {
		end = max(end, d.Now+lowFuture)
	}
	for _, c := range d.Coming {
		if y, beyond := d.below(v, c.At); c.Told && !beyond {
			end = max(end, y+lineHeight*mostComing) // clear of what is due last
		}
	}
	for _, l := range d.Lanes {
		if v.Present() {
			end = max(end, d.Now+lineHeight*(len(l.open())+1)) // what each has left
		}
	}
	return min(end, d.End)
}

// open are the leases that last.
func (l lane) open() []bar {
	return slices.DeleteFunc(slices.Clone(l.Bars), func(b bar) bool { return b.to != 0 })
}

// below is where an instant of the future is; beyond tells that it lies below where the drawing ends.
func (d diagram) below(v *View, at engine.Instant) (y int, beyond bool) {
	y = d.Now + d.pixels(max(0, at-v.Snapshot().Now))
	return min(y, d.far()), y > d.End
}

// remains draws what is left of what actors do.
func (p *pen) remains(v *View, d diagram) {
	if !v.Present() {
		return
	}
	for _, a := range v.Snapshot().Actors {
		if a.Until == engine.NoDeadline || a.Until <= v.Snapshot().Now {
			continue
		}
		y, beyond := d.below(v, a.Until)
		x := pc(d.laneOf(a.Name))
		switch {
		case a.Status == engine.Sleeping && works(a) && !a.Task:
			p.write(`<rect class="`, with("rest "+hue(v, a.Name), beyond, "beyond"), `" x="`, x, `" y="`, px(d.Now), `" height="`, px(y-d.Now), `"/>`)
		case a.Status == engine.Sleeping, a.Status == engine.Waiting, a.Status == engine.Blocked, a.Status == engine.Unanswered:
			p.write(`<line class="idle `, hue(v, a.Name), `" x1="`, x, `" x2="`, x, `" y1="`, px(d.Now), `" y2="`, px(y), `"/>`)
		}
	}
}

// now draws the present: a line through all lanes, and the seconds that follow on the axis.
func (p *pen) now(v *View, d diagram) {
	at := d.Now + 4 // clear of the letters of the last value
	if !v.Present() {
		at = min(at, d.Now+d.row-leastRow+1) // and of those of the next step
	}
	p.write(`<path class="now-mark" d="M-8 `, px(at-5), `v10l8 -5z"/>`)
	p.line("now", "0", "100%", at)
	p.write(`<path class="ruler future" d="M0 `, px(d.Bottom), "V", px(d.far()), `"/>`)
	if !v.Present() {
		return
	}
	p.marks(d, "marks future", d.Now, d.far())
	const apart = 44
	for n := d.unit(apart); int(n*d.second) < d.far()-d.Now; n += d.unit(apart) {
		y := d.Now + int(n*d.second)
		p.write(`<text class="`, with("when soon", y > d.End-8, "far"), `" x="-10" y="`, px(y+4), `">+`, span(v.Lang, time.Duration(n*float64(time.Second))), `</text>`)
	}
	p.coming(v, d)
}

// coming says what is due where nothing else is drawn of it: a session has no bar, and what lies far away no room.
func (p *pen) coming(v *View, d diagram) {
	last, said, told := d.Now, 0, engine.NoDeadline
	for _, c := range d.Coming {
		y, beyond := d.below(v, c.At)
		y = max(y, last+lineHeight)
		if !c.Told && !beyond || said == mostComing {
			continue
		}
		due := says{class: "soon", text: c.What}
		if beyond { // where there is no room for both, what is due or when tells more than the ends of a cut text
			y = d.End - lineHeight*(mostComing-said-1)
			when := "↓ " + instant(v.Lang, c.At)
			due.text, due.less = when+clauseColon.in(v.Lang)+c.What, []string{"↓ " + c.What, when}
			if c.At == told {
				due.less[1] = "" // the line above has said when
			}
			told = c.At
		}
		if y <= last+lineHeight/2 || y > d.End {
			continue
		}
		if beyond { // at the end of what the screen shows
			p.write(`<svg y="100%">`)
			p.says(d, y-d.End+d.Top-4, due) // 4: for what of letters is below their line
			p.write(`</svg>`)
		} else {
			p.says(d, y, due)
		}
		last = y
		said++
	}
}

// stretches draws lanes, and what each is like.
func (p *pen) stretches(d diagram) {
	top, end := px(d.Top), px(d.far())
	for _, l := range d.Lanes {
		x := pc(l.X)
		p.write(`<line class="lane `, l.Hue, `" x1="`, x, `" x2="`, x, `" y1="`, top, `" y2="`, end, `"/>`)
	}
	for _, l := range d.Lanes {
		for _, s := range l.Segments {
			p.segment(d, l.X, l.Hue, s)
		}
	}
	for _, t := range d.Tasks {
		for _, s := range t.Segments {
			p.segment(d, t.X, t.Hue, s)
		}
	}
}

// leastBar is how high a bar is at least that goes on.
const leastBar = 12

// segment draws what a lane is like; of a past that is shown, what followed is pale. A bar
// that has just begun is high enough to be one, and as high as the band of those who should not be inside together.
func (p *pen) segment(d diagram, x float64, hue string, s segment) {
	if s.Top < d.Now && s.End > d.Now {
		p.segment(d, x, hue, segment{s.Class, s.Top, d.Now})
		s.Top = d.Now
	}
	if s.End == d.Now || s.End == d.Bottom {
		least := leastBar
		if strings.Contains(s.Class, "clash") {
			least = leastBand
		}
		s.End = max(s.End, s.Top+least)
	}
	if s.Top >= d.Now {
		s.Class += " yet"
	}
	p.stretch(x, hue, s)
}

func (p *pen) stretch(x float64, hue string, s segment) {
	at, top := pc(x), px(s.Top)
	kind, _, _ := strings.Cut(s.Class, " ")
	switch kind {
	case "idle", "task", "ended":
		p.write(`<line class="`, s.Class, ` `, hue, `" x1="`, at, `" x2="`, at, `" y1="`, top, `" y2="`, px(s.End), `"/>`)
		return
	}
	high := px(s.End - s.Top)
	p.write(`<rect class="bar `, s.Class, ` `, hue, `" x="`, at, `" y="`, top, `" height="`, high, `"/>`)
	if strings.TrimSuffix(s.Class, " yet") != "in" {
		p.write(`<rect class="bar hatch" fill="url(#hatch)" x="`, at, `" y="`, top, `" height="`, high, `"/>`)
	}
}

// leases draws them on the lanes of servers: what is spent pale, and what remains.
func (p *pen) leases(v *View, d diagram) {
	for _, l := range d.Lanes {
		for _, b := range l.Bars {
			if b.Waits {
				p.waits(v, d, l, b)
				continue
			}
			if b.to == 0 && !v.Present() {
				b.End = max(b.End, b.Top+leastBar)
			}
			class := "lease " + b.Hue + " k" + px(b.Column)
			if b.Forever || b.Row {
				class += " thin"
			}
			rect := func(class string, top, end int) {
				if end > top {
					p.write(`<rect class="`, class, `" x="`, pc(l.X), `" y="`, px(top), `" height="`, px(end-top), `"/>`)
				}
			}
			rect(class+" spent", b.Top, min(b.End, d.Now))
			left := class
			if b.Top >= d.Now { // of a past that is shown: nobody has it yet
				left += " yet"
			}
			rect(left, max(b.Top, d.Now), b.End)
			if b.to != 0 || !v.Present() {
				continue
			}
			if b.Deadline == engine.NoDeadline {
				rect(class, d.Now, d.Now+leastBand)
			} else if y, beyond := d.below(v, b.Deadline); beyond {
				rect(class+" beyond", d.Now, y)
			} else {
				rect(class, d.Now, y)
			}
		}
	}
}

// waits draws who waits in a server.
func (p *pen) waits(v *View, d diagram, l lane, b bar) {
	if b.to == 0 && v.Present() {
		b.End = d.Now + leastBand
	}
	p.write(`<line class="waits `, b.Hue, ` k`, px(b.Column), ` w`, px(b.Slot), `" x1="`, pc(l.X), `" x2="`, pc(l.X), `" y1="`, px(b.Top), `" y2="`, px(b.End), `"/>`)
}

// remaining says of each lease how long it still lasts, below the present.
func remaining(v *View, d diagram) templ.Component {
	var p pen
	for i, l := range d.Lanes {
		if !l.Server || !v.Present() {
			continue
		}
		open := l.open()
		if d.servers > 1 {
			open = open[:min(1, len(open))]
		}
		y := d.Now + lineHeight + 2
		for _, b := range open {
			if b.saidElsewhere(open) {
				continue
			}
			text, short := leftText(v, l.Node, b, len(open) > 1)
			p.values(d, []written{{Lane: i, Columns: l.Columns, Parts: []valuePart{{Hue: b.Hue, Text: text, Short: short, Name: shortKey(b.Key), Whole: true}}, y: y - 4}})
			y += lineHeight
		}
	}
	return p.drawn()
}

// leftText is how long a lease lasts, with its key where there are several; of a row who locked it and who waits.
func leftText(v *View, node string, b bar, named bool) (text, short string) {
	switch {
	case b.Row:
		text = claimText(v, node, b)
		return text, strings.TrimPrefix(text, shortKey(b.Key)+" ")
	case b.Deadline == engine.NoDeadline:
		text = keyNoTTL.in(v.Lang)
	default:
		left := span(v.Lang, b.Deadline-v.Snapshot().Now)
		text, short = keyLeft.in(v.Lang, left), strings.ReplaceAll(left, " ", "")
	}
	if named {
		text = shortKey(b.Key) + clauseColon.in(v.Lang) + text
	}
	return text, cmp.Or(short, text)
}
