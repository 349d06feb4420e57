package ui

import "github.com/a-h/templ"

// A label stands beside its lane: on the right, unless only the left has room for it. The
// diagram is drawn in percent and its letters are not, so room is counted for the narrowest
// diagram.
const (
	narrowest = 500.0 // pixels
	letter    = 6.5   // the width of one, in pixels; of a Chinese character, twice that
	fromLane  = 12    // from the lane

	smallLetter = 6.0 // the width of one in the name of a lease
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

// cutMiddle shortens a name to a width from its middle: names of keys differ at their ends.
func cutMiddle(name string, most int) string {
	runes := []rune(name)
	if width(name) <= most || len(runes) < most {
		return name
	}
	head := (most - 1) / 2
	return string(runes[:head]) + "…" + string(runes[len(runes)-(most-1-head):])
}

// letters is how many of them fit between two places.
func letters(from, to float64) int {
	return int(((to-from)/100*narrowest - fromLane) / letter)
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
func apart(a, b float64) bool {
	gap := max(a-b, b-a)
	if max(a, b) > rightOfHalf {
		gap /= 2
	}
	return letters(0, gap) >= sharedRoom
}

// sharedRoom is how many letters a text has that shares its row.
const sharedRoom = 20

// label writes a text beside a lane, in the room that is left for it: more, in a tag of its
// own, comes before all else.
func (p *pen) label(d diagram, x float64, y int, text, more string) {
	right, left := letters(x, d.edge()), letters(margin, x)
	if x >= d.edge() {
		right = letters(x, 100)
	}
	p.labelIn(x, y, right, left, text, more)
}

func (p *pen) labelIn(x float64, y, right, left int, text, more string) {
	class, dx, room := "label", fromLane-2, right
	if width(text)+1+width(more) > right && left > right {
		class, dx, room = "label ends", 2-fromLane, left
	}
	more = cut(more, max(room-1-min(width(text), 14), 6))
	html := templ.EscapeString(cut(text, max(room-1-width(more), 4)))
	if more != "" {
		html += ` <tspan class="answer">` + templ.EscapeString(more) + `</tspan>`
	}
	p.text(class, pc(x), dx, y, html)
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
