package attach

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons/recording"
)

// LeaseOutlived is the name of the warning that a holder came back to a lock whose lease had
// ended. The other warnings are invariants of the engine.
const LeaseOutlived = "lease-outlived"

// patience is for how long somebody who was refused a lock counts as waiting for it, without
// asking again.
const patience = 10 * time.Second

// absence is for how long a holder may still come back to a lock whose lease has ended.
const absence = 10 * time.Minute

// mostLapsed is how many of those there are at most.
const mostLapsed = 200

// locks are what is recognised as one: a key that was made by SET with NX, by SETNX, or by a
// script that was given the key, and whose text, or only field, is one of the script's
// arguments. Whoever made it is the holder, and whoever shows its token speaks for the holder.
type locks struct {
	all      map[string]*lock   // by key, as everywhere here; keys that are shown
	lapsed   map[string]*lock   // their leases ended, and their holders have not come back
	waiting  map[string][]*wait // longest first
	acquires map[string]bool    // scripts that have made a lock, by SHA1
	changed  bool               // who holds what, or who waits, since it was last shown
}

type lock struct {
	key, holder, token string
	left               *recording.Event // of a lapsed lock: that the holder left its section
}

type wait struct {
	actor string
	last  engine.Instant // when it asked
}

// act is what a client did.
type act struct {
	actor   string
	args    []string
	script  *call
	source  string // of the script
	changes []engine.Change
	failed  bool
}

func newLocks() locks {
	return locks{all: map[string]*lock{}, lapsed: map[string]*lock{}, waiting: map[string][]*wait{}, acquires: map[string]bool{}}
}

// wants is the lock that an act asks for, and the token.
func (l *locks) wants(a act) (key, token string) {
	switch verb := strings.ToUpper(a.args[0]); {
	case verb == "SETNX" && len(a.args) == 3:
		return a.args[1], a.args[2]
	case verb == "SET" && len(a.args) > 3 && slices.ContainsFunc(a.args[3:], func(o string) bool { return strings.EqualFold(o, "NX") }):
		return a.args[1], a.args[2]
	case a.script != nil && len(a.script.keys) > 0 && l.acquires[a.script.sha]:
		return a.script.keys[0], ""
	}
	return "", ""
}

// knows tells whether an act shows the token of a lock.
func (a act) knows(token string) bool {
	given := a.args
	if a.script != nil {
		given = a.script.values
	}
	return slices.Contains(given, token)
}

// about are the keys that an act may be about, among other words.
func (a act) about() []string {
	if a.script != nil {
		return a.script.keys
	}
	return a.args[1:]
}

// tokenIn is what makes a key a lock of whoever made it by this act.
func (a act) tokenIn(k *engine.Key) (token string, ok bool) {
	switch {
	case k.Type == engine.StringKey:
		token = k.Text
	case k.Type == engine.HashKey && len(k.Items) == 1:
		token = k.Items[0].Name
	default:
		return "", false
	}
	verb := strings.ToUpper(a.args[0])
	if a.script == nil {
		return token, k.Type == engine.StringKey && (verb == "SET" || verb == "SETNX")
	}
	source := strings.ToLower(a.source) // one that sets a key whether or not it is there makes no lock
	asks := strings.Contains(source, "nx") || strings.Contains(source, "exists")
	return token, asks && slices.Contains(a.script.keys, k.Name) && slices.Contains(a.script.values, token)
}

