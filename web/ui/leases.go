package ui

import (
	"cmp"
	"slices"

	"lockstep/engine"
)

// bar is a key that ends by itself, for as long as it had one owner: a lease, on the lane
// of the node that keeps it. A lock that never ends by itself has one as well, and so has a row that a transaction locked.
type bar struct {
	Key, Owner string // Owner is an actor, or a process whose actors share a session; empty when the key names no actor
	Hue        string
	Forever    bool // it has no TTL
	Row        bool // its node locked it for its owner
	Waits      bool // for what its node gave another, or to be told of it
	Column     int  // of those that are there at the same time
	Slot       int  // of those that wait beside one column
	Top, End   int
	Deadline   engine.Instant // of one that is still there; or NoDeadline

	from, to int // the steps that made it and ended it; to is 0 while it is there
	ended    engine.Instant
}

// mostBars is how many leases stand side by side on the lane of the only server, and mostOfMany on each lane of several.
const (
	mostBars   = 6
	mostOfMany = 3
)

// leaseLane is all leases of a node, up to the last step that was looked at. It only grows with a timeline: the cache of one
// that is cut has none.
type leaseLane struct {
	open, done []bar
	most       []int // columns up to each step
}

// leases brings what is known of a node's leases up to the last step.
func (v *View) leases(node string) *leaseLane {
	known := v.cache().leases
	l := known[node]
	if l == nil {
		l = &leaseLane{}
		known[node] = l
	}
	for n := len(l.most); n <= len(v.Trace.Steps); n++ {
		l.take(v, n, node)
	}
	return l
}

func (l *leaseLane) take(v *View, n int, node string) {
	s := v.Trace.At(n)
	now := slices.Concat(leasesOf(v, s, node), waitersOf(v, s, node))
	l.open = slices.DeleteFunc(l.open, func(b bar) bool {
		if slices.ContainsFunc(now, b.same) {
			return false
		}
		b.to, b.ended = n, s.Now
		for _, e := range v.Trace.Steps[n-1].Expired {
			if e.Node == node && e.Key == b.Key {
				b.ended = e.At
			}
		}
		l.done = append(l.done, b)
		return true
	})
	most := mostBars
	if len(v.Trace.Start.Nodes) > 1 {
		most = mostOfMany
	}
	for _, b := range now {
		if i := slices.IndexFunc(l.open, b.same); i >= 0 {
			l.open[i].Deadline = b.Deadline
		} else if b.place(l.open, most) {
			b.from = n
			l.open = append(l.open, b)
		}
	}
	columns := 0
	if n > 0 {
		columns = l.most[n-1]
	}
	for _, b := range l.open {
		columns = max(columns, b.Column+1)
	}
	l.most = append(l.most, columns)
}

// bars are the leases that a node keeps during the steps that are drawn, and in how many columns.
func bars(v *View, d diagram, l lane) ([]bar, int) {
	known := v.leases(l.Node)
	var all []bar
	for _, b := range slices.Concat(known.done, known.open) {
		if b.to > 0 && b.to <= d.From || b.from > d.To {
			continue
		}
		b.Top, b.End = d.Top, d.Bottom
		if b.from > d.From {
			b.Top = d.heightOf(b.from, v.Trace.At(b.from).Now)
		}
		if b.to > 0 && b.to <= d.To {
			b.End = d.heightOf(b.to, b.ended)
		}
		all = append(all, b)
	}
	slices.SortStableFunc(all, func(a, b bar) int { return cmp.Compare(a.Top, b.Top) })
	return all, max(1, known.most[d.To])
}

// heightOf is where an instant of a step is that is drawn.
func (d diagram) heightOf(n int, at engine.Instant) int {
	e := d.Events[n-d.From-1]
	if e.Choice.Kind.Of() != engine.TheClock || e.folded || e.At == e.From {
		return e.y
	}
	return e.Top + int(float64(e.y-e.Top)*float64(at-e.From)/float64(e.At-e.From))
}

