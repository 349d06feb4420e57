package ui

import (
	"cmp"
	"slices"

	"lockstep/engine"
)

// bar is a key that ends by itself, for as long as it had one owner: a lease, on the lane
// of the node that keeps it. A lock that never ends by itself has one as well.
type bar struct {
	Key, Owner string // Owner is empty when the key names no actor
	Hue        string
	Forever    bool // it has no TTL
	Column     int  // of those that are there at the same time
	Top, End   int
}

// mostBars is how many leases stand side by side on a lane.
const mostBars = 4

// bars are the leases that a node keeps during the steps that are drawn.
func bars(v *View, d diagram, l lane) []bar {
	var done, open []bar
	take := func(s *engine.Snapshot, y int) {
		now := leasesOf(v, s, l.Node)
		open = slices.DeleteFunc(open, func(b bar) bool {
			if slices.ContainsFunc(now, b.same) {
				return false
			}
			b.End = y
			done = append(done, b)
			return true
		})
		for _, b := range now {
			if !slices.ContainsFunc(open, b.same) && len(open) < mostBars {
				b.Top, b.Column = y, freeColumn(open)
				open = append(open, b)
			}
		}
	}
	take(v.Trace.At(d.From), d.Top)
	for _, e := range d.Events {
		take(&e.After, e.y())
	}
	for _, b := range open {
		b.End = d.Bottom
		done = append(done, b)
	}
	slices.SortStableFunc(done, func(a, b bar) int { return cmp.Compare(a.Top, b.Top) })
	return done
}

// columns is how many bars stand side by side on a lane.
func (l lane) columns() int {
	n := 0
	for _, b := range l.Bars {
		n = max(n, b.Column+1)
	}
	return n
}

func (b bar) same(other bar) bool {
	return b.Key == other.Key && b.Owner == other.Owner && b.Forever == other.Forever
}

func freeColumn(open []bar) int {
	for c := range mostBars {
		if !slices.ContainsFunc(open, func(b bar) bool { return b.Column == c }) {
			return c
		}
	}
	return 0
}

// leasesOf are the keys of a node that end by themselves, and locks that do not, with their owners.
func leasesOf(v *View, s *engine.Snapshot, node string) []bar {
	n, _ := s.Node(node)
	var all []bar
	for _, k := range n.Keys {
		b := bar{Key: k.Name, Owner: ownerOf(v, k), Hue: "hue-0", Forever: k.Deadline == engine.NoDeadline}
		if b.Forever && (b.Owner == "" || !v.isLock(k.Name)) {
			continue
		}
		if b.Owner != "" {
			b.Hue = hue(v, b.Owner)
		}
		all = append(all, b)
	}
	return all
}

// isLock tells whether a key has the name of a section that somebody has been in.
func (v *View) isLock(key string) bool {
	for i := range v.Trace.Steps {
		if slices.ContainsFunc(v.Trace.Steps[i].After.Held, func(h engine.Holding) bool { return h.Section == key }) {
			return true
		}
	}
	return false
}

// ownerOf is the actor that a key names: by its text, or by its first item. A list is a
// queue, which nobody owns.
func ownerOf(v *View, k engine.Key) string {
	if k.Type == engine.StringKey {
		return namedBy(v, k.Text)
	}
	for _, it := range k.Items {
		if owner := namedBy(v, it.Name); owner != "" {
			return owner
		}
	}
	return ""
}

// unleasedSteps are those after which an actor works on although the lease that it had
// has ended, or belongs to somebody else.
func unleasedSteps(v *View, d diagram, l lane) map[int]bool {
	steps := map[int]bool{}
	if l.Server {
		return steps
	}
	works := func(n int) bool {
		a, _ := v.Trace.At(n).Actor(l.Name)
		return len(a.Inside) > 0
	}
	from := d.From
	for from > 0 && works(from) { // back to where the work began
		from--
	}
	had := false
	for n := from; n <= d.To; n++ {
		s := v.Trace.At(n)
		has := slices.ContainsFunc(s.Nodes, func(node engine.NodeView) bool {
			return slices.ContainsFunc(leasesOf(v, s, node.Node), func(b bar) bool { return b.Owner == l.Name })
		})
		inside := works(n)
		had = inside && (had || has)
		steps[n] = inside && had && !has
	}
	return steps
}

// band is a time during which actors are in a section who should not be there together.
type band struct {
	From, To float64 // the lanes farthest apart
	Top, End int
	Two      bool // they are two
}

// roomIn is where a band of two has room for words, over which nothing is drawn: while time passes.
func (d diagram) roomIn(b band) (y int, ok bool) {
	const leastGap, leastWidth = 24, 12.0
	for _, e := range d.Events {
		if b.Two && b.To-b.From > leastWidth && e.gap >= leastGap && e.Top >= b.Top && e.Top+e.gap <= b.End {
			return e.Top + e.gap/2 + 7, true
		}
	}
	return 0, false
}

// breaches are the bands of the steps that are drawn.
func breaches(v *View, d diagram) []band {
	var all []band
	var open *band
	take := func(s *engine.Snapshot, y int) {
		from, to, many := 100.0, 0.0, 0
		for _, h := range s.Held {
			if clash(v, h) {
				many += len(h.Actors)
				for _, a := range h.Actors {
					from, to = min(from, d.laneOf(a)), max(to, d.laneOf(a))
				}
			}
		}
		if open != nil && (open.From != from || open.To != to) {
			open.End = y
			all = append(all, *open)
			open = nil
		}
		if open == nil && from < to {
			open = &band{From: from, To: to, Top: y, Two: many == 2}
		}
	}
	take(v.Trace.At(d.From), d.Top)
	for _, e := range d.Events {
		take(&e.After, e.y())
	}
	if open != nil {
		open.End = d.Bottom
		all = append(all, *open)
	}
	return all
}
