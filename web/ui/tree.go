package ui

import (
	"cmp"
	"math"
	"slices"

	"lockstep/engine"
	"lockstep/engine/search"
)

// The measures of the picture of a search: across in percent of its width, down in pixels.
const (
	treeHigh  = 300.0 // of the branches, at most
	treeLow   = 150.0 // of the branches, at least
	treeFoot  = 12    // below what is told beside a way
	treeLeft  = 2.0
	treeRight = 94.0
	treePitch = 15.0 // of the first two choices, which have their names, where many follow
	treeLeast = 13.0 // of a branch and the gap below it, however few situations are behind it
	treeGap   = 4.0
	forkLeast = 17.0 // of a first choice, so that names do not touch
	mostWide  = 24.0 // pixels of one situation
	mostTwigs = 18   // branches of the second level; what is smaller is drawn together
	mostNamed = 7    // choices of a way that have their names beside it
	nameWidth = 14   // letters of a name
	spareDown = 36   // pixels from a way to what it would be without its culprit
)

// growth is the layout of a picture of what a search has tried: the start on the left, a fork for each first choice, a twig
// for each second one, and to the right of it the situations behind, the wider the more they are. Invariant: each size that
// means something comes from a count of the search.
type growth struct {
	Forks []fork
	Way   []waypoint // to where a rule breaks
	Spare *spare
	Ends  bool    // nothing is left to try
	Grows bool    // the search goes on
	High  float64 // of the branches
	depth int     // choices to the right edge
	wide  float64 // pixels for a situation, of which n are as wide as the root of n
}

// fork is a first choice.
type fork struct {
	X, Y   float64
	Line   string // from the start
	Name   string
	Hue    string
	Behind int // situations
	Twigs  []twig
	found  bool
	onWay  bool // the way has its name
}

func (f *fork) twigLines() string {
	return joined(f.Twigs, "", func(w twig) string { return w.Line })
}

// twig is a second choice with all situations behind it. Second choices with few of them share a twig without a name. A first
// choice with nothing behind it has one twig, at the place of the fork.
type twig struct {
	X, Y, End float64
	Line      string // from its fork; empty: it is at the fork
	Shape     string // the outline of the situations behind it; empty: there are none
	Name      string // empty: there is no room for one
	found     bool   // the breach lies behind it
	levels    []int  // situations, by the number of choices after the second
}

// waypoint is a situation on the way to a breach.
type waypoint struct {
	Step    int
	X, Y    float64
	Line    string // from the one before
	Name    string // of the choice that leads here
	Hue     string
	Culprit bool
}

// spare is the stub of the way as it would be without the culprit.
type spare struct {
	X, Y float64
	Line string
	Left bool // its text is on the left
}

// treeOf lays out what a search has tried; nil: there is nothing to draw yet.
func treeOf(v *View, s *Search) *growth {
	branches, depth := s.Branches, s.Progress.Depth
	var way []engine.Choice
	if s.Verdict != nil {
		branches, depth, way = s.Verdict.Branches, s.Verdict.Depth, s.Verdict.Schedule
	}
	if len(branches) == 0 {
		return nil
	}
	t := &growth{depth: max(depth, search.Moves(way), 3), Ends: s.Verdict != nil && s.Verdict.Ending == search.Holds, Grows: s.Verdict == nil}
	for i := range branches {
		t.depth = max(t.depth, len(branches[i].Levels))
	}
	t.grow(v, branches)
	t.place(len(way) > 0 && len(way) <= mostNamed)
	t.walk(v, s, way)
	t.clear()
	return t
}

// x is the place of situations to which so many choices lead, in percent of the width.
func (t *growth) x(choices float64) float64 {
	pitch := treePitch
	if t.depth <= 5 {
		pitch = (treeRight - treeLeft) / float64(t.depth)
	}
	if choices <= 2 {
		return treeLeft + pitch*choices
	}
	from := treeLeft + 2*pitch
	return from + (treeRight-from)*(choices-2)/float64(t.depth-2)
}

// grow makes a fork of each first choice, and a twig of each second one with enough behind it.
func (t *growth) grow(v *View, branches []search.Branch) {
	least := leastDrawn(branches)
	for i := range branches {
		first := &branches[i]
		f := fork{Name: triedText(v, first), Hue: triedHue(v, first.Choice), Behind: first.States(), found: first.Found}
		var others []int
		for j := range first.Branches {
			if second := &first.Branches[j]; second.States() >= least || second.Found {
				f.Twigs = append(f.Twigs, twig{Name: triedText(v, second), found: second.Found, levels: second.Levels})
			} else {
				others = summed(others, second.Levels)
			}
		}
		if len(others) > 0 || len(f.Twigs) == 0 {
			f.Twigs = append(f.Twigs, twig{levels: others})
		}
		t.Forks = append(t.Forks, f)
	}
}

