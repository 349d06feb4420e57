package engine

import (
	"slices"
	"strings"

	"lockstep/engine/fact"
)

// parties are those whom a breach of one of the engine's own rules is about, and where. What counts is what
// happened since they got in, or began to wait: who entered, which lease ended or was removed, and which
// request, reply or message was lost.
type parties struct {
	trace    *Trace
	breach   *Step
	who      []string // actors
	sections []string // none: any
	waits    bool     // it is about who waits
	idle     bool     // and about who could have told them
	forever  bool     // and about who could have woken them
}

// newParties takes the names of actors and of sections from what the rule says of the breach.
func newParties(t *Trace, breach *Step, b Violation) *parties {
	c := &parties{trace: t, breach: breach}
	c.who, c.sections = b.Names(&breach.After)
	if len(c.who) == 0 {
		c.who = breach.After.Concerned(c.sections...)
	}
	switch b.Invariant {
	case "nobody-waits-forever":
		c.waits, c.forever = true, true
	case "no-idle-wait":
		c.waits, c.idle = true, true
	case "waiters-in-order", StarvesRule:
		c.waits = true
	}
	return c
}

// touched are the actors whose faults count: those whom the breach is about, those whose znodes went, and anybody where
// somebody else could have ended it.
func (c *parties) touched() []string {
	var who []string
	for _, name := range c.who {
		who = append(who, Root(name))
	}
	for _, a := range c.breach.After.Actors {
		if !a.Task && (c.forever || c.idle || c.lostZnode(a.Process)) {
			who = append(who, a.Name)
		}
	}
	return who
}

// lostZnode tells whether a znode of a process went in one of the steps up to the breach.
func (c *parties) lostZnode(process string) bool {
	return slices.ContainsFunc(c.trace.Steps[:c.breach.N], func(s Step) bool {
		return slices.ContainsFunc(s.Changes, func(change Change) bool {
			return change.New == nil && slices.Contains(change.Old.Items, Item{Name: "owner", Value: process})
		})
	})
}

// tell notes the steps that had their part, and returns the first one that could have.
func (c *parties) tell(told map[int][]fact.Fact) (from int) {
	from = c.breach.N
	for _, name := range c.who {
		from = min(from, c.since(name))
	}
	for i := range c.breach.N - 1 {
		s := &c.trace.Steps[i]
		if part := c.part(s); part.Code != "" && s.N >= from {
			told[s.N] = []fact.Fact{part}
		} else if end := c.ending(s, s.N >= from); end.Code != "" {
			told[s.N] = []fact.Fact{end}
		}
	}
	if c.waits {
		c.holders(from, told)
	}
	for _, name := range c.who {
		c.outdated(name, told)
	}
	for i := range c.breach.N {
		s := &c.trace.Steps[i]
		if facts := told[s.N]; s != c.breach && (len(facts) == 0 || facts[0].Code != "cause-entered" && facts[0].Code != "cause-removed") {
			continue
		}
		reads := (&looked{trace: c.trace, at: s.changed()}).before(s)
		if asked := c.asked(); s == c.breach && asked != nil {
			reads = append(reads, asked)
		}
		for _, read := range reads {
			refused := slices.ContainsFunc(read.Notes, func(n Note) bool { return n.Kind == NoteRefused })
			if _, known := told[read.N]; !known && !refused {
				told[read.N] = []fact.Fact{fact.Of("cause-read", read.Choice.Target)}
			}
		}
	}
	return from
}

// asked is the last request before that with which somebody begins a wait that nothing ends: it acts on the reply; nil: there is none.
func (c *parties) asked() *Step {
	for i := c.breach.N - 2; i >= 0 && c.forever && len(c.breach.Changes) == 0 && slices.Contains(c.who, c.breach.Choice.Target); i-- {
		if s := &c.trace.Steps[i]; s.Choice == c.breach.Choice && s.Reply != nil {
			return s
		}
	}
	return nil
}

