package attach

import (
	"cmp"
	"slices"

	"lockstep/engine"
	"lockstep/recording"
)

// weight is how much a step matters to whoever looks back. The lightest leave first, of one weight the oldest.
type weight uint8

const (
	reads   weight = iota // it changes nothing
	polls                 // it was refused a lock, once more
	writes                // it changes what is no lock, or sends messages
	renews                // it is about a lock that nobody takes or leaves by it
	crosses               // somebody takes a lock, or leaves it
	warns                 // a rule is broken, a client gave up; or with it began what a warning is about, what lasts
)

func (r *Recorder) weightOf(s *step) weight {
	w := reads
	switch {
	case s.ofLock:
		w = renews
	case len(s.Changes)+len(s.Delivered)+len(s.Expired) > 0 || s.NoReply != "" || s.Taken:
		w = writes
	}
	for _, n := range s.Notes {
		switch n.Kind {
		case engine.NoteEnter:
			w = max(w, crosses)
			if k := r.locks.all[n.Text]; k.isOf(func(h holder) bool { return h.actor == n.Actor }) {
				return warns
			}
		case engine.NoteLeave:
			w = max(w, crosses)
		case engine.NoteWant:
			w = max(w, renews)
			if r.locks.waitOf(n.Text, n.Actor) != nil {
				return warns
			}
		default:
			w = max(w, polls)
		}
	}
	if len(s.Broken) > 0 || s.cause || s.NoReply == engine.RequestLost {
		return warns
	}
	return w
}

// thin has a quarter of the steps leave. The next one that stays has what they came to.
func (r *Recorder) thin() {
	old := len(r.steps) - mostRecent
	order, weights := make([]int, old), make([]weight, old)
	for i := range old {
		order[i], weights[i] = i, r.weightOf(&r.steps[i])
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weights[a], weights[b]) })
	leaves := make([]bool, len(r.steps))
	for _, i := range order[:mostSteps/4] {
		leaves[i] = true
	}
	first := slices.Index(leaves, false)
	if first > 0 {
		r.start = step{Step: engine.Step{After: r.after(first)}, claims: r.steps[first-1].claims}
	}
	kept, drawn := make([]step, 0, mostSteps), 0
	var left gap
	for i := first; i < len(r.steps); i++ {
		s := r.steps[i]
		if leaves[i] {
			left.add(&s)
			continue
		}
		if i < r.drawn {
			drawn++
		}
		left.into(&s)
		left = gap{}
		s.N = len(kept) + 1
		kept = append(kept, s)
	}
	r.steps, r.drawn = kept, drawn
}

// after is the world after so many of the steps that are kept.
func (r *Recorder) after(steps int) engine.Snapshot {
	if steps == 0 {
		return r.start.After
	}
	is := r.steps[steps-1].After
	is.Nodes = []engine.NodeView{{Node: Node, Keys: r.keysAfter(steps), Subscriptions: is.Nodes[0].Subscriptions}}
	return is
}

// gap is what the steps came to that have left between two that stay.
type gap struct {
	changes []engine.Change    // the last of each key; without Old and New: it is shown no longer
	crossed []*recording.Event // that have not been undone
}

func (g *gap) add(s *step) {
	for _, c := range slices.Concat(s.before, s.Changes) {
		g.change(c)
	}
	for _, key := range s.hidden {
		g.change(engine.Change{Node: Node, Key: key})
	}
	for _, e := range s.events {
		if e.Kind == recording.Enter || e.Kind == recording.Leave {
			g.cross(e)
		}
	}
}

func (g *gap) change(c engine.Change) {
	if i := slices.IndexFunc(g.changes, func(o engine.Change) bool { return o.Key == c.Key }); i >= 0 {
		g.changes[i] = c
		return
	}
	g.changes = append(g.changes, c)
}

// cross keeps who has come to be in a lock, or outside. Whoever came and left has done nothing.
func (g *gap) cross(e *recording.Event) {
	came := slices.IndexFunc(g.crossed, func(o *recording.Event) bool {
		return o.Actor == e.Actor && o.Section == e.Section && o.Shared == e.Shared && o.Kind == recording.Enter
	})
	if e.Kind == recording.Leave && came >= 0 {
		g.crossed = slices.Delete(g.crossed, came, came+1)
		return
	}
	g.crossed = append(g.crossed, e)
}

func (g *gap) into(s *step) {
	if len(g.changes) > 0 {
		all := *g
		all.changes = slices.Clone(g.changes)
		for _, c := range s.before {
			all.change(c)
		}
		s.before = all.changes
	}
	s.events = append(g.crossed, s.events...)
}
