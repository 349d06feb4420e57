package lessons

import (
	"slices"
	"strings"

	"lockstep/engine"
)

// Observed is what happened in a beat, written as an expectation. It names what
// the author's own names; where that says nothing, it names all that the beat did.
func (b *Beat) Observed(before *engine.Snapshot, steps []engine.Step) *Expect {
	o := observer{comparison: comparison{after: before, steps: steps}}
	if len(steps) > 0 {
		o.after = &steps[len(steps)-1].After
	}
	if b.Expect.silent() {
		o.all(before)
		o.always()
		return &o.out
	}
	o.named(b.Expect)
	o.always()
	if o.out.silent() {
		o.all(before)
	}
	return &o.out
}

// Unproven lists, by beat, what a lesson should expect instead of what it does: for
// each beat whose expectations do not hold, or that moves and expects nothing. The
// trace is that of the story, as far as it could be played.
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
		if len(b.Choices) > 0 && b.Expect.silent() || len(b.Expect.Unmet(before, steps)) > 0 {
			out[i] = b.Observed(before, steps)
		}
		from = to
	}
	return out
}

type observer struct {
	comparison
	out Expect
}

// reply is what the last step was told; an error stands without what depends on
// the place in the script.
func (o *observer) reply() {
	o.out.NoReply = o.last().NoReply
	r := o.last().Reply
	if r == nil {
		return
	}
	if r.IsError() {
		o.out.Error, _, _ = strings.Cut(strings.TrimPrefix(r.String(), "(error) "), " script: ")
		return
	}
	text := r.String()
	o.out.Reply = &text
}

// always adds what may not be left out: what broke, and which programs failed.
func (o *observer) always() {
	for _, s := range o.steps {
		for _, v := range s.Broken {
			o.out.Broken = append(o.out.Broken, v.Invariant)
		}
		for _, n := range s.Notes {
			if n.Kind == engine.NoteFailed && !o.out.fails(n.Actor) {
				o.status(n.Actor)
			}
		}
	}
	o.out.Broken = sorted(o.out.Broken)
}

func (o *observer) status(actor string) {
	known := slices.ContainsFunc(o.out.Status, func(s ExpectStatus) bool { return s.Actor == actor })
	if status, ok := statusOf(o.after, actor); ok && !known {
		o.out.Status = append(o.out.Status, ExpectStatus{Actor: actor, Status: status})
	}
}

// failed observes why a program broke off; one that did not is doing something else.
func (o *observer) failed(actor string) {
	for _, s := range o.steps {
		for _, n := range s.Notes {
			if n.Kind == engine.NoteFailed && n.Actor == actor {
				o.out.Failed = append(o.out.Failed, ExpectText{Actor: actor, Text: n.Failure.Error()})
				return
			}
		}
	}
	o.status(actor)
}

// says observes the first sentence of a program.
func (o *observer) says(actor, text string) {
	if !slices.ContainsFunc(o.out.Says, func(s ExpectText) bool { return s.Actor == actor }) {
		o.out.Says = append(o.out.Says, ExpectText{Actor: actor, Text: text})
	}
}

func (o *observer) holds(section string) {
	if !slices.ContainsFunc(o.out.Holds, func(h ExpectHolding) bool { return h.Section == section }) {
		o.out.Holds = append(o.out.Holds, ExpectHolding{Section: section, Actors: sorted(o.inside(section))})
	}
}

// named observes what an expectation names.
func (o *observer) named(e *Expect) {
	if e.Reply != nil || e.Error != "" || e.NoReply != "" {
		o.reply()
	}
	for _, a := range e.Answers {
		o.answers(a.Actor)
	}
	for _, b := range e.Behind {
		o.behind(b.Node)
	}
	for _, name := range e.Leads {
		o.behind(name)
	}
	for _, k := range e.Keys {
		o.key(k)
	}
	o.namedRows(e)
	for _, name := range e.Gone {
		for i, n := range o.after.Nodes {
			if _, there := n.Key(name); there {
				o.key(o.whole(i, name))
			}
		}
		o.gone(name)
	}
	for _, h := range e.Holds {
		o.holds(h.Section)
	}
	for _, s := range e.Status {
		o.status(s.Actor)
	}
	for _, f := range e.Failed {
		o.failed(f.Actor)
	}
	for _, s := range e.Says {
		for _, text := range o.said(s.Actor) {
			o.says(s.Actor, text)
		}
	}
	if e.Messages != nil {
		o.out.Messages = append([]string{}, o.messages()...)
	}
	for _, p := range e.Events {
		o.out.Events = append(o.out.Events, ExpectEvents{Process: p.Process, Events: o.events(p.Process)})
	}
	if e.Woke != nil {
		o.out.Woke = append([]string{}, sorted(o.woken())...)
	}
}

