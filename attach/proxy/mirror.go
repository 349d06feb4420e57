package proxy

import (
	"maps"
	"slices"
	"time"

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

// mirror is what the clients' commands have made of the keys that they touched, told by an embedded Redis that
// runs what may change keys once more. Where it answers as the real one did, what it has is what there is.
// Where it does not, it forgets: its keys are what it has seen, and no more. Then the reader is asked.
type mirror struct {
	proxy *Proxy
	keys  *keyspace.Keyspace
	node  *redis.Node

	changed []string // by what runs now
	flushed bool

	later   []*entry            // that were too early, the oldest first
	touched map[string]int      // by key: when it was last touched
	touches int                 // so far
	doubted map[string]struct{} // keys that are to be read
	lost    int64               // commands that were dropped, when it last looked
	ticked  time.Time
	checked time.Time
	checks  int
	large   map[string]time.Time // keys whose values are too large, by when that was seen
}

func newMirror(p *Proxy) *mirror {
	m := &mirror{proxy: p, doubted: map[string]struct{}{}}
	m.reset()
	return m
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

// Ran is of no interest: what has changed is.
func (m *mirror) Ran(*keyspace.Command, []string) {}

// Changed is told by the keys.
func (m *mirror) Changed(key string) {
	if !slices.Contains(m.changed, key) {
		m.changed = append(m.changed, key)
	}
}

// Flushed is told by the keys.
func (m *mirror) Flushed() { m.changed, m.flushed = nil, true }

// mostItems bounds the items of a value that are shown, as of an embedded Redis.
const mostItems = 100

func (m *mirror) keysNow(names []string) (all []port.KeyNow) {
	for _, name := range names {
		all = append(all, m.keyNow(name))
	}
	return all
}

func (m *mirror) keyNow(name string) port.KeyNow {
	is := port.KeyNow{Name: name}
	if e, ok := m.keys.Entry(name, mostItems); ok {
		k := redis.KeyOf(e)
		is.Key = &k
	}
	return is
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

// trim keeps the mirror small. What the page shows is forgotten last.
func (m *mirror) trim() {
	m.keys.MoveTo(max(m.keys.Now(), now()-time.Second)) // replies may still be on their way
	m.keys.Expire(mostMirrored)
	for key := range m.touched {
		if _, ok := m.keys.Entry(key, 0); !ok {
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
