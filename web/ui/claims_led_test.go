package ui_test

import (
	"errors"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
)

// slice is all that may have had its part in a breach: going back from it, whoever did something with what counts, what it
// asked for and what it heard counts from there on.
type slice struct {
	breach   *engine.Step
	steps    map[int]bool
	places   map[engine.Place]bool
	sections map[string]bool
	actors   map[string]bool // without their tasks
	forever  bool            // anybody could have ended it
}

// whatLedTo goes back from a breach through requests, changes, messages and notes.
func (p *shown) whatLedTo(breach *engine.Step) *slice {
	c := &slice{breach, map[int]bool{}, map[engine.Place]bool{}, map[string]bool{}, map[string]bool{}, false}
	for _, b := range breach.Broken {
		c.forever = c.forever || b.Invariant == "nobody-waits-forever"
		for _, at := range b.Looked {
			c.places[at] = true
			if at.Node == "" {
				c.sections[at.Key] = true
			}
		}
		for _, arg := range b.Detail.Args {
			list, _ := arg.(fact.Names)
			if one, is := arg.(string); is {
				list = fact.Names{one}
			}
			for _, name := range list {
				c.names(&breach.After, name)
			}
		}
	}
	if breach.Choice.Kind == engine.Run {
		c.actors[engine.Root(breach.Choice.Target)] = true
	}
	for range 2 { // what became of somebody stands after the first that is found of them
		for n := breach.N; n > 0; n-- {
			if s := &p.trace.Steps[n-1]; n == breach.N || p.concerns(c, s) {
				c.steps[n] = true
				p.use(c, s)
			}
		}
	}
	return c
}

// names takes up an actor, or else a section.
func (c *slice) names(s *engine.Snapshot, name string) {
	if _, is := s.Actor(name); is {
		c.actors[engine.Root(name)] = true
		return
	}
	c.sections[name] = true
	for _, a := range s.Actors {
		if slices.Contains(slices.Concat(a.Inside, a.Wants), name) {
			c.actors[engine.Root(a.Name)] = true
		}
	}
}

// concerns tells whether a step did anything to what counts.
func (p *shown) concerns(c *slice, s *engine.Step) bool {
	for _, change := range s.Changes {
		if c.places[engine.Place{Node: change.Node, Key: change.Key}] || c.sections[change.Key] || p.isOf(c, change) {
			return true
		}
	}
	for _, e := range s.Expired {
		if c.places[engine.Place{Node: e.Node, Key: e.Key}] || c.sections[e.Key] {
			return true
		}
	}
	for _, n := range s.Notes {
		if c.actors[engine.Root(n.Actor)] || c.sections[n.Text] || c.forever && (n.Kind == engine.NoteDone || n.Kind == engine.NoteFailed) {
			return true
		}
	}
	runs := func(process string) bool {
		return slices.ContainsFunc(p.lesson.Actors, func(a lessons.Actor) bool { return a.Process == process && c.actors[a.Name] })
	}
	for _, d := range slices.Concat(s.Delivered, s.Missed) {
		if runs(d.Process) {
			return true
		}
	}
	return s.Choice.Kind == engine.Run && (c.actors[engine.Root(s.Choice.Target)] || runs(s.Process)) || s.Choice.Kind.IsFault()
}

// isOf tells whether a key that went names somebody who counts, or their process.
func (p *shown) isOf(c *slice, change engine.Change) bool {
	if change.Old == nil || change.New != nil {
		return false
	}
	texts := strings.FieldsFunc(change.Key+" "+change.Old.Value(), func(r rune) bool { return strings.ContainsRune(" :{},", r) })
	return slices.ContainsFunc(p.lesson.Actors, func(a lessons.Actor) bool {
		return c.actors[a.Name] && (slices.Contains(texts, a.Name) || slices.Contains(texts, a.Process))
	})
}

