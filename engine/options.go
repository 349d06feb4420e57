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
	for _, f := range w.scenario.Faults {
		for _, row := range ChoiceKinds {
			if row.AllowedBy == f.Kind {
				add(Choice{Kind: row.Kind, Target: f.Target})
			}
		}
	}
	return os
}

// reason says why a choice cannot happen now; its zero value means that it may.
func (w *World) reason(c Choice) fact.Fact {
	switch c.Kind.Of() {
	case AnActor:
		return w.notRunnable(c.Target)
	case TheClock:
		return w.notTickable(c.Span)
	case AProcess:
		return w.notPossible(c)
	}
	return fact.Of(ReasonUnknown, c)
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
		return fact.Of("sleeping", At(t.until))
	case Waiting:
		channel := t.next.(Receive).Channel
		if t.until == NoDeadline {
			return fact.Of("waiting", channel)
		}
		return fact.Of("waiting-until", channel, At(t.until))
	case Ready:
	}
	return fact.Fact{}
}

func (w *World) notTickable(span time.Duration) fact.Fact {
	if span == 0 {
		if _, due := w.nextDue(); !due {
			return fact.Of("nothing-due")
		}
		return fact.Fact{}
	}
	if span < 0 || span > min(MaxSpan, lastInstant-w.now) {
		return fact.Of("too-far", FormatSpan(span))
	}
	return fact.Fact{}
}

func (w *World) notPossible(c Choice) fact.Fact {
	p := w.process(c.Target)
	fault, _ := c.AllowedBy()
	switch not := c.Kind.row().not; {
	case p == nil || !slices.Contains(w.scenario.Faults, fault):
		return fact.Of(ReasonUnknown, c)
	case p.crashed:
		return fact.Of("crashed", p.name)
	case not != nil:
		return not(w, p)
	}
	return fact.Fact{}
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
	switch req := t.next.(type) {
	case Sleep:
		return Sleeping
	case Receive:
		if w.letter(t.process, req) < 0 {
			return Waiting
		}
	}
	return Ready
}
