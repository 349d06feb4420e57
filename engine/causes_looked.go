package engine

import (
	"cmp"
	"slices"
	"strings"

	"lockstep/engine/fact"
	"lockstep/engine/reply"
)

// looked is a lesson's own rule that a step broke, by the places at which it looked: keys, databases with their
// deadlocks, sections, and actors, which wait or have ended.
type looked struct {
	trace  *Trace
	breach *Step
	at     []Place
}

// tell notes the steps that wrote what the rule looks at, and what their clients had read before.
// It returns the first of them, and who made them. Of sections it tells who got in, and of two that wrote while they were
// inside together, how that came.
func (r *looked) tell(told map[int][]fact.Fact) (first int, who []string) {
	first = r.breach.N
	if c := r.inside(); len(c.who) > 0 {
		first, who = c.tell(told), c.touched()
	}
	note := func(s *Step, facts ...fact.Fact) {
		told[s.N] = facts
		first = min(first, s.N)
		who = append(who, Root(s.Choice.Target))
	}
	for i := range r.breach.N {
		s := &r.trace.Steps[i]
		wrote := s.wrote(r.at)
		if len(wrote) == 0 && s != r.breach {
			continue
		}
		for _, read := range r.before(s) {
			note(read, fact.Of("cause-read", read.Choice.Target))
		}
		note(s, wrote...)
		if sender, taker := r.heard(s); sender != nil {
			if told[sender.N] == nil {
				note(sender, fact.Of("cause-told", sender.Choice.Target, cmp.Or(taker, s).Choice.Target))
			}
			if taker != nil {
				note(taker, fact.Of("cause-took", taker.Choice.Target))
			}
		}
	}
	for _, at := range r.at {
		if s, channel := r.sleeps(at.Node); s != nil {
			note(s, fact.Of("cause-waits", at.Node, channel))
		}
		if s := r.ended(at.Node); s != nil && told[s.N] == nil {
			for _, read := range r.before(s) {
				note(read, fact.Of("cause-read", read.Choice.Target))
			}
			note(s, fact.Of("cause-ended", at.Node))
		}
	}
	if w, node := r.waited(); w.Actor != "" {
		r.circle(node, Deadlock{Waits: []Wait{w}}, note)
		who = append(who, w.By...)
	}
	first = min(first, r.together(who, told))
	for _, n := range r.breach.After.Nodes {
		if d, found := r.trace.DeadlockIn(r.breach, n); found && slices.Contains(r.at, Place{Node: n.Node}) {
			clear(told)
			r.circle(n.Node, d, note)
		}
	}
	return first, who
}

// together notes which leases of those who wrote ended, and what led to the first step after which two of them were inside
// of a section at once. It returns the first of these steps.
func (r *looked) together(who []string, told map[int][]fact.Fact) (first int) {
	first = r.breach.N
	note := func(n int, facts []fact.Fact) {
		if _, known := told[n]; !known {
			told[n] = facts
			first = min(first, n)
		}
	}
	owners := &parties{trace: r.trace, breach: r.breach, who: who}
	met := false
	for i := range r.breach.N - 1 {
		s := &r.trace.Steps[i]
		for _, e := range s.Expired {
			if owners.leads(e.Node) && owners.named(s, e) {
				note(s.N, []fact.Fact{fact.Of("cause-expired", e.Key, e.Node)})
			}
		}
		for _, h := range s.After.Held {
			both := slices.DeleteFunc(slices.Clone(h.Actors), func(name string) bool { return !slices.Contains(who, name) })
			if met || len(both) < 2 {
				continue
			}
			met = true
			led := map[int][]fact.Fact{}
			(&parties{trace: r.trace, breach: s, who: both, sections: []string{h.Section}}).tell(led)
			for n, facts := range led {
				note(n, facts)
			}
			note(s.N, last(s))
		}
	}
	return first
}

// inside are the actors inside of the sections at which the rule looked; who waits counts, too, where one of them waits for
// one of these sections.
func (r *looked) inside() *parties {
	c := &parties{trace: r.trace, breach: r.breach}
	for _, h := range r.breach.After.Held {
		if slices.Contains(r.at, Place{Key: h.Section}) {
			c.who, c.sections = append(c.who, h.Actors...), append(c.sections, h.Section)
		}
	}
	c.waits = slices.ContainsFunc(r.breach.After.Actors, func(a ActorState) bool {
		return slices.Contains(c.who, a.Name) && slices.ContainsFunc(a.Wants, c.at)
	})
	return c
}

// mostReads is how many requests before one that wrote are told.
const mostReads = 2

// before is what the client of a step had done on which it acted: its last requests about what the rule
// looks at, since it had changed any of that; for a breach that wrote any of it, its last request, or that with which a task of
// its own ended later, if there are none.
func (r *looked) before(s *Step) []*Step {
	var all []*Step
	var last *Step
	for i := s.N - 2; i >= 0 && s.Choice.Kind == Run && len(all) < mostReads; i-- {
		b := &r.trace.Steps[i]
		if last == nil && b.endsTaskOf(s.Choice.Target) {
			last = b
		}
		if b.Choice != s.Choice || b.Reply == nil && b.Message == "" {
			continue
		}
		if len(b.wrote(r.at)) > 0 {
			break
		}
		if b.Message != "" {
			break // what it read before that it reads again
		}
		if last == nil {
			last = b
		}
		if r.asks(b) && !s.repeats(b) {
			all = append(all, b)
		}
	}
	if len(all) == 0 && s == r.breach && last != nil && len(s.wrote(r.at)) > 0 && !s.commits() {
		all = append(all, last)
	}
	return all
}

