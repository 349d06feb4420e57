package lessons

import (
	"slices"

	"lockstep/engine"
)

// Unproven has an expectation that holds, by the index of the beat, for each beat whose own does not,
// or that makes a move and expects nothing. The trace is the story's, as far as it could be played: up to a beat in which a
// program breaks off by a mistake, after which nothing is as the author wants it.
func (l *Lesson) Unproven(t *engine.Trace) map[int]*Expect {
	out := map[int]*Expect{}
	from := 0
	for i := range l.Story {
		b := &l.Story[i]
		to := from + len(b.Choices)
		if to > len(t.Steps) {
			break
		}
		before, steps := t.At(from), t.Steps[from:to]
		if slices.ContainsFunc(outcomeOf(before, steps).notes(engine.NoteFailed, ""), func(n engine.Note) bool {
			return mistaken(n.Failure) && !b.Expect.fails(n.Actor)
		}) {
			break
		}
		if len(b.Choices) > 0 && b.Expect.silent() || len(b.Expect.Unmet(before, steps)) > 0 {
			out[i] = b.Observed(before, steps)
		}
		from = to
	}
	return out
}

// Observed is the outcome of a beat as an expectation, which holds. It names what the author's
// expectation names, and what must not be left out; if that is nothing, everything that the beat did.
func (b *Beat) Observed(before *engine.Snapshot, steps []engine.Step) *Expect {
	o := observer{outcome: outcomeOf(before, steps)}
	if !b.Expect.silent() {
		for _, part := range b.Expect.Parts {
			o.see(part)
		}
		o.always()
	}
	if o.out.silent() {
		o.all(before)
		o.always()
	}
	return &o.out
}

// observer collects what can be expected of an outcome: one part for each key, name and node, of
// which the first to come stays.
type observer struct {
	outcome
	out Expect
}

func (o *observer) add(seen ...Expected) {
	for _, e := range seen {
		known := func(k Expected) bool { return k.Key == e.Key && k.Name == e.Name && k.Node == e.Node }
		if !slices.ContainsFunc(o.out.Parts, known) {
			o.out.Parts = append(o.out.Parts, e)
		}
	}
}

// see observes what an expectation is about, in its own row or in one that stands in for it.
func (o *observer) see(e Expected) {
	row := ExpectationOf(e.Key)
	switch {
	case row.always: // it is observed of every beat
	case row.see != nil:
		o.add(row.see(o.outcome, e)...)
	default:
		found := func(key string) bool { return o.find(key, e.Name) }
		_ = found(e.Key) || slices.ContainsFunc(row.instead, found)
	}
}

// find observes what a row finds of a name, and tells whether that is anything. An empty list is, since
// that nobody is in it can be expected.
func (o *observer) find(key, name string) bool {
	row := ExpectationOf(key)
	seen := Expected{Key: key, Name: name}
	found, _ := row.look(o.outcome, seen)
	switch {
	case row.Form == List, row.Form == ListFor:
		seen.Texts = found
	case len(found) == 0:
		return false
	case row.Form != Names:
		seen.Texts = found[:1]
	}
	o.add(seen)
	return true
}

// always observes what cannot be left out of an expectation that holds: broken invariants and failed programs.
func (o *observer) always() {
	o.some("broken")
	for _, n := range o.notes(engine.NoteFailed, "") {
		if !o.out.fails(n.Actor) {
			o.find("status", n.Actor)
		}
	}
}

// some observes a list about the beat unless it is empty.
func (o *observer) some(key string) {
	if found, _ := ExpectationOf(key).look(o.outcome, Expected{}); len(found) > 0 {
		o.find(key, "")
	}
}

// all observes what the beat changed, and the status of those whom its moves were about.
func (o *observer) all(before *engine.Snapshot) {
	o.see(Expected{Key: "reply"})
	for _, s := range o.steps {
		for _, a := range s.Answered {
			o.find("answers", a.Actor)
		}
		for _, r := range s.Replicas {
			o.see(Expected{Key: "behind", Name: r.Node})
		}
		for _, c := range s.Changes {
			i := slices.IndexFunc(o.after.Nodes, func(n engine.NodeView) bool { return n.Node == c.Node })
			o.add(o.seeKey(o.whole(i, c.Key))...)
		}
		for _, n := range s.Notes {
			if n.Kind == engine.NoteEnter || n.Kind == engine.NoteLeave {
				o.find("holds", n.Text)
			}
		}
	}
	o.some("messages")
	for _, s := range o.steps {
		switch {
		case s.Choice.Kind == engine.Tick:
			o.time()
		case s.Choice.Kind != engine.Run:
			o.fault(s.Choice)
		case s.Reply == nil:
			o.find("status", s.Choice.Target)
		}
	}
	for _, a := range o.after.Actors { // whom another's message woke
		if was, ok := before.Actor(a.Name); ok && was.Status == engine.Waiting && a.Status == engine.Ready {
			o.find("status", a.Name)
		}
	}
}

// fault observes how those stand that a fault hits: actors and nodes by their status, replicas by
// how far behind they are, and after a jump of a clock also what is left of leases.
func (o *observer) fault(c engine.Choice) {
	for _, a := range o.after.Actors {
		if a.Process == c.Target || a.Process == c.Other {
			o.find("status", a.Name)
		}
	}
	switch row := c.Kind.Row(); row.Of { //nolint:exhaustive // a drop hits no node
	case engine.AMachine, engine.ANode:
		if _, isNode := o.after.Node(c.Target); isNode && row.Needs != engine.NeedReplicas {
			o.find("status", c.Target)
		}
	case engine.AClock:
		o.time()
	case engine.ALink:
		for _, name := range []string{c.Target, c.Other} {
			if v, ok := o.after.Node(name); ok && v.Leader != "" {
				o.find("behind", name)
			}
		}
	}
}

// time observes what a move of the clock did: what is left of leases, and whom it woke. That it woke
// nobody is observed only if there is nothing else.
func (o *observer) time() {
	for i, n := range o.after.Nodes {
		for _, k := range n.Keys {
			if k.Deadline != engine.NoDeadline {
				o.add(o.seeKey(Expected{Node: o.node(i), Name: k.Name, TTL: new(engine.Instant)})...)
			}
		}
	}
	o.some("woke")
	if o.out.silent() {
		o.find("woke", "")
	}
}