// use takes up who made a step, and for what it asked.
func (p *shown) use(c *slice, s *engine.Step) {
	for _, n := range s.Notes {
		if n.Kind == engine.NoteEnter && c.sections[n.Text] {
			c.actors[engine.Root(n.Actor)] = true
		}
	}
	for _, n := range s.After.Nodes {
		for _, w := range n.Waits {
			for _, by := range w.By {
				if c.actors[engine.Root(w.Actor)] {
					c.actors[engine.Root(by)] = true
				}
			}
		}
		if n.Deadlock.N > 0 && c.places[engine.Place{Node: n.Node}] {
			for _, w := range n.Deadlock.Waits {
				c.actors[engine.Root(w.Actor)] = true
			}
		}
	}
	if s.Choice.Kind != engine.Run {
		return
	}
	c.actors[engine.Root(s.Choice.Target)] = true
	for _, change := range s.Changes {
		c.places[engine.Place{Node: change.Node, Key: change.Key}] = true
	}
	for _, key := range p.asked(s) {
		c.places[key] = true
	}
}

// asked are the keys that a request names, as far as there have ever been such keys, and the rows of its table.
func (p *shown) asked(s *engine.Step) []engine.Place {
	e, is := s.Request.(engine.Exec)
	if !is {
		return nil
	}
	var all []engine.Place
	for _, key := range p.everKept(e.Node) {
		table, _, isRow := strings.Cut(key, "/")
		if slices.Contains(e.Op.Keys, key) || slices.Contains(e.Op.Args, key) || isRow && e.Op.IsStatement() && strings.Contains(e.Op.Args[0], table) {
			all = append(all, engine.Place{Node: e.Node, Key: key})
		}
	}
	for _, name := range slices.Concat(e.Op.Keys, e.Op.Args[min(1, len(e.Op.Args)):]) { // of what has never been there
		all = append(all, engine.Place{Node: e.Node, Key: name})
	}
	return all
}

// everKept are the names of all keys that a node has had.
func (p *shown) everKept(node string) []string {
	var all []string
	for n := range len(p.trace.Steps) + 1 {
		view, _ := p.trace.At(n).Node(node)
		for _, k := range view.Keys {
			if !slices.Contains(all, k.Name) {
				all = append(all, k.Name)
			}
		}
	}
	return all
}

// noPart says why a step had no part in a breach; empty: it may have had one.
func (p *shown) noPart(c *slice, of told) string {
	s := of.step
	if !c.steps[s.N] {
		return "it has nothing to do with what the rule is about, and with nobody who had"
	}
	if p.isTried(s, c.breach) && !p.mayAskWhoIs(c.breach) && p.comesToNothing(s.N, c.breach.N) {
		return "all else goes as it did without it"
	}
	for _, n := range s.Notes {
		says := p.has(of.text, saysEnter, n.Actor, n.Text)
		if n.Kind == engine.NoteEnter && says && n.Actor != c.breach.Choice.Target && !p.stayed(n, s.N, c.breach.N) {
			return n.Actor + " had left when anybody else wanted in"
		}
		if n.Kind == engine.NoteWant && p.has(of.text, saysWants, n.Actor, n.Text) && !c.actors[engine.Root(n.Actor)] {
			return n.Actor + " has nothing to do with it"
		}
	}
	return ""
}

// isTried tells whether a schedule is played without a fault: one of a process that stood still and went on at once, or of a
// link that was mended. All others are told, although some come to nothing.
func (p *shown) isTried(s, breach *engine.Step) bool {
	ofProcess := func(name string) bool {
		return slices.ContainsFunc(p.lesson.Actors, func(a lessons.Actor) bool { return a.Process == name })
	}
	return slices.ContainsFunc(p.trace.Steps[s.N:breach.N], func(later engine.Step) bool {
		ends := []string{later.Choice.Target, later.Choice.Other}
		resumed := later.Choice.Kind == engine.Resume && s.Choice.Kind == engine.Pause && later.Choice.Target == s.Choice.Target
		mended := later.Choice.Kind == engine.Heal && s.Choice.Kind == engine.Cut && slices.Contains(ends, s.Choice.Target) && slices.Contains(ends, s.Choice.Other)
		return resumed && later.At == s.At && ofProcess(s.Choice.Target) || mended && (ofProcess(ends[0]) || ofProcess(ends[1])) && !p.losesMeanwhile(s.N, later.N)
	})
}