// outdated notes where an actor got the lock with which it got in, and the lock's end, if that came before: who hears late that
// it has the lock, as one that waited for a copy, gets in with one that is over.
func (c *parties) outdated(name string, told map[int][]fact.Fact) {
	var end *Step
	for i := c.since(name) - 1; i >= 0; i-- {
		s := &c.trace.Steps[i]
		if e := c.expired(s); e != nil && end == nil && c.guards(e.Key) {
			end = s
		}
		took := slices.IndexFunc(s.Changes, func(change Change) bool { return change.New != nil && c.guards(change.Key) })
		if took < 0 || s.Choice != (Choice{Kind: Run, Target: name}) {
			continue
		}
		if end != nil && told[end.N] == nil {
			told[s.N] = []fact.Fact{fact.Of("cause-wrote", s.Changes[took].Key, s.Changes[took].Node)}
			told[end.N] = []fact.Fact{c.part(end)}
		}
		return
	}
}

// holders notes who was inside of what those whom the breach is about began to wait for.
func (c *parties) holders(from int, told map[int][]fact.Fact) {
	want := c.note(&c.trace.Steps[from-1], NoteWant)
	for i := from - 2; i >= 0 && want != nil; i-- {
		for _, n := range c.trace.Steps[i].Notes {
			holds, _ := c.trace.At(from - 1).Actor(n.Actor)
			if n.Kind == NoteEnter && n.Text == want.Text && slices.Contains(holds.Inside, n.Text) {
				told[i+1] = []fact.Fact{fact.Of("cause-entered", n.Actor, n.Text)}
				return
			}
		}
	}
}

// since is the step from which on an actor has been inside, or has waited, without a break; of the one that takes away a lock
// that others have by now, when it got in.
func (c *parties) since(name string) int {
	n := c.breach.N
	if name == Root(c.breach.Choice.Target) && c.breach.removed(c.guards) != nil {
		for i := n - 2; i >= 0; i-- {
			if slices.ContainsFunc(c.trace.Steps[i].Notes, func(n Note) bool { return n.Kind == NoteEnter && n.Actor == name && c.at(n.Text) }) {
				return i + 1
			}
		}
	}
	for n > 1 {
		a, ok := c.trace.At(n - 1).Actor(name)
		if !ok || !slices.ContainsFunc(slices.Concat(a.Inside, a.Wants), c.at) {
			break
		}
		n--
	}
	return n
}

func (c *parties) at(section string) bool {
	return len(c.sections) == 0 || slices.Contains(c.sections, section)
}

// part is what a step did to those whom the breach is about; without a code: nothing.
func (c *parties) part(s *Step) fact.Fact {
	if n := c.note(s, NoteEnter); n != nil && c.counts(s, n) {
		return fact.Of("cause-entered", n.Actor, n.Text)
	}
	if n := c.note(s, NoteNoReply); n != nil {
		return fact.Of("cause-unanswered", n.Actor, n.Text)
	}
	if e := c.expired(s); e != nil {
		return fact.Of("cause-expired", e.Key, e.Node)
	}
	if d := s.removed(c.guards); d != nil && c.leads(d.Node) {
		return fact.Of("cause-removed", d.Key, d.Node)
	}
	lost := s.NoReply == RequestLost || s.NoReply == ReplyLost
	if len(s.Missed) > 0 || lost && slices.Contains(c.who, Root(s.Choice.Target)) {
		return fact.Of("cause-lost", s.Choice.Target)
	}
	if c.took(s) {
		return fact.Of("cause-took", s.Choice.Target)
	}
	if n := c.note(s, NoteWant); n != nil && c.waits {
		return fact.Of("cause-wants", n.Actor, n.Text)
	}
	return fact.Fact{}
}