// leastDrawn is how many situations a second choice must have behind it to be drawn by itself.
func leastDrawn(branches []search.Branch) int {
	var all []int
	for i := range branches {
		for j := range branches[i].Branches {
			all = append(all, branches[i].Branches[j].States())
		}
	}
	if len(all) <= mostTwigs {
		return 0
	}
	slices.SortFunc(all, func(a, b int) int { return cmp.Compare(b, a) })
	return all[max(1, mostTwigs-len(branches))] + 1
}

func summed(a, b []int) []int {
	sum := make([]int, max(len(a), len(b)))
	for _, levels := range [][]int{a, b} {
		for i, n := range levels {
			sum[i] += n
		}
	}
	return sum
}

// limb leads from the start: up or down first, so that it is left of what the forks before it are called.
func (t *growth) limb(x, y float64) string {
	corner := point(treeLeft, y)
	return "M" + point(treeLeft, t.High/2) + "C" + corner + " " + corner + " " + point(x, y)
}

// place gives each branch its room from top to bottom, as high as its widest place. named: the way names its choices, so the
// branches that it follows need no names.
func (t *growth) place(named bool) {
	n, small, sum := 0, 0, 0.0
	for _, f := range t.Forks {
		n += len(f.Twigs)
		if len(f.Twigs) == 1 {
			small++
		}
		for _, w := range f.Twigs {
			sum += w.root()
		}
	}
	room := max(0, treeHigh-treeLeast*float64(n)-(forkLeast-treeLeast)*float64(small))
	t.wide = min(mostWide, room/max(1, sum))
	t.High = treeHigh
	if !t.Grows { // what goes on has one height
		t.High = max(treeLow, treeHigh-room+t.wide*sum)
	}
	y := (t.High - treeHigh + room - t.wide*sum) / 2
	for i := range t.Forks {
		f := &t.Forks[i]
		top := y
		for j := range f.Twigs {
			w := &f.Twigs[j]
			high := treeLeast + t.wide*w.root()
			w.Y, y = y+high/2, y+high
			if high < 1.6*treeLeast || w.found && named {
				w.Name = "" // the way has it
			}
		}
		y = max(y, top+forkLeast)
		f.X, f.Y = t.x(1), (top+y)/2
		f.onWay = f.found && named
		f.Line = t.limb(f.X, f.Y)
		for j := range f.Twigs {
			t.shape(f, &f.Twigs[j])
		}
	}
}

// root is the square root of the situations at a twig's widest place. Widths go by it, or a twig of a few situations would
// not be seen beside one of thousands.
func (w *twig) root() float64 {
	if len(w.levels) == 0 {
		return 0
	}
	return math.Sqrt(float64(slices.Max(w.levels)))
}

func (t *growth) shape(f *fork, w *twig) {
	if len(w.levels) == 0 {
		w.X, w.Y, w.End = f.X, f.Y, f.X
		return
	}
	w.X = t.x(2)
	w.Line = bend(f.X, f.Y, w.X, w.Y)
	far := len(w.levels) - 1
	w.End = t.x(float64(2 + far))
	if far == 0 {
		return
	}
	upper, lower := "M"+point(w.X, w.Y), ""
	x, half := w.X, 0.0
	for i := 1; i <= far; i++ {
		nextX, next := t.x(float64(2+i)), max(1, (t.wide*math.Sqrt(float64(w.levels[i]))+treeLeast-treeGap)/2)
		if i == far && t.Ends {
			next = 0
		}
		if t.Grows { // a frame of many is short
			upper += "L" + point(nextX, w.Y-next)
			lower = "L" + point(x, w.Y+half) + lower
		} else {
			upper += curve(x, w.Y-half, nextX, w.Y-next)
			lower = curve(nextX, w.Y+next, x, w.Y+half) + lower
		}
		x, half = nextX, next
	}
	w.Shape = upper + "L" + point(x, w.Y+half) + lower + "Z"
}

// height is of the whole picture, in pixels.
func (t *growth) height() string {
	if len(t.Way) == 0 {
		return px(int(t.High))
	}
	_, y := t.breachY()
	return px(int(max(t.High, y+spareDown+treeFoot)))
}

