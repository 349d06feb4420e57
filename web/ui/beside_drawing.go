package ui

import (
	"lockstep/engine"
)

// half is one of two timelines that are drawn side by side, on one scale.
type half struct {
	*View
	d       diagram
	Name    string
	Same    int    // its first steps that both timelines share
	Tear    int    // where they part, from the timeline's start; 0: they do not, or out of sight
	Height  int    // of both drawings
	Parts   string // its choice there, or what came of a choice that both made
	Right   bool
	Clicked int // steps up to this one lead to their place
}

// tearRoom is how far what follows the tear is from the last step that both share: the mark of that ends below its row.
const tearRoom = 24

// halves are the shown timeline and the one beside it, drawn at one place: an instant at which both clocks rest
// has one height.
func halves(v *View, c *Compared) [2]half {
	here, there := *v, *v
	for _, w := range []*View{&here, &there} {
		w.Cache, w.Branches, w.Edits, w.Followed = nil, nil, nil, nil
	}
	there.Trace, there.Pos = c.Trace, min(v.Pos, len(c.Trace.Steps))
	layout(&here)
	layout(&there)
	here.pads, there.pads = pads(&here, &there)
	if !besideSame(v, c) {
		for _, pads := range [][]int{here.pads, there.pads} {
			if c.Same < len(pads) {
				pads[c.Same] += tearRoom
			}
		}
	}
	here.Cache, there.Cache = nil, nil
	both := [2]half{
		{View: &here, d: layout(&here), Name: besideHere(v, c), Same: c.Same, Clicked: len(v.Trace.Steps)},
		{View: &there, d: layout(&there), Name: besideThere(v, c), Same: c.Same, Clicked: len(v.Trace.Steps), Right: true},
	}
	top, end := min(both[0].d.Top, both[1].d.Top), max(both[0].d.End, both[1].d.End)
	for i := range both {
		h := &both[i]
		h.d.Top = top
		h.Height = end - top + 4
		if !besideSame(v, c) && c.Same >= h.d.From {
			h.Tear = h.endOf(c.Same) + tearRoom/2 + 1
			h.Parts = partsWith(v, both[i].View, both[1-i].View, c)
		}
	}
	return both
}

// pads are the pixels above the steps of two timelines that make an instant to which both clocks move one height.
func pads(a, b *View) (ofA, ofB []int) {
	as, bs := a.Cache.steps, b.Cache.steps
	ofA, ofB = make([]int, len(as)), make([]int, len(bs))
	down := 0 // how much lower the first one is
	for i, j := 0, 0; i < len(as) && j < len(bs); {
		s, t := &a.Trace.Steps[i], &b.Trace.Steps[j]
		switch {
		case s.Choice.Kind != engine.Tick || s.At < t.At:
			i++
		case t.Choice.Kind != engine.Tick || t.At < s.At:
			j++
		default:
			if lower := as[i].y + down - bs[j].y; lower > 0 {
				ofB[j] = lower
				down -= lower
			} else {
				ofA[i] = -lower
				down -= lower
			}
			i++
			j++
		}
	}
	return ofA, ofB
}

// endOf is where the nth step ends; 0: where the timeline begins.
func (h half) endOf(n int) int {
	if n == 0 {
		return h.d.startHeight()
	}
	s := h.Cache.steps[n-1]
	return s.Top + s.Height
}

// partsWith is what a timeline does where it parts with another.
func partsWith(v, one, other *View, c *Compared) string {
	steps, others := one.Trace.Steps, other.Trace.Steps
	switch {
	case c.Same >= len(steps) && c.Stopped != nil:
		return besideCannot.in(v.Lang)
	case c.Same >= len(steps):
		return besideEnds.in(v.Lang)
	case c.Same < len(others) && steps[c.Same].Choice == others[c.Same].Choice:
		return Brief(v.Lang, &steps[c.Same])
	}
	s := &steps[c.Same]
	if s.Choice.Kind == engine.Tick {
		return offset(v.Lang, s.At-s.From)
	}
	return choiceText(v.Lang, one.Trace.At(c.Same), s.Choice)
}

// pictures draws the steps of a half: the shared ones are pale, and those that the shown timeline does not have
// lead nowhere.
func (h half) pictures() string {
	var p pen
	for _, e := range h.d.Events {
		class := with(with("step", e.Current, "current"), e.Future, "future")
		class = with(with(class, e.N <= h.Same, "shared"), e.N > h.Clicked, "elsewhere")
		p.write(`<g class="`, class, `">`, e.pictureHTML(h.View, h.d), `</g>`)
	}
	return p.String()
}

// tear is where the two part, with what each of them does.
func (h half) tear() string {
	if h.Tear == 0 {
		return ""
	}
	var p pen
	p.write(`<g transform="translate(0,`, px(h.Tear-4), `)"><rect class="tear" height="8" fill="url(#tear)"/></g>`)
	if h.Right {
		p.write(`<g class="tear-down" transform="translate(0,`, px(h.Tear), `)"><rect width="8" height="`, px(max(0, h.d.Top+h.Height-h.Tear)), `" fill="url(#tear-down)"/></g>`)
	}
	p.says(h.d, h.Tear+4, says{class: "parts", text: h.Parts})
	return p.String()
}