// judge notes in a step what it did to locks, and what is wrong with it.
func (l *locks) judge(s *engine.Step, a act) (events []*recording.Event) {
	note := func(actor string, kind engine.NoteKind, key string) {
		s.Notes = append(s.Notes, engine.Note{Actor: actor, Kind: kind, Text: key})
		switch kind { //nolint:exhaustive // a lesson's clients do not tell of the others
		case engine.NoteEnter:
			events = append(events, &recording.Event{At: s.At, Actor: actor, Kind: recording.Enter, Section: key})
		case engine.NoteLeave:
			events = append(events, &recording.Event{At: s.At, Actor: actor, Kind: recording.Leave, Section: key})
		}
	}
	warn := func(name string, detail fact.Fact) {
		s.Broken = append(s.Broken, engine.Violation{Invariant: name, Detail: detail})
	}
	key, token := l.wants(a)
	events = append(events, l.comesBack(s, a, key)...)
	made := false
	for _, c := range a.changes {
		had := l.all[c.Key]
		if had != nil && (c.New == nil || !has(c.New, had.token)) {
			if had.holder != a.actor && !a.knows(had.token) {
				warn("released-by-holder", fact.Of("released-by-holder", a.actor, c.Key, had.holder))
			}
			note(had.holder, engine.NoteLeave, c.Key)
			l.leaveOut(c.Key)
		}
		if c.New == nil || l.all[c.Key] != nil {
			if c.New != nil && c.Old != nil && c.New.Deadline == engine.NoDeadline && c.Old.Deadline != engine.NoDeadline {
				warn("no-lock-without-ttl", fact.Of("no-lock-without-ttl", c.Key))
			}
			continue
		}
		got, ok := a.tokenIn(c.New)
		if ok = ok && (had != nil || c.Old == nil && (a.script != nil || key == c.Key)); !ok {
			continue
		}
		made = made || key == c.Key
		l.all[c.Key] = &lock{key: c.Key, holder: a.actor, token: got}
		l.changed = true
		if a.script != nil {
			l.acquires[a.script.sha] = true
		}
		if l.stops(c.Key, a.actor) {
			note(a.actor, engine.NoteUnwant, c.Key)
		}
		note(a.actor, engine.NoteEnter, c.Key)
		if c.New.Deadline == engine.NoDeadline {
			warn("no-lock-without-ttl", fact.Of("no-lock-without-ttl", c.Key))
		}
	}
	if held := l.all[key]; held != nil && !made && !a.failed && held.token != token && !a.knows(held.token) {
		if l.asks(key, a.actor, s.At) {
			note(a.actor, engine.NoteWant, key)
		}
		note(a.actor, engine.NoteRefused, key)
	}
	return events
}

// comesBack finds that a holder goes on with a lock that it has no longer.
func (l *locks) comesBack(s *engine.Step, a act, wanted string) (events []*recording.Event) {
	for _, key := range a.about() {
		was := l.lapsed[key]
		switch {
		case was == nil || s.At-was.left.At > absence:
		case key == wanted && was.holder == a.actor:
			delete(l.lapsed, key) // it begins anew
		case key != wanted && (a.knows(was.token) || was.holder == a.actor):
			delete(l.lapsed, key)
			s.Broken = append(s.Broken, engine.Violation{Invariant: LeaseOutlived, Detail: fact.Of("text", was.holder+", "+key)})
			was.left.Kind, was.left.Actor = recording.Request, was.holder // it had not left yet: an event of nothing
			events = append(events, &recording.Event{At: s.At, Actor: was.holder, Kind: recording.Leave, Section: key})
		}
	}
	return events
}

// expired notes that a key has.
func (l *locks) expired(key string, at engine.Instant) []*recording.Event {
	had := l.leaveOut(key)
	if had == nil {
		return nil
	}
	had.left = &recording.Event{At: at, Actor: had.holder, Kind: recording.Leave, Section: key}
	if len(l.lapsed) == mostLapsed {
		first := had
		for _, was := range l.lapsed {
			if was.left.At < first.left.At {
				first = was
			}
		}
		delete(l.lapsed, first.key)
	}
	l.lapsed[key] = had
	return []*recording.Event{had.left}
}

// leaveOut forgets that a lock is held, and returns it if it was.
func (l *locks) leaveOut(key string) *lock {
	had := l.all[key]
	if had != nil {
		delete(l.all, key)
		l.changed = true
	}
	return had
}

// has tells whether a key still has a lock's token.
func has(k *engine.Key, token string) bool {
	_, field := k.Get(token)
	return k.Type == engine.StringKey && k.Text == token || field
}

// asks notes that somebody wants a lock that another has; true: it did not before.
func (l *locks) asks(key, actor string, now engine.Instant) bool {
	for _, w := range l.waiting[key] {
		if w.actor == actor {
			w.last = now
			return false
		}
	}
	if l.waiting[key] == nil && len(l.waiting) == mostKeys {
		return false
	}
	l.changed = true
	l.waiting[key] = append(l.waiting[key], &wait{actor, now})
	return true
}

// stops notes that somebody waits no longer; false: it did not wait.
func (l *locks) stops(key, actor string) bool {
	before := len(l.waiting[key])
	l.waiting[key] = slices.DeleteFunc(l.waiting[key], func(w *wait) bool { return w.actor == actor })
	l.changed = l.changed || len(l.waiting[key]) < before
	return len(l.waiting[key]) < before
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

// forget drops somebody who has gone from those that wait. What it holds stays locked.
func (l *locks) forget(actor string) {
	for key := range l.waiting {
		l.stops(key, actor)
	}
}

func (l *locks) held() (all []engine.Holding) {
	for key, k := range l.all {
		all = append(all, engine.Holding{Section: key, Actors: []string{k.holder}})
	}
	return sorted(all)
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

func sorted(all []engine.Holding) []engine.Holding {
	slices.SortFunc(all, func(a, b engine.Holding) int { return cmp.Compare(a.Section, b.Section) })
	return all
}