// expired is the key that ended in a step and counts: one that kept others out, rather than another with a name of somebody
// whom the breach is about, as that of a session; nil: none.
func (c *parties) expired(s *Step) (named *Expiry) {
	for i := range s.Expired {
		e := &s.Expired[i]
		if c.leads(e.Node) && c.guards(e.Key) {
			return e
		}
		if named == nil && c.leads(e.Node) && c.named(s, *e) {
			named = e
		}
	}
	return named
}

// took tells whether somebody else received a message that would have ended a wait: a process has one mailbox.
func (c *parties) took(s *Step) bool {
	got, received := s.Request.(Receive)
	if !c.idle || !received || s.Message == "" {
		return false
	}
	taker, _ := s.After.Actor(s.Choice.Target)
	return slices.ContainsFunc(c.who, func(name string) bool {
		a, _ := c.trace.At(c.breach.N - 1).Actor(name)
		r, receives := a.Next.(Receive)
		return receives && name != taker.Name && r.Channel == got.Channel && a.Process == taker.Process
	})
}

// counts tells whether an actor's way into a section is the last one, and it is still inside, or has made
// the breach.
func (c *parties) counts(s *Step, enter *Note) bool {
	a, _ := c.trace.At(c.breach.N - 1).Actor(enter.Actor)
	if !slices.Contains(a.Inside, enter.Text) && enter.Actor != c.breach.Choice.Target {
		return false
	}
	return !slices.ContainsFunc(c.trace.Steps[s.N:c.breach.N], func(later Step) bool {
		return slices.ContainsFunc(later.Notes, func(n Note) bool {
			return n.Kind == enter.Kind && n.Actor == enter.Actor && n.Text == enter.Text
		})
	})
}

// note is what one of those whom the breach is about did there; nil: nothing of the kind.
func (c *parties) note(s *Step, kind NoteKind) *Note {
	for i := range s.Notes {
		n := &s.Notes[i]
		if n.Kind == kind && slices.Contains(c.who, n.Actor) && (kind == NoteNoReply || c.at(n.Text)) {
			return n
		}
	}
	return nil
}

// guards tells whether a key is what keeps others out: that of a section, a znode in it, or the row of its name.
func (c *parties) guards(key string) bool {
	return slices.ContainsFunc(c.sections, func(section string) bool {
		return key == section || strings.HasPrefix(key, section+"/") || strings.HasSuffix(key, "/"+section)
	}) ||
		len(c.sections) == 0 && (c.breach.After.IsSection(key) || strings.HasPrefix(key, "/"))
}

// leads tells whether a node takes writes at the breach: what a replica has keeps nobody out.
func (c *parties) leads(node string) bool {
	n, _ := c.breach.After.Node(node)
	return n.Leader == ""
}

// named tells whether a key that expired had the name of one of those whom the breach is about, in its own or in its value:
// a read-write lock has another name than its sections.
func (c *parties) named(s *Step, e Expiry) bool {
	change, _ := ChangeOf(s.Changes, e.Node, e.Key)
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

// ending is of an actor that ended, and will wake nobody any more, or of one that failed since and did what those whom the
// breach is about counted on: both run in one process. Without a code: none did.
func (c *parties) ending(s *Step, since bool) fact.Fact {
	if c.forever && s.Choice.Kind == Crash {
		return fact.Of("cause-fault", s.Choice.String())
	}
	for _, n := range s.Notes {
		if n.Actor != Root(n.Actor) {
			continue
		}
		if c.forever && (n.Kind == NoteDone || n.Kind == NoteFailed) || since && n.Kind == NoteFailed && c.beside(n.Actor) {
			return fact.Of("cause-ended", n.Actor)
		}
	}
	return fact.Fact{}
}

// beside tells whether an actor runs in the process of one of those whom the breach is about.
func (c *parties) beside(name string) bool {
	a, _ := c.breach.After.Actor(name)
	return slices.ContainsFunc(c.who, func(who string) bool {
		other, ok := c.breach.After.Actor(Root(who))
		return ok && other.Process == a.Process
	})
}
