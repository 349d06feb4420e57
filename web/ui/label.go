package ui

import (
	"unicode"

	"github.com/a-h/templ"
)

// A label stands beside its lane: on the right, unless only the left has room for it. The
// diagram is drawn in percent and its letters are not, so room is counted for the narrowest
// diagram of each kind: that of a desk, and that of a phone, where a label that is too long
// stands a second time, in fewer letters.
type breadth struct {
	pixels float64
	letter float64 // the width of one; of a Chinese character, twice that
}

var (
	desk  = breadth{500, 6.5}
	phone = breadth{278, 6.4}
)

const (
	fromLane    = 12  // pixels from the lane
	smallLetter = 6.0 // the width of one in the name of a lease
	leastName   = 6   // letters of a name that still tell one from another
	mostWhen    = 3   // letters of a time that has room beside the lanes of a phone
	mostTick    = 8   // letters of what a move of the clock is called
)

// width is how wide a text is, in letters.
func width(text string) int {
	n := 0
	for _, r := range text {
		n++
		if r >= 0x2e80 {
			n++
		}
	}
	return n
}

// cut shortens a text to a width.
func cut(text string, most int) string {
	if width(text) <= most {
		return text
	}
	n := 0
	for i, r := range text {
		if n += width(string(r)); n > most-1 {
			return text[:i] + "…"
		}
	}
	return text
}

// cutMiddle shortens a text to a width from its middle: names differ at their ends.
func cutMiddle(text string, most int) string {
	if width(text) <= most {
		return text
	}
	runes := []rune(text)
	digits := 0
	for _, r := range runes {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	most -= min(digits, most) / 8 // they are wider than other letters
	head, tail := 0, len(runes)
	for room := most - 1; head < tail; {
		end := head >= len(runes)-tail
		next := runes[head]
		if end {
			next = runes[tail-1]
		}
		if room -= width(string(next)); room < 0 {
			break
		}
		if end {
			tail--
		} else {
			head++
		}
	}
	return string(runes[:head]) + "…" + string(runes[tail:])
}

// letters is how many of them fit between two places.
func (b breadth) letters(from, to float64) int {
	return int(((to-from)/100*b.pixels - fromLane) / b.letter)
}

// after is how far from the margin there is room beside a time.
func (b breadth) after(when string) int {
	return int(float64(width(when))*b.letter + fromLane - margin/100*b.pixels)
}

// edge is how far texts on the right of lanes may reach: to the server, beside which its leases
// have their names. Where there are several, nothing stands between them.
func (d diagram) edge() float64 {
	edge := 100.0
	for _, l := range d.Lanes {
		if l.Server && edge < 100 {
			return 100
		}
		if l.Server {
			edge = l.X
		}
	}
	return edge
}

// apart tells whether texts at two lanes may stand in one row.
func apart(a, b float64) bool { return desk.between(a, b) >= sharedRoom }

// between is how many letters a text has that stands at a lane and shares its row with another.
func (b breadth) between(x, y float64) int {
	gap := max(x-y, y-x)
	if max(x, y) > rightOfHalf {
		gap /= 2
	}
	return b.letters(0, gap)
}

// sharedRoom is how many letters a text has that shares its row.
const sharedRoom = 20

// label is a text as it stands beside its lane.
type label struct {
	class string
	dx    int
	html  string
}

// label writes a text beside a lane, in the room that is left for it: more, in a tag of its
// own, comes before all else.
func (p *pen) label(d diagram, x float64, y int, text, more string) {
	p.fitted(d, x, y, func(b breadth) label {
		right, left := b.letters(x, d.edge()), b.letters(margin, x)
		if x >= d.edge() {
			right = b.letters(x, 100)
		}
		return besideLane(right, left, text, more)
	})
}

// fitted writes a text as it fits on a desk and, where that is another, on a phone.
func (p *pen) fitted(d diagram, x float64, y int, fit func(b breadth) label) {
	roomy, slim := fit(desk), fit(phone)
	both := !d.wide() && slim != roomy
	if roomy.html != "" {
		p.text(with(roomy.class, both && slim.html == "", "roomy"), pc(x), roomy.dx, y, roomy.html)
	}
	if both && slim.html != "" {
		p.text(slim.class+" slim", pc(x), slim.dx, y, slim.html)
	}
}

func besideLane(right, left int, text, more string) label {
	class, dx, room := "label", fromLane-2, right
	wide := width(more) * 9 / 8 // its letters are all as wide as the widest
	if width(text)+1+wide > right && left > right {
		class, dx, room = "label ends", 2-fromLane, left
	}
	more = cut(more, max((room-1-min(width(text), 14))*8/9, 6))
	html := templ.EscapeString(cutMiddle(text, max(room-1-width(more), 4)))
	if more != "" {
		html += ` <tspan class="answer">` + templ.EscapeString(more) + `</tspan>`
	}
	return label{class, dx, html}
}

// partedHTML is a key's name that may lose its middle, as the ends tell names apart.
func partedHTML(name string) string {
	head, tail := parted(name)
	escape := templ.EscapeString[string]
	return `<code class="key-name" title="` + escape(name) + `"><span>` + escape(head) + `</span><span>` + escape(tail) + `</span></code>`
}

// parted is a name without its last letters, and those: as many as tell names apart.
func parted(name string) (head, tail string) {
	const mostTail = 12
	runes := []rune(name)
	at := max(len(runes)-mostTail, (len(runes)+1)/2)
	return string(runes[:at]), string(runes[at:])
}
