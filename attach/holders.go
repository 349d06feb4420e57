package attach

import (
	"slices"

	"lockstep/engine"
	"lockstep/node/redis/clients"
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
	found        bool // then, so it has been held for longer
}

// claims are those of all locks: who holds them, by lock, then who waits.
func (l *locks) claims(held, wanted []engine.Holding) (all []clients.Claim) {
	for _, k := range held {
		for _, actor := range k.Actors { // the first hold of several counts
			holders := l.all[k.Section].holders
			first := holders[slices.IndexFunc(holders, func(h holder) bool { return h.actor == actor })]
			all = append(all, clients.Claim{Lock: k.Section, Actor: actor, Since: first.since, Found: first.found})
		}
	}
	for _, k := range wanted {
		for _, w := range l.waiting[k.Section] {
			all = append(all, clients.Claim{Lock: k.Section, Actor: w.actor, Waits: true, Since: w.since})
		}
	}
	return all
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
