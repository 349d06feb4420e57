package ui

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/search"
)

// parties are those whom a breach of one of the engine's own rules is about, and where. What counts is what
// happened since they got in, or began to wait: who entered, which lease ended or was removed, and which
// request, reply or message was lost.
type parties struct {
	view     *View
	breach   *engine.Step
	who      []string // actors
	sections []string // none: any
	waits    bool     // it is about who waits
	idle     bool     // and about who could have told them
	forever  bool     // and about who could have woken them
}

// newParties takes the names of actors and of sections from what the rule says of the breach.
func newParties(v *View, breach *engine.Step, b engine.Violation) *parties {
	c := &parties{view: v, breach: breach}
	c.who, c.sections = b.Names(&breach.After)
	if len(c.who) == 0 {
		c.who = concerned(&breach.After, c.sections...)
	}
	switch b.Invariant {
	case "nobody-waits-forever":
		c.waits, c.forever = true, true
	case "no-idle-wait":
		c.waits, c.idle = true, true
	case "waiters-in-order", search.NobodyStarves{}.Name():
		c.waits = true
	}
	return c
}

// touched are the actors whose faults count: those whom the breach is about, those whose znodes went, and anybody where
// somebody else could have ended it.
func (c *parties) touched() []string {
	var who []string
	for _, name := range c.who {
		who = append(who, engine.Root(name))
	}
	for _, a := range c.view.Lesson.Actors {
		if c.forever || c.idle || c.lostZnode(a.Process) {
			who = append(who, a.Name)
		}
	}
	return who
}

// lostZnode tells whether a znode of a process went in one of the steps up to the breach.
func (c *parties) lostZnode(process string) bool {
	return slices.ContainsFunc(c.view.Trace.Steps[:c.breach.N], func(s engine.Step) bool {
		return slices.ContainsFunc(s.Changes, func(change engine.Change) bool {
			return change.New == nil && slices.Contains(change.Old.Items, engine.Item{Name: "owner", Value: process})
		})
	})
}

// concerned are the actors inside of sections, and those that want one, each once; of none: of any.
func concerned(s *engine.Snapshot, sections ...string) []string {
	var names []string
	for _, h := range slices.Concat(s.Held, s.Wanted) {
		for _, a := range h.Actors {
			if !slices.Contains(names, a) && (len(sections) == 0 || slices.Contains(sections, h.Section)) {
				names = append(names, a)
			}
		}
	}
	return names
}

// tell notes the steps that had their part, and returns the first one that could have.
func (c *parties) tell(told map[int]cause) (from int) {
	from = c.breach.N
	for _, name := range c.who {
		from = min(from, c.since(name))
	}
	for i := range c.breach.N - 1 {
		s := &c.view.Trace.Steps[i]
		if text, mark := c.part(s); text != "" && s.N >= from {
			told[s.N] = cause{s, text, mark}
		} else if text, mark := c.ending(s); text != "" {
			told[s.N] = cause{s, text, mark}
		}
	}
	return from
}

// since is the step from which on an actor has been inside, or has waited, without a break.
func (c *parties) since(name string) int {
	n := c.breach.N
	for n > 1 {
		a, ok := c.view.Trace.At(n - 1).Actor(name)
		if !ok || !slices.ContainsFunc(slices.Concat(a.Inside, a.Wants), c.at) {
			break
		}
		n--
	}
	return n
}

// at tells whether the breach is about a section.
func (c *parties) at(section string) bool {
	return len(c.sections) == 0 || slices.Contains(c.sections, section)
}

// part is what a step did to those whom the breach is about; empty: nothing.
func (c *parties) part(s *engine.Step) (text, mark string) {
	lang := c.view.Lang
	if n := c.note(s, engine.NoteEnter); n != nil && c.counts(s, n) {
		return causeEntered.in(lang, n.Actor, n.Text), noteIcon(n.Kind)
	}
	if n := c.note(s, engine.NoteNoReply); n != nil {
		return noteText(lang, *n), noteIcon(n.Kind)
	}
	for _, e := range s.Expired {
		if c.guards(e.Key) || c.named(s, e) {
			return saidExpired.in(lang, onNode(c.view, e.Node, e.Key)), "i-expired"
		}
	}
	if d := removed(s, c.guards); d != nil {
		return clauses(lang, headline(lang, s), saidDeleted.in(lang, onNode(c.view, d.Node, d.Key))), "i-dead"
	}
	lost := s.NoReply == engine.RequestLost || s.NoReply == engine.ReplyLost
	if len(s.Missed) > 0 || lost && slices.Contains(c.who, engine.Root(s.Choice.Target)) {
		return headline(lang, s), icon(outcomeOf(s))
	}
	if n := c.note(s, engine.NoteWant); n != nil && c.waits {
		return noteText(lang, *n), noteIcon(n.Kind)
	}
	return "", ""
}

// counts tells whether an actor's way into a section is the last one, and it is still inside, or has made
// the breach.
func (c *parties) counts(s *engine.Step, enter *engine.Note) bool {
	a, _ := c.view.Trace.At(c.breach.N - 1).Actor(enter.Actor)
	if !slices.Contains(a.Inside, enter.Text) && enter.Actor != c.breach.Choice.Target {
		return false
	}
	return !slices.ContainsFunc(c.view.Trace.Steps[s.N:c.breach.N], func(later engine.Step) bool {
		return slices.ContainsFunc(later.Notes, func(n engine.Note) bool {
			return n.Kind == enter.Kind && n.Actor == enter.Actor && n.Text == enter.Text
		})
	})
}

// note is what one of those whom the breach is about did there; nil: nothing of the kind.
func (c *parties) note(s *engine.Step, kind engine.NoteKind) *engine.Note {
	for i := range s.Notes {
		n := &s.Notes[i]
		if n.Kind == kind && slices.Contains(c.who, n.Actor) && (kind == engine.NoteNoReply || c.at(n.Text)) {
			return n
		}
	}
	return nil
}

// guards tells whether a key is what keeps others out: that of a section, or a znode in it.
func (c *parties) guards(key string) bool {
	return slices.ContainsFunc(c.sections, func(section string) bool { return key == section || strings.HasPrefix(key, section+"/") }) ||
		len(c.sections) == 0 && (c.breach.After.IsSection(key) || strings.HasPrefix(key, "/"))
}

// named tells whether a key that expired had the name of one of those whom the breach is about, in its own or in its value:
// a read-write lock has another name than its sections.
func (c *parties) named(s *engine.Step, e engine.Expiry) bool {
	change, _ := changeOf(s.Changes, e.Node, e.Key)
	texts := []string{e.Key}
	if change.Old != nil {
		texts = append(texts, change.Old.Text)
		for _, it := range change.Old.Items {
			texts = append(texts, it.Name)
		}
	}
	return slices.ContainsFunc(texts, func(text string) bool {
		return slices.ContainsFunc(c.who, func(name string) bool { return strings.Contains(":"+text+":", ":"+name+":") })
	})
}

// ending is of an actor that ended, and will wake nobody any more.
func (c *parties) ending(s *engine.Step) (text, mark string) {
	for _, n := range s.Notes {
		if c.forever && (n.Kind == engine.NoteDone || n.Kind == engine.NoteFailed) && n.Actor == engine.Root(n.Actor) {
			return noteText(c.view.Lang, n), "i-dead"
		}
	}
	return "", ""
}