// nameAt is the height of a twig's name, above its line.
func (w *twig) nameAt() float64 {
	switch {
	case w.found:
		return w.Y - aboveStop
	case w.Shape == "":
		return w.Y - 8
	}
	return w.Y - 5
}

// aboveStop is how far above a situation of a way its name is.
const aboveStop = 13

// nameAt is where a fork's name is, and the class of that place: beside a fork at which nothing follows, above the line of
// what alone follows, else left of all that does, or at the edge, where that is too little room.
func (f *fork) nameAt() (x, y float64, place string) {
	const pixels, letter = 4.0, 7.5 // of a percent where a tree is narrow, and of a letter
	switch {
	case len(f.Twigs) == 1 && f.Twigs[0].Line == "":
		return f.X, f.Y + 4, "right"
	case len(f.Twigs) == 1:
		return f.X, f.Y - 6, "right"
	case letter*float64(width(cut(f.Name, nameWidth))+1+len(grouped(f.Behind))) > pixels*f.X:
		return 0, f.Y - 6, "edge"
	case f.found:
		return f.X, f.Y - 6, "left"
	}
	return f.X, f.Y - 6, ""
}

// clear takes away names of twigs that would lie on the way, or on what stands beside it.
func (t *growth) clear() {
	if len(t.Way) == 0 {
		return
	}
	_, y := t.breachY()
	for i := range t.Forks {
		for j := range t.Forks[i].Twigs {
			w := &t.Forks[i].Twigs[j]
			on := func(top, bottom float64) bool { return w.nameAt()-10 < bottom && w.nameAt()+2 > top }
			named := len(t.Way) <= mostNamed && slices.ContainsFunc(t.Way, func(p waypoint) bool { return math.Abs(p.X-w.X) < 5 })
			if !w.found && (on(y-2, y+2) || named && on(y-aboveStop-13, y+6)) || t.Spare != nil && on(t.Spare.Y-7, t.Spare.Y+7) {
				w.Name = ""
			}
		}
	}
}

// walk draws the way to where a rule breaks.
func (t *growth) walk(v *View, s *Search, way []engine.Choice) {
	firstY, y := t.breachY()
	from := waypoint{X: treeLeft, Y: t.High / 2}
	scale := float64(t.depth) / float64(max(1, search.Moves(way)))
	for i, c := range way {
		choices := scale * movesTo(way, i)
		p := waypoint{Step: i + 1, X: t.x(choices), Y: y, Name: playedText(v, s, i, c), Hue: triedHue(v, c), Culprit: s.Played && s.Culprit == i+1}
		if choices <= 1 {
			p.Y = firstY
		}
		p.Line = bend(from.X, from.Y, p.X, p.Y)
		if i == 0 {
			p.Line = t.limb(p.X, p.Y)
		}
		t.Way = append(t.Way, p)
		if p.Culprit {
			x := (from.X + 2*p.X) / 3
			t.Spare = &spare{X: x, Y: p.Y + spareDown, Line: bend(from.X, from.Y, x, p.Y+spareDown), Left: x > 55}
		}
		from = p
	}
}

// breachY is the vertical place of the branch with the breach, after one choice and after two; the middle if there is none.
func (t *growth) breachY() (first, second float64) {
	for _, f := range t.Forks {
		if !f.found {
			continue
		}
		for _, w := range f.Twigs {
			if w.found {
				return f.Y, w.Y
			}
		}
		return f.Y, f.Y
	}
	return t.High / 2, t.High / 2
}

// movesTo is the number of moves up to choice n, which is included. Moves of the clock in a row are one move, of which each is
// a part.
func movesTo(way []engine.Choice, n int) float64 {
	first, last := n, n
	for first > 0 && way[n].Kind == engine.Tick && way[first-1].Kind == engine.Tick {
		first--
	}
	for last+1 < len(way) && way[n].Kind == engine.Tick && way[last+1].Kind == engine.Tick {
		last++
	}
	return float64(search.Moves(way[:first])) + float64(n-first+1)/float64(last-first+1)
}

func point(x, y float64) string { return coordinate(x) + " " + coordinate(y) }

// curve goes on to a point, level at both ends.
func curve(fromX, fromY, x, y float64) string {
	half := (fromX + x) / 2
	return "C" + point(half, fromY) + " " + point(half, y) + " " + point(x, y)
}

func bend(fromX, fromY, x, y float64) string {
	return "M" + point(fromX, fromY) + curve(fromX, fromY, x, y)
}
