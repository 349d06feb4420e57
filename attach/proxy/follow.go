package proxy

import (
	"context"
	"slices"
	"time"

	"lockstep/engine/reply"
	"lockstep/node/redis/port"
)

// Times of a mirror.
const (
	everyTick = 50 * time.Millisecond
	together  = 3 * time.Millisecond   // what has come in such a time is told at once, because waking for each command costs its client
	overtaken = 5 * time.Millisecond   // for how long a command waits for one whose reply comes later
	outlived  = 5 * time.Millisecond   // by how much a key may outlive its deadline there: it is rounded, and the mirror runs later
	clockSlip = 100 * time.Millisecond // by how much the clock of the Redis may be ahead
)

// run tells the recorder of what clients do, until the context ends.
func (m *mirror) run(ctx context.Context) {
	tick := time.NewTicker(everyTick)
	defer tick.Stop()
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

// tick is the work of every tick: it notes what the queue has dropped, finds the requests that block, trims and checks.
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

// take plays one entry, after those of the same client that wait in later: each client's commands are told in their order.
func (m *mirror) take(e *entry) {
	m.retry(func(o *entry) bool { return o.tap == e.tap })
	if e.kind == port.HungUp {
		m.keys.Disconnect(subscriber(e.tap))
		m.proxy.recorder.Take(e.doneOf())
		return
	}
	if m.play(e) {
		m.retry(func(o *entry) bool { return o.touches(e.keysOf()) })
	}
}

// retry plays some of the entries in later for the second and last time.
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

// play performs a command on the mirror and tells the recorder. False: it was put into later, since another command that
// touches the same keys may have run before it although its reply has come, or will come, after.
func (m *mirror) play(e *entry) bool {
	d := e.doneOf()
	if m.concerns(e) {
		if !e.answer.IsError() {
			m.proxy.owns(e)
		}
		switch {
		case e.answer.IsError():
			m.failed(e)
		case e.also != nil && e.answer.Kind == reply.Nil: // WATCH has seen a change: nothing was done
		case m.proxy.cluster && e.touches(nil): // which keys this node had, nobody knows
			for _, key := range m.proxy.recorder.Keys() {
				m.doubt(key)
			}
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
	if e.listens() && !e.answer.IsError() {
		m.subscribe(e.tap)
	}
	m.proxy.queue.leave(e)
	m.proxy.recorder.Take(d)
	return true
}

// concerns tells whether a command may have changed keys that are mirrored.
func (m *mirror) concerns(e *entry) bool {
	if len(e.args) == 0 || e.peer.Database != 0 || e.also == nil && e.listens() {
		return false
	}
	return slices.ContainsFunc(e.commands(), func(args []string) bool { return changes(args) || isPublish(args) })
}

// overlaps tells whether a command that touches the same keys is under way or waits in the queue.
func (m *mirror) overlaps(e *entry) bool {
	keys := e.keysOf()
	return m.proxy.queue.touches(keys) || m.proxy.awaits(keys)
}
