package engine

import "time"

// options lists every choice that a learner may see, enabled or not.
func (w *World) options() []Option {
	var os []Option
	add := func(c Choice) { os = append(os, Option{Choice: c, Reason: w.reason(c)}) }
	for _, t := range w.threads {
		add(Choice{Kind: Run, Target: t.name})
	}
	add(Choice{Kind: Tick})
	for _, f := range w.scenario.Faults {
		add(f)
		if f.Kind == Pause {
			add(Choice{Kind: Resume, Target: f.Target})
		}
	}
	return os
}

// reason says why a choice may not happen now; its zero value means that it may.
func (w *World) reason(c Choice) Reason {
	switch c.Kind {
	case Run:
		return w.notRunnable(c.Target)
	case Tick:
		return w.notTickable(c.Span)
	case Crash, Pause, Resume, Drop:
		return w.notPossible(c)
	}
	return Reason{Code: ReasonUnknown, Name: c.String()}
}

func (w *World) notRunnable(actor string) Reason {
	t := w.thread(actor)
	if t == nil {
		return Reason{Code: ReasonUnknown, Name: actor}
	}
	switch status := w.status(t); status {
	case Crashed:
		return Reason{Code: ReasonCrashed, Name: t.process}
	case Finished:
		return Reason{Code: ReasonDone}
	case Failed:
		return Reason{Code: ReasonFailed, Name: t.failure}
	case Paused:
		return Reason{Code: ReasonPaused, Name: t.process}
	case Sleeping:
		return Reason{Code: ReasonSleeping, At: t.until}
	case Waiting:
		return Reason{Code: ReasonWaiting, Name: t.next.(Receive).Channel, At: t.until}
	case Ready:
	}
	return Reason{}
}

func (w *World) notTickable(span time.Duration) Reason {
	if span == 0 {
		if _, due := w.nextDue(); !due {
			return Reason{Code: ReasonNothingDue}
		}
		return Reason{}
	}
	if span < 0 || span > min(MaxSpan, lastInstant-w.now) {
		return Reason{Code: ReasonUnknown, Name: "clock that moves by " + FormatSpan(span)}
	}
	return Reason{}
}

func (w *World) notPossible(c Choice) Reason {
	p := w.process(c.Target)
	if p == nil || !w.allows(c) {
		return Reason{Code: ReasonUnknown, Name: c.String()}
	}
	switch {
	case p.crashed:
		return Reason{Code: ReasonCrashed, Name: p.name}
	case c.Kind == Pause && p.paused:
		return Reason{Code: ReasonPaused, Name: p.name}
	case c.Kind == Resume && !p.paused:
		return Reason{Code: ReasonNotPaused, Name: p.name}
	case c.Kind == Drop && !w.hasMail(p.name):
		return Reason{Code: ReasonNoMessage, Name: p.name}
	}
	return Reason{}
}

func (w *World) allows(c Choice) bool {
	for _, f := range w.scenario.Faults {
		if f == c || f.Kind == Pause && c.Kind == Resume && f.Target == c.Target {
			return true
		}
	}
	return false
}

func (w *World) hasMail(process string) bool {
	for _, d := range w.mail {
		if d.Process == process {
			return true
		}
	}
	return false
}

func (w *World) status(t *thread) Status {
	p := w.process(t.process)
	switch {
	case t.failure != "":
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
