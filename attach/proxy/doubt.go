package proxy

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"lockstep/attach"
	"lockstep/node/redis/port"
)

// Bounds of looking at the real keys.
const (
	mostLooked  = 10 // keys of a command
	mostDoubted = 1000
	mostAtOnce  = 20 // keys of one pipeline
	largeFor    = 10 * time.Second
	everyCheck  = 250 * time.Millisecond
	everyLock   = 8 // checks until a held lock is looked at again, in case somebody else changes it
)

// failed takes an error for an answer. A script may have written before it failed, unless the error says that it has not
// begun, so its keys are in doubt. Any other command that fails has written nothing.
func (m *mirror) failed(e *entry) {
	code, _, _ := strings.Cut(e.answer.Str, " ")
	if isScript(e.args) && !slices.Contains([]string{"NOSCRIPT", "NOPERM", "MOVED", "ASK"}, code) {
		for _, key := range e.keysOf() {
			m.doubt(key)
		}
	}
}

// doubt has a key read soon, whose state is not known.
func (m *mirror) doubt(key string) {
	if len(m.doubted) < mostDoubted && m.proxy.reader.may() {
		m.doubted[key] = struct{}{}
	}
}

// look asks the real Redis for the keys of a command that the mirror could not follow. What was there before it
// becomes a step of its own; what the command has made of them becomes its change.
func (m *mirror) look(e *entry, d *port.Done) {
	keys := slices.Clone(e.keysOf())
	if e.also == nil && !isKnown(e.args) && !isScript(e.args) {
		keys = slices.DeleteFunc(keys, func(k string) bool { return m.touched[k] == 0 })
	}
	keys = keys[:min(len(keys), mostLooked)]
	m.forget(keys...)
	found, ok := m.read(context.Background(), keys)
	if !ok {
		m.proxy.recorder.Forget(keys...)
		for _, key := range keys {
			m.doubt(key)
		}
		return
	}
	m.set(found)
	if !e.cut && !e.unheard && m.perform(e, d) {
		if slices.ContainsFunc(found, func(k looked) bool { return !attach.SameKey(k.Key, m.keyNow(k.Name).Key) }) {
			m.set(found) // no: this is what it has come to
		} else {
			m.proxy.recorder.Unseen(e.at, keysOf(found), d)
			return
		}
	}
	d.Found, d.Heard, d.Flushed = nil, nil, false
	m.proxy.recorder.Forget(keys...)
	d.Keys = keysOf(found)
}

// read reads keys, in one round trip or two. False: they could not be read, or a command that touches one of them was under
// way, so that they may be as before it or as after it.
func (m *mirror) read(ctx context.Context, keys []string) (found []looked, ok bool) {
	if len(keys) == 0 {
		return nil, true
	}
	if m.proxy.awaits(keys) || m.proxy.queue.touches(keys) || m.waits(keys) {
		return nil, false
	}
	found, err := m.proxy.read(ctx, keys)
	return found, err == nil && !m.proxy.awaits(keys) && !m.proxy.queue.touches(keys)
}

func (m *mirror) waits(keys []string) bool {
	return slices.ContainsFunc(m.later, func(e *entry) bool { return e.touches(keys) })
}

func keysOf(found []looked) (keys []port.KeyNow) {
	for _, k := range found {
		keys = append(keys, k.KeyNow)
	}
	return keys
}

// set makes the keys of the mirror those that were read.
func (m *mirror) set(found []looked) {
	m.keys.MoveTo(max(m.keys.Now(), now()))
	for _, k := range found {
		m.forget(k.Name)
		delete(m.large, k.Name)
		switch {
		case k.partly:
			m.large[k.Name] = time.Now()
		case k.Key != nil:
			m.become(k.KeyNow)
			m.touch([]string{k.Name})
		}
	}
	m.changed = nil
}

// check reads a few of the doubted keys, and now and then the held locks as well, which somebody may have changed past the
// proxy.
func (m *mirror) check(ctx context.Context) {
	if time.Since(m.checked) < everyCheck || !m.proxy.reader.may() {
		return
	}
	m.checked = time.Now()
	m.checks++
	shown := m.proxy.recorder.Keys()
	if m.proxy.state.tookRestart() { // it may have lost them
		for _, key := range shown {
			m.doubt(key)
		}
	}
	keys := slices.Sorted(maps.Keys(m.doubted))
	if m.checks%everyLock == 0 {
		keys = append(m.proxy.recorder.LockKeys(), keys...)
		if len(keys) == 0 { // whether the Redis is still there
			keys = shown[:min(len(shown), 1)]
		}
	}
	quiet := slices.DeleteFunc(keys, func(k string) bool {
		one := []string{k}
		return m.proxy.awaits(one) || m.proxy.queue.touches(one) || m.waits(one)
	})
	found, ok := m.read(ctx, quiet[:min(len(quiet), mostAtOnce)])
	if !ok {
		return
	}
	for _, k := range found {
		delete(m.doubted, k.Name)
		if !attach.SameKey(k.Key, m.keyNow(k.Name).Key) {
			m.set([]looked{k})
		}
	}
	m.proxy.recorder.Unseen(now(), keysOf(found), nil)
}

// isLarge tells whether a command is about values that are too large to be read. They are looked at again after
// a while.
func (m *mirror) isLarge(e *entry) bool {
	return slices.ContainsFunc(e.keysOf(), func(key string) bool {
		at, large := m.large[key]
		if large && time.Since(at) > largeFor {
			delete(m.large, key)
		}
		return large && time.Since(at) <= largeFor
	})
}
