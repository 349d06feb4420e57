package ui

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/reply"
)

// rule is a lesson's own rule that a step broke, with the places at which it looked: keys, databases with their
// deadlocks, and sections.
type rule struct {
	view   *View
	breach *engine.Step
	looked []engine.Place
}

// tell notes the steps that wrote what the rule looks at, and what their clients had read before.
// It returns the first of them, and who made them. Of sections it tells who got in.
func (r *rule) tell(told map[int]cause) (first int, who []string) {
	first = r.breach.N
	if c := r.inside(); len(c.who) > 0 {
		first, who = c.tell(told), c.touched()
	}
	note := func(s *engine.Step, texts ...string) {
		told[s.N] = cause{s, clauses(r.view.Lang, append([]string{headline(r.view.Lang, s)}, texts...)...), icon(outcomeOf(s))}
		first = min(first, s.N)
		who = append(who, engine.Root(s.Choice.Target))
	}
	for i := range r.breach.N {
		s := &r.view.Trace.Steps[i]
		texts := r.wrote(s)
		if len(texts) == 0 && s != r.breach {
			continue
		}
		for _, read := range r.before(s) {
			note(read, r.wrote(read)...)
		}
		note(s, texts...)
	}
	for _, n := range r.breach.After.Nodes {
		if d, found := deadlockOf(r.view, r.breach, n); found && slices.Contains(r.looked, engine.Place{Node: n.Node}) {
			clear(told)
			r.circle(n.Node, d, note)
		}
	}
	return first, who
}

// inside are the actors inside of the sections at which the rule looked.
func (r *rule) inside() *parties {
	c := &parties{view: r.view, breach: r.breach}
	for _, h := range r.breach.After.Held {
		if slices.Contains(r.looked, engine.Place{Key: h.Section}) {
			c.who, c.sections = append(c.who, h.Actors...), append(c.sections, h.Section)
		}
	}
	return c
}

// wrote says what a step changed of what the rule looks at.
func (r *rule) wrote(s *engine.Step) []string {
	var texts []string
	for _, c := range s.Changes {
		if slices.Contains(r.looked, engine.Place{Node: c.Node, Key: c.Key}) {
			texts = append(texts, changeSentence(r.view.Lang, s, c))
		}
	}
	return texts
}

// mostReads is how many requests before one that wrote are told.
const mostReads = 2

// before is what the client of a step had done on which it acted: its last requests about what the rule
// looks at, since it had changed any of that; for a breach that wrote any of it, its last request, if there are none.
func (r *rule) before(s *engine.Step) []*engine.Step {
	var all []*engine.Step
	var last *engine.Step
	for i := s.N - 2; i >= 0 && s.Choice.Kind == engine.Run && len(all) < mostReads; i-- {
		b := &r.view.Trace.Steps[i]
		if b.Choice != s.Choice || b.Reply == nil {
			continue
		}
		if len(r.wrote(b)) > 0 {
			break
		}
		if last == nil {
			last = b
		}
		if r.asks(b) {
			all = append(all, b)
		}
	}
	if len(all) == 0 && s == r.breach && last != nil && len(r.wrote(s)) > 0 {
		all = append(all, last)
	}
	return all
}

// asks tells whether a step read what the rule looks at, and wrote nothing: a command that names the key, or
// a statement that was answered with rows.
func (r *rule) asks(s *engine.Step) bool {
	exec, ok := s.Request.(engine.Exec)
	if !ok || len(s.Changes) > 0 {
		return false
	}
	return slices.ContainsFunc(r.looked, func(at engine.Place) bool {
		if at.Node != exec.Node {
			return false
		}
		table, _, isRow := strings.Cut(at.Key, "/")
		if named := slices.Contains(exec.Op.Keys, at.Key) || slices.Contains(exec.Op.Args, at.Key); named {
			return true
		}
		return isRow && s.Reply.Kind == reply.Array && strings.Contains(askedText(r.view.Lang, exec), table)
	})
}

// circle notes the steps of a deadlock: who got which lock, and who asked for one that another had.
func (r *rule) circle(node string, d engine.Deadlock, note func(*engine.Step, ...string)) {
	lang := r.view.Lang
	for _, w := range d.Waits {
		for _, key := range w.Keys {
			for _, holder := range w.By {
				if s, gap := r.locked(node, key, holder); s != nil {
					words := causeLocked
					if gap {
						words = causeLockedGap
					}
					note(s, words.in(lang, holder, key))
				}
			}
		}
		for i := r.breach.N - 1; i >= 0; i-- {
			s := &r.view.Trace.Steps[i]
			if s.Choice.Target == w.Actor && s.Request != nil && !s.Taken {
				note(s, causeWaits.in(lang, w.Actor, strings.Join(w.By, editsAnd.in(lang))))
				break
			}
		}
	}
}

// locked is the step in which an actor got the lock that it had right before the breach, of a key or of
// the gap before it.
func (r *rule) locked(node, key, actor string) (got *engine.Step, gap bool) {
	for i := r.breach.N - 2; i >= 0; i-- {
		s := &r.view.Trace.Steps[i]
		n, _ := s.After.Node(node)
		at := slices.IndexFunc(n.Holds, func(h engine.Hold) bool { return h.Key == key && h.Actor == actor && !h.Waits })
		if at < 0 {
			break
		}
		got, gap = s, n.Holds[at].Mode == engine.HoldsGap
	}
	return got, gap
}