// endsTaskOf tells whether a task of an actor ended in a step, for which the actor may have waited.
func (s *Step) endsTaskOf(actor string) bool {
	return slices.ContainsFunc(s.Notes, func(n Note) bool {
		return (n.Kind == NoteDone || n.Kind == NoteFailed) && n.Actor != actor && Root(n.Actor) == actor
	})
}

// commits tells whether a step only has others see what its actor wrote before.
func (s *Step) commits() bool {
	return slices.ContainsFunc(s.Changes, func(c Change) bool {
		return c.Old != nil && c.Old.Pending.By != "" && c.Old.Pending.By == s.Choice.Target
	})
}

// repeats tells whether a step sent what an earlier one had sent, so that the earlier one was no more than an attempt.
func (s *Step) repeats(earlier *Step) bool {
	now, isExec := s.Request.(Exec)
	was, wasExec := earlier.Request.(Exec)
	return isExec && wasExec && now.Op.Script == was.Op.Script && (now.Op.Script != nil || now.Op.Args[0] == was.Op.Args[0])
}

// asks tells whether a step read what the rule looks at, and wrote nothing: a command that names the key, or
// a statement that was answered with rows.
func (r *looked) asks(s *Step) bool {
	exec, ok := s.Request.(Exec)
	if !ok || len(s.Changes) > 0 {
		return false
	}
	return slices.ContainsFunc(r.at, func(at Place) bool {
		if at.Node != exec.Node {
			return false
		}
		table, _, isRow := strings.Cut(at.Key, "/")
		if named := slices.Contains(exec.Op.Keys, at.Key) || slices.Contains(exec.Op.Args, at.Key); named {
			return true
		}
		return isRow && s.Reply.Kind == reply.Array && slices.ContainsFunc(exec.Op.Args, func(arg string) bool { return strings.Contains(arg, table) })
	})
}

// heard is the step that sent the last message on which an actor acted, or that another one of its process took while it
// waited for one, too: then that is the taker. Without a message both are nil.
func (r *looked) heard(s *Step) (sender, taker *Step) {
	var got Receive
	for i := s.N - 2; i >= 0 && s.Choice.Kind == Run; i-- {
		b := &r.trace.Steps[i]
		own := b.Choice == s.Choice
		if got.Channel != "" {
			if b.Choice.Kind == Run && slices.ContainsFunc(b.Delivered, func(d Delivery) bool {
				return d.Process == s.Process && d.Node == got.Node && d.Channel == got.Channel
			}) {
				return b, taker
			}
			continue
		}
		if own && len(b.wrote(r.at)) > 0 {
			break
		}
		received, _ := b.Request.(Receive)
		waits, _ := b.After.Actor(s.Choice.Target)
		also, _ := waits.Next.(Receive)
		switch {
		case b.Message == "" || b.Process != s.Process:
		case own:
			got = received
		case also.Node == received.Node && also.Channel == received.Channel:
			got, taker = received, b
		}
	}
	return nil, nil
}

// sleeps is the step since which an actor has waited for a message, without an end before the breach; nil: it does not.
func (r *looked) sleeps(actor string) (since *Step, channel string) {
	for i := r.breach.N - 1; i >= 0; i-- {
		s := &r.trace.Steps[i]
		a, _ := s.After.Actor(actor)
		got, waits := a.Next.(Receive)
		if !waits || a.Status != Waiting {
			break
		}
		since, channel = s, got.Channel
	}
	if since == r.breach {
		return nil, ""
	}
	return since, channel
}

// ended is the step before the breach in which an actor's program came to its end; nil: none.
func (r *looked) ended(actor string) *Step {
	for i := range r.breach.N - 1 {
		s := &r.trace.Steps[i]
		if slices.ContainsFunc(s.Notes, func(n Note) bool { return n.Actor == actor && (n.Kind == NoteDone || n.Kind == NoteFailed) }) {
			return s
		}
	}
	return nil
}

// waited is the last wait in a node of whoever made a breach by taking the answer to it.
func (r *looked) waited() (w Wait, node string) {
	for i := r.breach.N - 2; i >= 0 && r.breach.Taken; i-- {
		for _, n := range r.trace.Steps[i].After.Nodes {
			for _, w := range n.Waits {
				if w.Actor == r.breach.Choice.Target {
					return w, n.Node
				}
			}
		}
	}
	return Wait{}, ""
}

// circle notes the steps of a deadlock: who got which lock, and who asked for one that another had.
func (r *looked) circle(node string, d Deadlock, note func(*Step, ...fact.Fact)) {
	for _, w := range d.Waits {
		for _, key := range w.Keys {
			for _, holder := range w.By {
				if s, gap := r.locked(node, key, holder); s != nil {
					if gap {
						note(s, fact.Of("cause-locked-gap", holder, key))
					} else {
						note(s, fact.Of("cause-locked", holder, key))
					}
				}
			}
		}
		for i := r.breach.N - 1; i >= 0; i-- {
			s := &r.trace.Steps[i]
			if s.Choice.Target == w.Actor && s.Request != nil && !s.Taken {
				note(s, fact.Of("cause-waits", w.Actor, fact.Names(w.By)))
				break
			}
		}
	}
}

// locked is the step in which an actor got the lock that it had right before the breach, of a key or of
// the gap before it.
func (r *looked) locked(node, key, actor string) (got *Step, gap bool) {
	for i := r.breach.N - 2; i >= 0; i-- {
		s := &r.trace.Steps[i]
		n, _ := s.After.Node(node)
		at := slices.IndexFunc(n.Holds, func(h Hold) bool { return h.Key == key && h.Actor == actor && !h.Waits })
		if at < 0 {
			break
		}
		got, gap = s, n.Holds[at].Mode == HoldsGap
	}
	return got, gap
}
