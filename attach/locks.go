package attach

import (
	"cmp"
	"slices"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/recording"
)

// locks are the keys that are recognised as locks. A string is one if SETNX, or SET with NX, made it. A
// string, or a hash with one field, is one if a script made it from its KEYS and its ARGV has the token.
// Redisson's read-write lock is a hash with its mode. The maker of a lock is a holder, and an act that shows
// the token is taken for the holder's.
type locks struct {
	all      map[string]*lock    // held locks, by key
	lapsed   []*lapse            // the oldest first
	leases   map[string][]string // readers' lease keys, by leaseBase; no list is empty
	waiting  map[string][]*wait  // by key; the longest wait first
	acquires map[string]bool     // scripts that have made a lock, by SHA1
	tokens   map[string]string   // who has shown which token as a holder
	changed  bool                // holders or waiters, since the last scene
	warned   []string            // the locks that the step's warnings are about, in their order
}

func newLocks() locks {
	return locks{all: map[string]*lock{}, leases: map[string][]string{}, waiting: map[string][]*wait{}, acquires: map[string]bool{}, tokens: map[string]string{}}
}

// grants are the new holds in a change of a key by an act.
func (l *locks) grants(a act, c engine.Change) (all []holder) {
	switch _, known := l.all[c.Key]; {
	case c.New == nil:
	case a.actor == Unseen:
		return l.found(a, c)
	case isReadWrite(c.New):
		return l.readWriteGrants(a, c)
	case known || c.Old == nil && (a.script != nil || l.isWanted(a, c.Key)):
		if token, ok := a.tokenIn(c.New); ok {
			return []holder{{actor: a.actor, token: token}}
		}
	}
	return nil
}

// found is the hold in a key that was read. Its holder is whoever has shown its token before, or else Unseen.
func (l *locks) found(a act, c engine.Change) []holder {
	token := c.New.Text
	if c.New.Type == engine.HashKey && len(c.New.Items) == 1 {
		token = c.New.Items[0].Name
	}
	actor, known := l.tokens[token]
	if !known && l.all[c.Key] == nil && !l.isWanted(a, c.Key) {
		return nil
	}
	return []holder{{actor: cmp.Or(actor, Unseen), token: token}}
}

// shows gives holds that were found, whose holders are not known, to the actor whose act shows their tokens.
func (l *locks) shows(s *engine.Step, a act) (events []*recording.Event) {
	for _, key := range a.about() {
		k := l.all[key]
		before := k.clone()
		for i, h := range k.list() {
			if h.actor == Unseen && a.knows(h.token) {
				k.holders[i].actor = a.actor
			}
		}
		events = append(events, l.crossings(s, before, k)...)
	}
	return events
}

// judge adds an act's effects on locks to its step, as notes and broken rules.
func (l *locks) judge(s *engine.Step, a act) (events []*recording.Event) {
	key, token := l.wants(a)
	events = append(l.shows(s, a), l.comesBack(s, a, key)...)
	for _, c := range a.changes {
		l.lease(c)
	}
	made := false
	for _, c := range a.changes {
		more, granted := l.change(s, a, c)
		events = append(events, more...)
		made = made || granted && c.Key == key
	}
	if held := l.all[key]; held != nil && !made && !a.failed && !held.isOf(func(h holder) bool { return h.token == token || a.knows(h.token) }) {
		if l.asks(key, a.actor, s.At) {
			note(s, a.actor, engine.NoteWant, key)
		}
		note(s, a.actor, engine.NoteRefused, key)
	}
	return events
}

func note(s *engine.Step, actor string, kind engine.NoteKind, key string) {
	s.Notes = append(s.Notes, engine.Note{Actor: actor, Kind: kind, Text: key})
}

// mostTokens bounds locks.tokens. Beyond it all are forgotten: the next act of a holder shows its token again.
const mostTokens = 1000

func (l *locks) remember(h holder) {
	if len(l.tokens) >= mostTokens {
		clear(l.tokens)
	}
	l.tokens[h.token] = h.actor
}

