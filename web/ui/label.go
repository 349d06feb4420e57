package ui

import (
	"slices"
	"strings"
	"unicode"

	"github.com/a-h/templ"

	"lockstep/engine"
)

// The diagram is drawn in percent and its letters are not, so room is counted for the narrowest plot of each kind: that
// of a wide screen, of a narrower one, of a desk with the lab open, of a small desk, of a tablet, of a phone, and of a small one. A text that does
// not fit everywhere stands once for each kind, in as many letters as fit, and the style sheet shows one of them (diagram.css has the same kinds).
type breadth struct {
	class  byte
	pixels float64 // of the plot
	letter float64 // the width of one; of a Chinese character, twice that
	bars   float64 // the pixels of those on both sides of a band
	small  float64 // the size of the small lines in a band
}

var breadths = [...]breadth{
	{'x', 1306, 7.9, 30, 13},
	{'w', 1030, 7.9, 30, 13},
	{'m', 740, 7.3, 30, 13},
	{'d', 650, 7.3, 30, 13},
	{'t', 500, 7.3, 30, 12},
	{'q', 290, 7.3, 17, 12},
	{'p', 236, 7.3, 9, 12}, // on the smallest a word may touch them
}

func (b breadth) phone() bool { return b.class == 'q' || b.class == 'p' }

// letters is how many of them fit between two places, less so many pixels.
func (b breadth) letters(from, to float64, less int) int {
	return max(0, int(((to-from)/100*b.pixels-float64(less))/b.letter))
}

// mostLetters is for how many of them the widest diagram has room.
var mostLetters = breadths[0].letters(0, 100, 0)

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

// fitted writes a text as it fits on each kind of screen.
func (p *pen) fitted(class string, x float64, y int, fit func(b breadth) string) {
	var texts [len(breadths)]string
	for i, b := range breadths {
		texts[i] = fit(b)
	}
	for i := 0; i < len(texts); {
		j := i + 1
		for j < len(texts) && texts[j] == texts[i] {
			j++
		}
		if texts[i] != "" {
			on := ""
			if j-i < len(texts) {
				on = " on"
				for _, b := range breadths[i:j] {
					on += " " + string(b.class)
				}
			}
			p.text(class+on, pc(x), y, texts[i])
		}
		i = j
	}
}

// says is a text in the gutter.
type says struct {
	class string
	text  string
	more  string   // an answer, before which the text gives way
	less  []string // the text with some of its values left out, the longest first
	short string   // the text where there is little room
	named bool     // which tells more than the text without much of its middle
	code  string   // an answer that is an error, where there is no room for all of it
}

// says writes a text into the gutter, from some place on.
func (p *pen) says(d diagram, y int, t says) {
	p.fitted(with("label", t.class != "", t.class), d.gutter, y, func(b breadth) string { return t.fit(d.inGutter(b)) })
}

// inGutter is how many letters have room there.
func (d diagram) inGutter(b breadth) int {
	mark := 18 // where the arrow ends
	if b.phone() {
		mark = 12
	}
	return b.letters(d.gutter, d.gutterEnd, mark)
}

// leastText is how many letters of a text still tell something.
const leastText = 4

// leastName is the fewest letters to which a name is cut.
const leastName = 5

// leastCut is the fewest letters of a text whose middle is left out.
const leastCut = 14

func (t says) fit(room int) string {
	text, more := t.text, t.more
	if t.code != "" && width(text)+1+width(more) > room {
		more = t.code
	}
	if left := room - 1 - width(more); width(text) > left {
		text = firstOf(t.less, left, text)
	}
	if left := room - 1 - width(more); width(text) > left && t.short != "" && (left < leastCut || t.named && left < 2*leastCut) {
		if text = t.short; width(text) > left {
			text = strings.TrimPrefix(text, "▸ ")
		}
		if over := width(text) - left; over == 1 || over > 1 && t.named && left == leastName-1 { // a script keeps its name
			more = strings.Replace(more, "→ ", "→", 1)
		}
	}
	if more == "" {
		if width(text) > room && t.short != "" && room < 2*leastCut {
			text = t.short
		}
		if width(text) > room && room < leastCut {
			return "" // it would tell nothing
		}
		return templ.EscapeString(cutMiddle(text, room))
	}
	html := ""
	least := leastText
	if t.named {
		least = leastName
	}
	if left := room - 1 - width(more); left >= min(least, width(text)) {
		shortened := cutMiddle
		if text == t.short && !t.named {
			shortened = cut // a command is known by how it begins
		}
		html = templ.EscapeString(shortened(text, left)) + " "
	}
	more = templ.EscapeString(cut(more, room))
	if arrow, answer, _ := strings.Cut(more, "→"); answer != "" && answer[0] != ' ' {
		more = arrow + `→<tspan dx=".3em">` + answer + `</tspan>` // no letter's room is left, and yet they must not touch
	}
	return html + `<tspan class="answer">` + more + `</tspan>`
}

// firstOf is the first of some texts that fits, or else another one.
func firstOf(texts []string, room int, otherwise string) string {
	for _, text := range texts {
		if width(text) <= room {
			return text
		}
	}
	return otherwise
}

// withLess are shorter texts of a request, the longest first: a script with its key and its caller, a command without words of
// its middle, and with its key and the value after it, a statement without words of its middle. nil: the request has no shorter text.
func withLess(text string, r engine.Request) (less []string) {
	exec, is := r.(engine.Exec)
	switch {
	case !is || ofZnodes(exec.Op):
		return nil
	case exec.Op.IsStatement():
		return withoutMiddle(text)
	case exec.Op.Script == nil:
		const told = 3
		last := len(exec.Op.Args) - 1
		if last < told {
			return nil
		}
		whole := commandText(exec.Op.Args)
		for n := min(last-1, 2*told); n >= told; n-- {
			few := slices.Concat(exec.Op.Args[:n], []string{"…"}, exec.Op.Args[last:])
			less = append(less, strings.Replace(text, whole, commandText(few), 1))
		}
		return append(less, strings.Replace(text, whole, commandText(exec.Op.Args[:told])+" …", 1))
	}
	called, _, _ := strings.Cut(text, "(")
	values := slices.Concat(exec.Op.Keys, exec.Op.Args)
	last := len(values) - 1
	switch {
	case last < 1:
		return []string{called}
	case last == 1:
		return []string{called + "(" + values[0] + ", …)", called}
	}
	return []string{called + "(" + values[0] + ", …, " + values[last] + ")", called + "(" + values[0] + ", …)", called}
}

// withoutMiddle leaves words out of the middle of a text, one after the other.
func withoutMiddle(text string) (less []string) {
	words := strings.Fields(clip(text, 2*mostLetters))
	for n := len(words) - 1; n > 1; n-- {
		head := (n + 1) / 2
		less = append(less, strings.Join(words[:head], " ")+" … "+strings.Join(words[len(words)-n+head:], " "))
	}
	return less
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