// losesMeanwhile tells whether anything was lost between two steps, or the first one told a server of a session: then it is
// told, whosever it was.
func (p *shown) losesMeanwhile(from, to int) bool {
	return len(p.trace.Steps[from-1].Changes) > 0 || slices.ContainsFunc(p.trace.Steps[from:to], func(s engine.Step) bool { return s.NoReply != "" || len(s.Missed) > 0 })
}

// mayAskWhoIs tells whether a rule of the lesson's own is broken that asks how a process is, which no step says.
func (p *shown) mayAskWhoIs(breach *engine.Step) bool {
	return slices.ContainsFunc(p.lesson.Rules, func(r lessons.Rule) bool {
		return strings.Contains(r.Lua, "status(") && slices.ContainsFunc(breach.Broken, func(b engine.Violation) bool { return b.Invariant == r.Name })
	})
}

// stayed tells whether an actor that got in was still inside at a breach, or when somebody else wanted or got in, or found
// somebody there; or came back and removed what was no longer its own.
func (p *shown) stayed(enter engine.Note, from, breach int) bool {
	if len(whoIsInside(p.trace.At(from))[enter.Text]) > 1 {
		return true
	}
	for n := from; n < breach; n++ {
		if a, _ := p.trace.At(n).Actor(enter.Actor); !slices.Contains(a.Inside, enter.Text) {
			return slices.ContainsFunc(p.trace.Steps[n:breach], func(s engine.Step) bool {
				return s.Choice.Target == enter.Actor && slices.ContainsFunc(s.Changes, func(c engine.Change) bool { return c.New == nil })
			})
		}
		if slices.ContainsFunc(p.trace.Steps[n].Notes, func(o engine.Note) bool {
			return o.Text == enter.Text && o.Actor != enter.Actor && (o.Kind == engine.NoteEnter || o.Kind == engine.NoteWant)
		}) {
			return true
		}
	}
	return true
}

// comesToNothing tells whether all steps until a breach go as they did when a fault is left out, with what undid it.
func (p *shown) comesToNothing(fault, breach int) bool {
	scenario, err := p.lesson.Scenario(p.lesson.Open(lessons.Embedded))
	if err != nil {
		p.t.Fatal(err)
	}
	w, err := engine.NewWorld(p.t.Context(), scenario)
	if err != nil {
		p.t.Fatal(err)
	}
	for i := range breach {
		was := &p.trace.Steps[i]
		if i == fault-1 {
			continue
		}
		now, err := w.Apply(p.t.Context(), was.Choice)
		_, cannot := errors.AsType[*engine.NotEnabledError](err)
		switch {
		case cannot && was.Choice.Kind.IsFault():
		case cannot:
			return false
		case err != nil:
			p.t.Fatal(err)
		case !alike(&now, was):
			return false
		}
	}
	return true
}

// alike tells whether two steps came to the same, but for how machines and links are.
func alike(a, b *engine.Step) bool {
	notes := func(s *engine.Step) (all []string) {
		for _, n := range s.Notes {
			all = append(all, n.Actor+" "+string(n.Kind)+" "+n.Text)
		}
		return all
	}
	change := func(a, b engine.Change) bool {
		return a.Node == b.Node && a.Key == b.Key && (a.New == nil) == (b.New == nil) && (a.New == nil || a.New.Equal(*b.New))
	}
	return a.At == b.At && a.NoReply == b.NoReply && a.Message == b.Message && (a.Reply == nil) == (b.Reply == nil) && (a.Reply == nil || a.Reply.Equal(*b.Reply)) &&
		slices.Equal(notes(a), notes(b)) && slices.EqualFunc(a.Changes, b.Changes, change) && len(a.Broken) == len(b.Broken)
}
