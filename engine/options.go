package engine

import (
	"slices"
	"time"

	"lockstep/engine/fact"
)

// options lists every choice that a learner may see, enabled or not.
func (w *World) options() []Option {
	var os []Option
	add := func(c Choice) { os = append(os, Option{Choice: c, Reason: w.reason(c)}) }
	for _, t := range w.threads {
		add(Choice{Kind: Run, Target: t.name})
	}
	add(Choice{Kind: Tick})
	for _, c := range w.besides() {
		add(c)
	}
	return os
}

// besides are the choices that neither an actor nor the clock makes.
func (w *World) besides() []Choice {
	cs := w.faults()
	for _, s := range w.servers {
		if s.leader != "" {
			cs = append(cs, Choice{Kind: Replicate, Target: s.name})
		}
		if len(s.queue) > 1 {
			cs = append(cs, Choice{Kind: Replicate, Target: s.name, Other: Replicate.Row().May})
		}
	}
	return cs
}

// faults are the choices that the scenario's faults allow, each with what ends it.
func (w *World) faults() []Choice {
	var cs []Choice
	for _, f := range w.scenario.Faults {
		for i := range ChoiceKinds {
			row := &ChoiceKinds[i]
			if row.AllowedBy != f.Kind {
				continue
			}
			c := Choice{Kind: row.Kind, Target: f.Target, Other: f.Other, Span: f.Span}
			back := Choice{Kind: row.Kind, Target: f.Other, Other: f.Target}
			if w.has(c) && !slices.Contains(cs, c) && (row.Kind != Heal || !slices.Contains(cs, back)) {
				cs = append(cs, c)
			}
		}
		if s := w.server(f.Target); s != nil && s.saved != nil && f.Kind == Crash {
			cs = append(cs, Choice{Kind: Restart, Target: f.Target, Other: Restart.Row().May})
		}
	}
	return cs
}

// has tells whether what a choice is about is there.
func (w *World) has(c Choice) bool {
	switch c.Kind.Of() {
	case AnActor:
		return w.thread(c.Target) != nil
	case AProcess:
		return w.process(c.Target) != nil
	case ANode:
		return w.server(c.Target) != nil
	case AMachine, AClock:
		return w.machine(c.Target) != nil
	case ALink:
		return w.machine(c.Target) != nil && w.machine(c.Other) != nil && c.Target != c.Other &&
			(w.server(c.Target) != nil || w.server(c.Other) != nil)
	case TheClock:
		return true
	}
	return false
}

// reason says why a choice cannot happen now; its zero value means that it may.
func (w *World) reason(c Choice) fact.Fact {
	switch of := c.Kind.Of(); {
	case of == AnActor:
		return w.notRunnable(c.Target)
	case of == TheClock:
		return w.notTickable(c.Span)
	case of == "" || !w.has(c) || !c.IsAllowed(w.scenario.Faults):
		return fact.Of(ReasonUnknown, c)
	}
	if c.Kind.Of() != ALink && c.Kind != Restart && w.machine(c.Target).crashed {
		return w.stopped(c.Target)
	}
	if cannot := c.Kind.Row().cannot; cannot != nil {
		return cannot(w, c)
	}
	return fact.Fact{}
}

func (w *World) notRunnable(actor string) fact.Fact {
	t := w.thread(actor)
	if t == nil {
		return fact.Of(ReasonUnknown, actor)
	}
	switch status := w.status(t); status {
	case Crashed:
		return fact.Of("crashed", t.process)
	case Finished:
		return fact.Of("done")
	case Failed:
		return fact.Of(ReasonFailed, t.failure)
	case Paused:
		return fact.Of("paused", t.process)
	case Sleeping:
		if sleep, _ := t.next.(Sleep); sleep.Label != "" {
			return fact.Of("working", At(t.until))
		}
		return fact.Of("sleeping", At(t.until))
	case Waiting:
		if task, awaits := t.next.(Await); awaits {
			return fact.Of("awaits", task.Name)
		}
		channel := t.next.(Receive).Channel
		if t.until == NoDeadline {
			return fact.Of("waiting", channel)
		}
		return fact.Of("waiting-until", channel, At(t.until))
	case Unanswered:
		return fact.Of("unanswered", t.sent.node, At(t.until))
	case Blocked:
		return fact.Of("blocked", t.sent.node)
	case Ready:
	}
	return fact.Fact{}
}

func (w *World) notTickable(span time.Duration) fact.Fact {
	if span == 0 {
		if _, due := w.nextDue(); !due {
			return w.nothingDue()
		}
		return fact.Fact{}
	}
	if span < 0 || span > min(MaxSpan, LastInstant-w.now) {
		return fact.Of("too-far", FormatSpan(span))
	}
	return fact.Fact{}
}

// nothingDue says why nothing is due: who has a message to take gives up no more, though its time goes by.
func (w *World) nothingDue() fact.Fact {
	for _, t := range w.threads {
		if _, receives := t.next.(Receive); receives && t.until != NoDeadline && w.status(t) == Ready {
			return fact.Of("message-first", t.name)
		}
	}
	return fact.Of("nothing-due")
}

func (w *World) status(t *thread) Status {
	p := w.process(t.process)
	switch {
	case t.failure.Code != "":
		return Failed
	case t.ended():
		return Finished
	case p.crashed:
		return Crashed
	case p.paused:
		return Paused
	}
	if q := t.sent; q != nil && q.answer == nil {
		if q.missing == InNode {
			return Blocked
		}
		return Unanswered
	}
	switch req := t.next.(type) {
	case Sleep:
		return Sleeping
	case Await:
		return Waiting
	case Receive:
		if w.letter(t.process, req) < 0 {
			return Waiting
		}
	}
	return Ready
}
