package attach

import (
	"slices"
	"time"

	"lockstep/engine"
)

// patience is for how long somebody who was refused a lock counts as waiting for it, without
// asking again.
const patience = 10 * time.Second

type wait struct {
	actor string
	since engine.Instant
	last  engine.Instant // when it asked
	line  int            // the number of the step that tells of it; 0: the next one does
}

// asks notes that somebody wants a lock that another has; true: it did not before.
func (l *locks) asks(key, actor string, now engine.Instant) bool {
	if w := l.waitOf(key, actor); w != nil {
		w.last = now
		return false
	}
	if l.waiting[key] == nil && len(l.waiting) == mostKeys {
		return false
	}
	l.changed = true
	l.waiting[key] = append(l.waiting[key], &wait{actor: actor, since: now, last: now})
	return true
}

// waitOf is how somebody waits for a lock; nil: it does not.
func (l *locks) waitOf(key, actor string) *wait {
	for _, w := range l.waiting[key] {
		if w.actor == actor {
			return w
		}
	}
	return nil
}

// stops notes that somebody waits no longer, if it did.
func (l *locks) stops(key, actor string) {
	before := len(l.waiting[key])
	l.waiting[key] = slices.DeleteFunc(l.waiting[key], func(w *wait) bool { return w.actor == actor })
	l.changed = l.changed || len(l.waiting[key]) < before
}

// giveUp forgets those who have not asked for long.
func (l *locks) giveUp(now engine.Instant) {
	for key, waits := range l.waiting {
		still := slices.DeleteFunc(waits, func(w *wait) bool { return now-w.last > patience })
		l.changed = l.changed || len(still) < len(waits)
		if l.waiting[key] = still; len(still) == 0 {
			delete(l.waiting, key)
		}
	}
}

func (l *locks) wanted() (all []engine.Holding) {
	for key, waits := range l.waiting {
		h := engine.Holding{Section: key}
		for _, w := range waits {
			h.Actors = append(h.Actors, w.actor)
		}
		if len(waits) > 0 {
			all = append(all, h)
		}
	}
	return sorted(all)
}