func (l *locks) warn(s *engine.Step, name, key string, detail fact.Fact) {
	l.warned = append(l.warned, key)
	s.Broken = append(s.Broken, engine.Violation{Invariant: name, Detail: detail})
}

// change follows a change of a key that is, was or becomes a lock. granted: the lock has a new hold.
func (l *locks) change(s *engine.Step, a act, c engine.Change) (events []*recording.Event, granted bool) {
	had := l.all[c.Key]
	before := had.clone()
	if had != nil {
		had.holders = slices.DeleteFunc(had.holders, func(h holder) bool { return c.New == nil || !has(c.New, h.token) })
	}
	kept := had.count()
	for _, h := range before.list() {
		gone := !had.isOf(func(o holder) bool { return o == h })
		if gone && h.actor != a.actor && a.actor != Unseen && !a.knows(h.token) {
			l.warn(s, "released-by-holder", c.Key, fact.Of("released-by-holder", a.actor, c.Key, h.actor))
		}
	}
	for _, h := range l.grants(a, c) {
		if had == nil {
			had = &lock{key: c.Key}
			l.all[c.Key] = had
		}
		if !had.isOf(func(o holder) bool { return o.token == h.token }) {
			h.since, h.found = s.At, a.actor == Unseen
			had.holders = append(had.holders, h)
			l.remember(h)
		}
	}
	granted = had.count() > kept
	if had != nil && len(had.holders) == 0 {
		delete(l.all, c.Key)
	}
	if granted && a.script != nil {
		l.acquires[a.script.sha] = true
	}
	if c.New != nil && a.actor != Unseen && c.New.Deadline == engine.NoDeadline && (granted || kept > 0 && c.Old != nil && c.Old.Deadline != engine.NoDeadline) {
		l.warn(s, "no-lock-without-ttl", c.Key, fact.Of("no-lock-without-ttl", c.Key))
	}
	return l.crossings(s, before, had), granted
}

// crossings notes the actors that left a lock, then those that entered. A change between shared and alone is
// a leave and an enter.
func (l *locks) crossings(s *engine.Step, before, after *lock) (events []*recording.Event) {
	was, is := before.inside(), after.inside()
	for _, in := range was {
		if !slices.Contains(is, in) {
			note(s, in.actor, engine.NoteLeave, before.key)
			events = append(events, in.event(recording.Leave, before.key, s.At))
			l.changed = true
		}
	}
	for _, in := range is {
		if slices.Contains(was, in) {
			continue
		}
		l.stops(after.key, in.actor)
		for _, w := range l.waiting[after.key] { // they are told of anew
			w.line = 0
		}
		note(s, in.actor, engine.NoteEnter, after.key)
		events = append(events, in.event(recording.Enter, after.key, s.At))
		l.changed = true
	}
	return events
}

// hide forgets a key that leaves the page. Its holders leave their sections.
func (l *locks) hide(key string, at engine.Instant) (events []*recording.Event) {
	if base, ok := leaseBase(key); ok {
		l.leaseLeaves(base, key)
	}
	k := l.all[key]
	for _, in := range k.inside() {
		events = append(events, in.event(recording.Leave, key, at))
	}
	if k != nil {
		delete(l.all, key)
		l.changed = true
	}
	return events
}

// isPart tells whether a key is a held lock, or a reader's lease.
func (l *locks) isPart(key string) bool {
	base, ok := leaseBase(key)
	return l.all[key] != nil || ok && l.leases[base] != nil
}

func (l *locks) held() (all []engine.Holding) {
	for key, k := range l.all {
		h := engine.Holding{Section: key}
		for _, in := range k.inside() {
			h.Actors = append(h.Actors, in.actor)
		}
		all = append(all, h)
	}
	return sorted(all)
}

func sorted(all []engine.Holding) []engine.Holding {
	slices.SortFunc(all, func(a, b engine.Holding) int { return cmp.Compare(a.Section, b.Section) })
	return all
}
