package proxy

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"time"

	"lockstep/engine"
	"lockstep/engine/reply"
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

// Times of a mirror.
const (
	everyTick = 50 * time.Millisecond
	together  = 3 * time.Millisecond   // what has come in such a time is told at once, because waking for each command costs its client
	overtaken = 5 * time.Millisecond   // for how long a command waits for one whose reply comes later
	outlived  = 5 * time.Millisecond   // by how much a key may outlive its deadline there: it is rounded, and the mirror runs later
	clockSlip = 100 * time.Millisecond // by how much the clock of the Redis may be ahead
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

// run tells the recorder of what clients do, until the context ends.
func (m *mirror) run(ctx context.Context) {
	tick := time.NewTicker(everyTick)
	defer tick.Stop()
	_ = m.proxy.reader.reach(ctx) // the page says why not
	for ctx.Err() == nil {
		for e := m.proxy.queue.take(); e != nil; e = m.proxy.queue.take() {
			m.take(e)
			if time.Since(m.ticked) > everyTick {
				m.tick(ctx)
			}
		}
		var late <-chan time.Time
		if len(m.later) > 0 {
			late = time.After(time.Until(m.later[0].until))
		}
		select {
		case <-ctx.Done():
		case <-m.proxy.queue.wake:
			select {
			case <-ctx.Done():
			case <-time.After(together):
			}
		case <-late:
			m.retry(func(e *entry) bool { return time.Now().After(e.until) })
		case <-tick.C:
			m.tick(ctx)
		}
	}
}

// tick does what is done from time to time.
func (m *mirror) tick(ctx context.Context) {
	m.ticked = time.Now()
	if n := m.proxy.queue.dropped.Load(); n != m.lost {
		m.lost = n
		for _, key := range m.proxy.recorder.Keys() {
			m.doubt(key)
		}
		m.reset()
	}
	if m.proxy.blocking.Load() > 0 {
		for _, t := range m.proxy.allTaps() {
			if e := t.blocked(time.Now().Add(-everyTick / 2)); e != nil {
				m.proxy.recorder.Take(e.doneOf())
			}
		}
	}
	m.trim()
	m.check(ctx)
}

// take tells of one command, after those of its client that were too early.
func (m *mirror) take(e *entry) {
	m.retry(func(o *entry) bool { return o.tap == e.tap })
	if e.kind == hungUp {
		m.keys.Disconnect(subscriber(e.tap))
		m.proxy.recorder.Take(e.doneOf())
		return
	}
	if m.play(e) {
		m.retry(func(o *entry) bool { return o.touches(e.keysOf()) })
	}
}

// retry plays those that were too early once more.
func (m *mirror) retry(which func(*entry) bool) {
	for i := 0; i < len(m.later); {
		if e := m.later[i]; which(e) {
			m.later = slices.Delete(m.later, i, i+1)
			m.play(e)
			m.proxy.queue.postpone(-1)
		} else {
			i++
		}
	}
}

func subscriber(t *tap) string { return strconv.FormatInt(t.peer.ID, 10) }

// play has the mirror do what a command did, and tells of it. False: it is to be tried once more, as another
// one may have come before it although its reply came later.
func (m *mirror) play(e *entry) bool {
	d := e.doneOf()
	if m.concerns(e) {
		switch {
		case e.answer.IsError():
			m.failed(e)
		case e.also != nil && e.answer.Kind == reply.Nil: // WATCH has seen a change: nothing was done
		case m.isLarge(e):
		case e.cut || e.unheard:
			m.look(e, &d)
		case !m.perform(e, &d):
			if !e.again && m.overlaps(e) {
				e.again, e.until = true, time.Now().Add(overtaken)
				m.later = append(m.later, e)
				m.proxy.queue.postpone(1)
				return false
			}
			m.look(e, &d)
		}
	}
	m.listen(e)
	m.proxy.queue.leave(e)
	m.proxy.recorder.Take(d)
	return true
}

// concerns tells whether a command may have changed keys that are mirrored.
func (m *mirror) concerns(e *entry) bool {
	if len(e.args) == 0 || e.peer.Database != 0 {
		return false
	}
	if e.also == nil && e.listens() {
		return false
	}
	return slices.ContainsFunc(e.commands(), func(args []string) bool { return changes(args) || isPublish(args) })
}

// overlaps tells whether others of those that touch the same keys may have come first.
func (m *mirror) overlaps(e *entry) bool {
	keys := e.keysOf()
	return m.proxy.queue.touches(keys) || m.proxy.awaits(keys)
}

// perform runs a command on the mirror. False: the real one answered something else, and the mirror is as before.
func (m *mirror) perform(e *entry, d *port.Done) bool {
	if m.attempt(e, d, e.at) || m.attempt(e, d, e.at-outlived) {
		return true
	}
	soon := m.expiring(e.keysOf())
	if len(soon) == 0 {
		return false
	}
	before := m.keys.Fork()
	m.forget(soon...)
	if m.attempt(e, d, e.at) {
		m.proxy.recorder.Expire(soon...)
		return true
	}
	m.keys.Load(before)
	return false
}

// expiring are those keys whose time may have come at the real one.
func (m *mirror) expiring(keys []string) (soon []string) {
	for _, key := range keys {
		if k, ok := m.keys.Entry(key, 0); ok && k.Deadline != keyspace.NoDeadline && k.Deadline-m.keys.Now() < clockSlip {
			soon = append(soon, key)
		}
	}
	return soon
}

// attempt runs a command at an instant.
func (m *mirror) attempt(e *entry, d *port.Done, at engine.Instant) bool {
	d.At = at
	if at < m.keys.Now() {
		m.keys.TurnBack(at)
	} else {
		m.keys.MoveTo(at)
	}
	if isScript(e.args) && len(e.keysOf()) < mostFound {
		d.Found = m.keysNow(e.keysOf())
	}
	before := m.before(e)
	m.changed, m.flushed = nil, false
	var is reply.Reply
	if e.also == nil {
		is = m.node.Do(e.args)
	} else {
		is.Kind = reply.Array
		for _, args := range e.also {
			is.Elems = append(is.Elems, m.node.Do(args))
		}
	}
	heard := m.keys.TakeDeliveries()
	if !e.agrees(is) {
		before.back(is)
		return false
	}
	d.Keys, d.Flushed, d.Heard = m.keysNow(m.changed), m.flushed, m.heard(heard)
	for i, key := range m.changed {
		if known := m.touched[key] > 0; !known && d.Keys[i].Key != nil && d.Keys[i].Key.Type != engine.StringKey {
			m.doubt(key) // there may have been more of it before
		}
	}
	m.touch(m.changed)
	return true
}

// mostFound bounds the keys of a script that are looked at before it runs.
const mostFound = 20

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

// listen follows who listens to what.
func (m *mirror) listen(e *entry) {
	if len(e.args) == 0 || !e.listens() || e.answer.IsError() {
		return
	}
	m.subscribe(e.tap)
}

// subscribe has a client hear what it listens to.
func (m *mirror) subscribe(t *tap) {
	who := subscriber(t)
	for kind, channels := range t.channels() {
		kind := keyspace.SubscriptionKind(kind)
		for _, s := range m.keys.Subscriptions(kind) {
			if s.Subscriber == who && !slices.Contains(channels, s.Channel) {
				m.keys.Unsubscribe(kind, who, s.Channel)
			}
		}
		for _, channel := range channels {
			m.keys.Subscribe(kind, who, channel)
		}
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