// all observes what the beat changed, and at least how its actors stand.
func (o *observer) all(before *engine.Snapshot) {
	o.reply()
	for _, s := range o.steps {
		for _, a := range s.Answered {
			o.answers(a.Actor)
		}
		for _, r := range s.Replicas {
			o.behind(r.Node)
		}
		for _, c := range s.Changes {
			i := slices.IndexFunc(o.after.Nodes, func(n engine.NodeView) bool { return n.Node == c.Node })
			o.key(o.whole(i, c.Key))
		}
		for _, n := range s.Notes {
			if n.Kind == engine.NoteEnter || n.Kind == engine.NoteLeave {
				o.holds(n.Text)
			}
		}
	}
	o.out.Messages = o.messages()
	for _, s := range o.steps {
		switch {
		case s.Choice.Kind == engine.Tick:
			o.time()
		case s.Choice.Kind != engine.Run:
			o.fault(s.Choice)
		case s.Reply == nil:
			o.status(s.Choice.Target)
		}
	}
	for _, a := range o.after.Actors { // who was woken by the message of another
		if was, ok := before.Actor(a.Name); ok && was.Status == engine.Waiting && a.Status == engine.Ready {
			o.status(a.Name)
		}
	}
}

// fault observes how those stand that a fault hits: actors and nodes by their status, replicas by
// how far behind they are, and after a jump of a clock also what is left of leases.
func (o *observer) fault(c engine.Choice) {
	for _, a := range o.after.Actors {
		if a.Process == c.Target || a.Process == c.Other {
			o.status(a.Name)
		}
	}
	switch row := c.Kind.Row(); row.Of { //nolint:exhaustive // a drop hits no node
	case engine.AMachine, engine.ANode:
		if _, isNode := o.after.Node(c.Target); isNode && row.Needs != engine.NeedReplicas {
			o.status(c.Target)
		}
	case engine.AClock:
		o.time()
	case engine.ALink:
		for _, name := range []string{c.Target, c.Other} {
			if v, ok := o.after.Node(name); ok && v.Leader != "" {
				o.behind(name)
			}
		}
	}
}

// answers observes what a node replied to an earlier request; of an error its first word.
func (o *observer) answers(actor string) {
	text, isError, came := o.answer(actor)
	if isError {
		text, _, _ = strings.Cut(strings.TrimPrefix(text, "(error) "), " ")
	}
	if came && !slices.ContainsFunc(o.out.Answers, func(a ExpectAnswer) bool { return a.Actor == actor }) {
		o.out.Answers = append(o.out.Answers, ExpectAnswer{Actor: actor, Reply: text})
	}
}

// behind observes whether a node leads, or how far it is behind the one that does.
func (o *observer) behind(name string) {
	view, _ := o.after.Node(name)
	writes, follows := lag(view)
	switch {
	case follows:
		if !slices.ContainsFunc(o.out.Behind, func(b ExpectBehind) bool { return b.Node == name }) {
			o.out.Behind = append(o.out.Behind, ExpectBehind{Node: name, Writes: writes})
		}
	case leads(view) && !slices.Contains(o.out.Leads, name):
		o.out.Leads = append(o.out.Leads, name)
	}
}

// time observes what the clock did: whom it woke, and what is left of leases.
func (o *observer) time() {
	for i, n := range o.after.Nodes {
		for _, k := range n.Keys {
			if k.Deadline != engine.NoDeadline {
				o.key(ExpectKey{Node: o.node(i), Name: k.Name, TTL: new(engine.Instant)})
			}
		}
	}
	if woken := sorted(o.woken()); len(woken) > 0 || o.out.silent() {
		o.out.Woke = append([]string{}, woken...)
	}
}

// whole names everything of a key on the ith node.
func (o *observer) whole(i int, name string) ExpectKey {
	return ExpectKey{Node: o.node(i), Name: name, Type: "?", Text: new(string), TTL: new(engine.Instant)}
}

// node is what an expectation calls the ith node: the first has no need of a name.
func (o *observer) node(i int) string {
	if i == 0 {
		return ""
	}
	return o.after.Nodes[i].Node
}

// key observes of a key what want names of it; a key that does not exist is gone.
func (o *observer) key(want ExpectKey) {
	view := o.after.Nodes[0]
	if want.Node != "" {
		view, _ = o.after.Node(want.Node)
	}
	got, there := view.Key(want.Name)
	known := slices.ContainsFunc(o.out.Keys, func(k ExpectKey) bool { return k.Name == want.Name && k.Node == want.Node })
	switch {
	case known:
		return
	case got.Type == engine.RowKey:
		o.rows(got)
		return
	case !there && o.after.Exists(want.Name):
		o.out.Keys = append(o.out.Keys, ExpectKey{Node: want.Node, Name: want.Name, Type: NoKey})
		return
	case !there:
		o.gone(want.Name)
		return
	}
	k := ExpectKey{Node: want.Node, Name: want.Name}
	if want.Type != "" {
		k.Type = got.Type
	}
	switch {
	case want.Text == nil && want.Items == nil:
	case got.Type == engine.StringKey:
		k.Text = &got.Text
	default:
		k.Type = got.Type // or its items would not say which type they are of
		k.Items = got.Items
	}
	if want.TTL != nil {
		ttl := remaining(got.Deadline, o.after.Now)
		k.TTL = &ttl
	}
	o.out.Keys = append(o.out.Keys, k)
}

// gone says that no node has a key.
func (o *observer) gone(name string) {
	if !o.after.Exists(name) && !slices.Contains(o.out.Gone, name) {
		o.out.Gone = append(o.out.Gone, name)
	}
}
