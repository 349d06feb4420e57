package engine

import (
	"slices"
	"strings"

	"lockstep/engine/fact"
	"lockstep/engine/reply"
)

// looked is a lesson's own rule that a step broke, by the places at which it looked: keys, databases with their
// deadlocks, and sections.
type looked struct {
	trace  *Trace
	breach *Step
	at     []Place
}

// tell notes the steps that wrote what the rule looks at, and what their clients had read before.
// It returns the first of them, and who made them. Of sections it tells who got in.
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
	}
	for _, n := range r.breach.After.Nodes {
		if d, found := r.trace.DeadlockIn(r.breach, n); found && slices.Contains(r.at, Place{Node: n.Node}) {
			clear(told)
			r.circle(n.Node, d, note)
		}
	}
	return first, who
}

// inside are the actors inside of the sections at which the rule looked.
func (r *looked) inside() *parties {
	c := &parties{trace: r.trace, breach: r.breach}
	for _, h := range r.breach.After.Held {
		if slices.Contains(r.at, Place{Key: h.Section}) {
			c.who, c.sections = append(c.who, h.Actors...), append(c.sections, h.Section)
		}
	}
	return c
}

// mostReads is how many requests before one that wrote are told.
const mostReads = 2

// before is what the client of a step had done on which it acted: its last requests about what the rule
// looks at, since it had changed any of that; for a breach that wrote any of it, its last request, if there are none.
func (r *looked) before(s *Step) []*Step {
	var all []*Step
	var last *Step
	for i := s.N - 2; i >= 0 && s.Choice.Kind == Run && len(all) < mostReads; i-- {
		b := &r.trace.Steps[i]
		if b.Choice != s.Choice || b.Reply == nil {
			continue
		}
		if len(b.wrote(r.at)) > 0 {
			break
		}
		if last == nil {
			last = b
		}
		if r.asks(b) {
			all = append(all, b)
		}
	}
	if len(all) == 0 && s == r.breach && last != nil && len(s.wrote(r.at)) > 0 {
		all = append(all, last)
	}
	return all
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
