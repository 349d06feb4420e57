package attach

import (
	"slices"

	"lockstep/engine"
	"lockstep/recording"
)

// lock is held by one client, or by several that share it.
type lock struct {
	key     string
	holders []holder // in the order in which they came
}

type holder struct {
	actor, token string
	shared       bool // beside others that share it
	since        engine.Instant
}

// Claim is who has a lock, or waits for it.
type Claim struct {
	Lock, Actor string
	Waits       bool
}

// claims are since when clients have locks, or wait for them.
func (l *locks) claims() map[Claim]engine.Instant {
	since := map[Claim]engine.Instant{}
	for _, k := range l.all {
		for _, h := range slices.Backward(k.holders) { // the first hold of several counts
			since[Claim{k.key, h.actor, false}] = h.since
		}
	}
	for key, waits := range l.waiting {
		for _, w := range waits {
			since[Claim{key, w.actor, true}] = w.since
		}
	}
	return since
}

// insider is an actor in a lock, by one hold or several.
type insider struct {
	actor  string
	shared bool // none of them is exclusive
}

func (in insider) event(kind recording.Kind, key string, at engine.Instant) *recording.Event {
	return &recording.Event{At: at, Actor: in.actor, Kind: kind, Section: key, Shared: in.shared}
}

// inside are the actors that hold a lock, in the order in which they came.
func (k *lock) inside() (all []insider) {
	for _, h := range k.list() {
		i := slices.IndexFunc(all, func(in insider) bool { return in.actor == h.actor })
		if i < 0 {
			i = len(all)
			all = append(all, insider{h.actor, true})
		}
		all[i].shared = all[i].shared && h.shared
	}
	return all
}

func (k *lock) list() []holder {
	if k == nil {
		return nil
	}
	return k.holders
}

func (k *lock) count() int { return len(k.list()) }

func (k *lock) isOf(which func(holder) bool) bool { return slices.ContainsFunc(k.list(), which) }

func (k *lock) clone() *lock {
	if k == nil {
		return nil
	}
	return &lock{key: k.key, holders: slices.Clone(k.holders)}
}

// has tells whether a key still has a lock's token.
func has(k *engine.Key, token string) bool {
	_, field := k.Get(token)
	return k.Type == engine.StringKey && k.Text == token || field
}
