package lessons

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
)

// Unmet is something that a beat was expected to do and did not, or did
// although nobody expected it.
type Unmet struct {
	What fact.Fact // the reply, the key anyLock, …
	Want fact.Fact
	Got  fact.Fact

	Place Place // of the expectation in the lesson; zero: there is none
}

// RuleName is the name of the invariant that a fact is about.
type RuleName string

// Unmet compares what a beat was expected to do with the steps that it made from
// before on. Without any expectation there is still one: nothing breaks and
// nobody fails.
func (e *Expect) Unmet(before *engine.Snapshot, steps []engine.Step) []Unmet {
	if e == nil {
		e = &Expect{}
	}
	c := comparison{after: before, steps: steps}
	if len(steps) > 0 {
		c.after = &steps[len(steps)-1].After
	}
	c.place = e.place("status")
	c.failures(e)
	c.reply(e)
	c.place = e.Places["no-reply"]
	c.noReply(e.NoReply)
	for _, a := range e.Answers {
		c.answers(a)
	}
	for _, k := range e.Keys {
		c.key(k)
	}
	for _, r := range e.Rows {
		c.rowIs(r)
	}
	for _, l := range e.Locks {
		c.locksAre(l)
	}
	for _, name := range e.Gone {
		c.place = e.place("gone " + name)
		c.gone(name)
	}
	for _, h := range e.Holds {
		c.place = h.Place
		c.holds(h)
	}
	for _, s := range e.Status {
		c.status(s)
	}
	for _, f := range e.Failed {
		c.failed(f)
	}
	for _, s := range e.Says {
		c.says(s)
	}
	for _, b := range e.Behind {
		c.behind(b)
	}
	c.place = e.place("leads")
	for _, name := range e.Leads {
		c.leads(name)
	}
	c.place = e.Places["messages"]
	if e.Messages != nil {
		c.same(fact.Of("messages"), e.Messages, c.messages(), fact.Of("none"))
	}
	for _, p := range e.Events {
		c.place = p.Place
		c.same(fact.Of("events-of", p.Process), p.Events, c.events(p.Process), fact.Of("none"))
	}
	c.place = e.Places["woke"]
	if e.Woke != nil {
		c.same(fact.Of("woke"), sorted(e.Woke), sorted(c.woken()), fact.Of("nobody"))
	}
	c.place = e.place("broken")
	c.broken(e.Broken)
	return c.unmet
}

// place is where a part stands, or the whole when it is not there.
func (e *Expect) place(part string) Place {
	if p, ok := e.Places[part]; ok {
		return p
	}
	return e.Places[""]
}

// comparison collects the expectations that do not hold.
type comparison struct {
	after *engine.Snapshot
	steps []engine.Step
	place Place
	unmet []Unmet
}

func (c *comparison) differs(what, want, got fact.Fact) {
	c.unmet = append(c.unmet, Unmet{What: what, Want: want, Got: got, Place: c.place})
}

func (c *comparison) same(what fact.Fact, want, got []string, none fact.Fact) {
	if slices.Equal(want, got) {
		return
	}
	text := func(names []string) fact.Fact {
		if len(names) == 0 {
			return none
		}
		return fact.Text(strings.Join(names, ", "))
	}
	c.differs(what, text(want), text(got))
}

func (c *comparison) reply(e *Expect) {
	var text string
	came, isError := false, false
	got := fact.Of("no-reply")
	if n := len(c.steps); n > 0 && c.steps[n-1].Reply != nil {
		text = c.steps[n-1].Reply.String()
		came, isError = true, c.steps[n-1].Reply.IsError()
		got = fact.Text(text)
	}
	c.place = e.Places["reply"]
	if e.Reply != nil && (!came || text != *e.Reply) {
		c.differs(fact.Of("reply"), fact.Text(*e.Reply), got)
	}
	c.place = e.Places["error"]
	if e.Error != "" && (!isError || !strings.Contains(text, e.Error)) {
		c.differs(fact.Of("reply"), fact.Of("error-with", e.Error), got)
	}
}

// gone looks at every node.
func (c *comparison) gone(name string) {
	for i, n := range c.after.Nodes {
		if k, exists := n.Key(name); exists {
			what := fact.Of("key", name)
			if i > 0 {
				what = fact.Of("key-on", name, n.Node)
			}
			c.differs(what, fact.Of("gone"), fact.Text(k.Value()))
		}
	}
}

func (c *comparison) inside(section string) []string {
	for _, h := range c.after.Held {
		if h.Section == section {
			return h.Actors
		}
	}
	return nil
}

