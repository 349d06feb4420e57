package attach

import (
	"slices"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/recording"
)

// LeaseOutlived warns that a holder came back to a lock after its lease had ended. All other warnings have
// names of the engine's invariants.
const LeaseOutlived = "lease-outlived"

// absence bounds the time between the end of a lease and its holder's return.
const absence = 10 * time.Minute

// mostLapsed bounds the holds whose holders may return.
const mostLapsed = 200

// lapse is a hold after the end of its lease, until the holder returns.
type lapse struct {
	holder
	key  string
	at   engine.Instant
	left *recording.Event // the holder's leave at the end of the lease; nil: another hold kept it inside
}

// expired follows the expiry of a key.
func (l *locks) expired(key string, at engine.Instant) []*recording.Event {
	if base, ok := leaseBase(key); ok {
		return l.leaseEnds(base, key, at)
	}
	return l.lapse(l.all[key], at, func(holder) bool { return true })
}

// lapse ends some holds of a lock. It remembers them, for their holders may come back.
func (l *locks) lapse(k *lock, at engine.Instant, which func(holder) bool) (events []*recording.Event) {
	if k == nil {
		return nil
	}
	was := k.clone()
	k.holders = slices.DeleteFunc(k.holders, which)
	if len(k.holders) == 0 {
		delete(l.all, k.key)
	}
	l.changed = true
	left := map[string]*recording.Event{}
	for _, in := range was.inside() {
		if !k.isOf(func(h holder) bool { return h.actor == in.actor }) {
			left[in.actor] = in.event(recording.Leave, k.key, at)
			events = append(events, left[in.actor])
		}
	}
	for _, h := range was.holders {
		if which(h) {
			l.lapsed = append(l.lapsed, &lapse{holder: h, key: k.key, at: at, left: left[h.actor]})
		}
	}
	l.lapsed = l.lapsed[max(0, len(l.lapsed)-mostLapsed):]
	return events
}

// comesBack warns of holders that go on with a lock after its lease. An actor that asks for the lock anew
// gets no warning.
func (l *locks) comesBack(s *engine.Step, a act, wanted string) (events []*recording.Event) {
	if len(l.lapsed) == 0 {
		return nil
	}
	about := a.about()
	l.lapsed = slices.DeleteFunc(l.lapsed, func(was *lapse) bool {
		switch {
		case s.At-was.at > absence:
			return true
		case !slices.Contains(about, was.key):
			return false
		case was.key == wanted:
			return was.actor == a.actor // it begins anew
		case !a.knows(was.token) && was.actor != a.actor:
			return false
		}
		if a.actor == Unseen {
			return true
		}
		l.warn(s, LeaseOutlived, was.key, fact.Of("text", was.actor+", "+was.key))
		if was.left != nil {
			was.left.Kind = recording.Request // undone: the holder thought itself inside until now
			events = append(events, insider{was.actor, was.shared}.event(recording.Leave, was.key, s.At))
		}
		return true
	})
	return events
}