func (b bar) same(other bar) bool {
	return b.Key == other.Key && b.Owner == other.Owner && b.Forever == other.Forever && b.Row == other.Row && b.Waits == other.Waits
}

// leasesOf are the keys of a node that end by themselves, and locks that do not, with their owners.
func leasesOf(v *View, s *engine.Snapshot, node string) []bar {
	n, _ := s.Node(node)
	var all []bar
	for _, k := range n.Keys {
		b := bar{Key: k.Name, Owner: ownerOf(v, k), Hue: "hue-0", Forever: k.Deadline == engine.NoDeadline}
		if process, _ := k.Get("owner"); k.Type == engine.ZnodeKey && process != "" { // it ends with its session
			b.Owner = clientOf(v.Lesson, process)
			b.Row = true
		} else if b.Forever && (b.Owner == "" || !v.isLock(k.Name)) {
			continue
		}
		b.Deadline = k.Deadline
		if b.Owner != "" {
			b.Hue = hueOfProcess(v, b.Owner)
		}
		all = append(all, b)
	}
	for _, h := range n.Holds {
		b := bar{Key: h.Key, Owner: h.Actor, Hue: hue(v, h.Actor), Row: true, Deadline: engine.NoDeadline}
		if !h.Waits && !slices.ContainsFunc(all, b.same) {
			all = append(all, b)
		}
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

// unleasedSteps are the steps after which an actor is inside a section without a lease: its own has ended or belongs to
// somebody else, so that no key names the actor.
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
		has, leased := false, false
		for _, node := range s.Nodes {
			for _, k := range node.Keys {
				its := names(v, k, l.Name)
				has = has || its
				leased = leased || its && (k.Deadline != engine.NoDeadline || v.isLock(k.Name))
			}
		}
		inside := works(n)
		had = inside && (had || leased)
		steps[n] = inside && had && !has
	}
	return steps
}

// band is a time during which actors are in a section who should not be there together, or the place at which a rule of the
// lesson's own looked when it broke.
type band struct {
	From, To float64 // the lanes farthest apart, or a server's lane with its values
	Top, End int
	Two      bool // they are two
}

// leastBand is how high a band is at least: as much as its words need.
const leastBand = 34

// breaches are the bands of the steps that are drawn.
func breaches(v *View, d diagram) []band {
	var all []band
	var open *band
	end := func(y int) {
		if open != nil {
			open.End = max(y, open.Top+leastBand)
			all = append(all, *open)
			open = nil
		}
	}
	take := func(who []string, y int) {
		from, to := 100.0, 0.0
		for _, a := range who {
			from, to = min(from, d.laneOf(a)), max(to, d.laneOf(a))
		}
		if open != nil && (open.From != from || open.To != to) {
			end(y)
		}
		if open == nil && from < to {
			open = &band{From: from, To: to, Top: y, Two: len(who) == 2}
		}
	}
	take(clashing(v, v.Trace.At(d.From)), d.Top)
	for _, e := range d.Events {
		for _, l := range e.leave {
			take(l.clash, l.y)
		}
		take(clashing(v, &e.After), e.y)
	}
	end(d.Bottom)
	for _, e := range d.Events {
		all = append(all, d.looked(e)...)
	}
	return all
}

// looked are bands over the servers at which a rule of the lesson's own looked when a step broke it, with the values that the
// step wrote there.
func (d diagram) looked(e event) (all []band) {
	const half = 1.5 // of a lane with its bars
	for i, l := range d.Lanes {
		b := band{From: l.X - half, Top: max(e.Top, e.y-12), End: e.y + 11}
		for _, broken := range e.Broken {
			for _, at := range broken.Looked {
				if !l.Server || at.Node != l.Node {
					continue
				}
				to := l.X + half
				if _, wrote := engine.ChangeOf(e.Changes, at.Node, at.Key); wrote {
					to = 100
					if i+1 < len(d.Lanes) {
						to = d.Lanes[i+1].X - 2*half
					}
				}
				b.To = max(b.To, to)
			}
		}
		if b.To > 0 {
			all = append(all, b)
		}
	}
	return all
}