// holds compares who is inside a section. It mentions programs that have ended, because
// authors easily forget that these have left their sections.
func (c *comparison) holds(want ExpectHolding) {
	from := len(c.unmet)
	c.same(fact.Of("inside", want.Section), sorted(want.Actors), sorted(c.inside(want.Section)), fact.Of("nobody"))
	for i := from; i < len(c.unmet); i++ {
		for _, name := range want.Actors {
			if a, ok := c.after.Actor(name); ok && a.Status == engine.Finished {
				c.unmet[i].Got = fact.Of("has-left", c.unmet[i].Got, name)
			}
		}
	}
}

func (c *comparison) status(want ExpectStatus) {
	c.place = want.Place
	what := fact.Of("status-of", want.Actor)
	got, exists := statusOf(c.after, want.Actor)
	switch {
	case !exists:
		c.differs(what, fact.Text(want.Status), fact.Of("no-such-actor"))
	case got != want.Status:
		c.differs(what, fact.Text(want.Status), fact.Text(got))
	}
}

func (c *comparison) messages() []string {
	var out []string
	for _, s := range c.steps {
		for _, d := range s.Delivered {
			out = append(out, d.Payload)
		}
	}
	return out
}

// events are what a process was told.
func (c *comparison) events(process string) []string {
	out := []string{}
	for _, s := range c.steps {
		for _, d := range s.Delivered {
			if d.Process == process {
				out = append(out, d.Payload+" "+d.Channel)
			}
		}
	}
	return out
}

// woken lists the actors that a timer woke: their sleep ended, or their wait for a message
// or a reply timed out.
func (c *comparison) woken() []string {
	var out []string
	for _, s := range c.steps {
		for _, n := range s.Notes {
			if n.Kind == engine.NoteWoke || n.Kind == engine.NoteTimeout || n.Kind == engine.NoteNoReply {
				out = append(out, n.Actor)
			}
		}
	}
	return out
}

// broken compares the names, and says how an invariant broke.
func (c *comparison) broken(want []string) {
	var names []string
	var got, wanted fact.List
	for _, s := range c.steps {
		for _, v := range s.Broken {
			names = append(names, v.Invariant)
			got = append(got, fact.Of("broken-how", RuleName(v.Invariant), v.Detail))
		}
	}
	if slices.Equal(sorted(want), sorted(names)) {
		return
	}
	for _, name := range sorted(want) {
		wanted = append(wanted, fact.Text(RuleName(name)))
	}
	text := func(list fact.List) fact.Fact {
		if len(list) == 0 {
			return fact.Of("nothing")
		}
		return fact.Text(list)
	}
	c.differs(fact.Of("broken"), text(wanted), text(got))
}

// failures are always checked: a program that breaks off is a mistake unless the beat
// expects it.
func (c *comparison) failures(e *Expect) {
	for _, s := range c.steps {
		for _, n := range s.Notes {
			if n.Kind == engine.NoteFailed && !e.fails(n.Actor) {
				c.differs(fact.Of("program-of", n.Actor), fact.Of("goes-on"), fact.Of("it-failed", n.Failure))
			}
		}
	}
}

// failed compares why a program broke off.
func (c *comparison) failed(want ExpectText) {
	c.place = want.Place
	got := fact.Of("goes-on")
	for _, s := range c.steps {
		for _, n := range s.Notes {
			if n.Kind != engine.NoteFailed || n.Actor != want.Actor {
				continue
			}
			if strings.Contains(n.Failure.Error(), want.Text) {
				return
			}
			got = fact.Of("it-failed", n.Failure)
		}
	}
	c.differs(fact.Of("program-of", want.Actor), fact.Of("it-fails", want.Text), got)
}

// says compares what a program says: one of its sentences must contain the text.
func (c *comparison) says(want ExpectText) {
	c.place = want.Place
	got := fact.List{}
	for _, text := range c.said(want.Actor) {
		if strings.Contains(text, want.Text) {
			return
		}
		got = append(got, fact.Text(text))
	}
	what := fact.Of("said-by", want.Actor)
	if len(got) == 0 {
		c.differs(what, fact.Text(want.Text), fact.Of("nothing"))
		return
	}
	c.differs(what, fact.Text(want.Text), fact.Text(got))
}

func (c *comparison) said(actor string) []string {
	var out []string
	for _, s := range c.steps {
		for _, n := range s.Notes {
			if n.Kind == engine.NoteSay && n.Actor == actor {
				out = append(out, n.Text)
			}
		}
	}
	return out
}

// sorted is each name once, in order.
func sorted(names []string) []string {
	names = slices.Clone(names)
	slices.Sort(names)
	return slices.Compact(names)
}
