package proxy

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"lockstep/attach"
	"lockstep/node/redis"
	"lockstep/node/redis/keyspace"
	"lockstep/node/redis/port"
)

// The bounds of a mirror.
const (
	mostMirrored = 250      // keys
	mostBytes    = 32 << 20 // of keys and scripts
	budget       = 20_000_000
)

// mirror knows the keys that clients touch without asking the real Redis, which has other work: an embedded one performs
// their writes again. As long as both answer the same, its keys are taken for the real ones. When they differ, it forgets
// the keys of the command and has the reader read them. Invariant: it has no key that it did not see made or read.
type mirror struct {
	proxy *Proxy
	keys  *keyspace.Keyspace
	node  *redis.Node

	changed []string // keys, by the command that is performed now
	flushed bool     // it has emptied the database

	later   []*entry            // whose answers differ, as a command before them may not have been heard yet; the oldest first
	touched map[string]int      // by key: the number of touches at the last one
	touches int                 // so far
	doubted map[string]struct{} // keys that are to be read
	lost    int64               // commands that the queue had dropped, at the last tick
	ticked  time.Time
	checked time.Time
	checks  int
	large   map[string]time.Time // when a key was found to be too large to be read
}

// reset forgets all.
func (m *mirror) reset() {
	m.keys, m.node, m.touched, m.large = keyspace.New(), redis.NewNode(), map[string]int{}, map[string]time.Time{}
	m.node.SetBudget(budget, nil)
	m.node.Use(0, func(db int) (*keyspace.Keyspace, bool) { return m.keys, db == 0 })
	m.keys.SetObserver(m)
	for _, text := range m.proxy.recorder.Sources() {
		m.node.Do([]string{"SCRIPT", "LOAD", text})
	}
	for _, t := range m.proxy.allTaps() {
		m.subscribe(t)
	}
}

// Ran implements keyspace.Observer; only changes matter here.
func (m *mirror) Ran(*keyspace.Command, []string) {}

// Changed implements keyspace.Observer.
func (m *mirror) Changed(key string) {
	if !slices.Contains(m.changed, key) {
		m.changed = append(m.changed, key)
	}
}

// Flushed implements keyspace.Observer.
func (m *mirror) Flushed() { m.changed, m.flushed = nil, true }

func (m *mirror) keysNow(names []string) (all []port.KeyNow) {
	for _, name := range names {
		all = append(all, m.keyNow(name))
	}
	return all
}

func (m *mirror) keyNow(name string) port.KeyNow { return port.KeyIn(m.keys, name) }

// become makes a key what it was found to be.
func (m *mirror) become(k port.KeyNow) {
	m.keys.Do([]string{"DEL", k.Name})
	if k.Key == nil {
		return
	}
	for _, args := range attach.Making(*k.Key, m.keys.Now()) {
		m.keys.Do(args)
	}
}

// forget has the mirror know nothing of keys.
func (m *mirror) forget(keys ...string) {
	if len(keys) > 0 {
		m.keys.Do(append([]string{"DEL"}, keys...))
	}
	m.changed = nil
	for _, key := range keys {
		delete(m.touched, key)
	}
}

func (m *mirror) touch(keys []string) {
	m.touches++
	for _, key := range keys {
		m.touched[key] = m.touches
	}
}

// trim keeps the mirror within mostMirrored and mostBytes: of keys that the page does not show, those touched least recently
// go first. Beyond mostBytes it forgets all, and the shown keys are read again.
func (m *mirror) trim() {
	m.keys.MoveTo(max(m.keys.Now(), now()-time.Second)) // replies may still be on their way
	m.keys.Expire(mostMirrored)
	for key := range m.touched {
		if _, ok := m.keys.Key(key, 0); !ok {
			delete(m.touched, key)
		}
	}
	maps.DeleteFunc(m.large, func(_ string, at time.Time) bool { return time.Since(at) > largeFor })
	if m.node.Bytes() > mostBytes {
		for _, key := range m.proxy.recorder.Keys() {
			m.doubt(key)
		}
		m.reset()
		return
	}
	if len(m.touched) <= mostMirrored {
		return
	}
	shown := m.proxy.recorder.Keys()
	names := slices.DeleteFunc(slices.Collect(maps.Keys(m.touched)), func(k string) bool { return slices.Contains(shown, k) })
	slices.SortFunc(names, func(a, b string) int { return m.touched[a] - m.touched[b] })
	m.forget(names[:max(0, len(names)-mostMirrored/2)]...)
}

func subscriber(t *tap) string { return strconv.FormatInt(t.peer.ID, 10) }

// heard are the clients that were sent messages.
func (m *mirror) heard(all []keyspace.Delivery) (heard []port.Heard) {
	for _, d := range all {
		id, _ := strconv.ParseInt(d.Subscriber, 10, 64)
		if t := m.proxy.tap(id); t != nil {
			heard = append(heard, port.Heard{Peer: t.who(), Channel: d.Channel, Payload: d.Payload})
		}
	}
	return heard
}

// subscribe has a client hear what it listens to.
func (m *mirror) subscribe(t *tap) {
	who := subscriber(t)
	for kind, channels := range t.channels() {
		kind := keyspace.SubscriptionKind(kind)
		for _, s := range m.keys.Subscriptions(kind) {
			if s.Process == who && !slices.Contains(channels, s.Channel) {
				m.keys.Unsubscribe(kind, who, s.Channel)
			}
		}
		for _, channel := range channels {
			m.keys.Subscribe(kind, who, channel)
		}
	}
}
