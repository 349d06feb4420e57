package proxy

import (
	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/redis/port"
)

// mostFound bounds the keys of a script that are looked at before it runs.
const mostFound = 20

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
		if k, ok := m.keys.Key(key, 0); ok && k.Deadline != engine.NoDeadline && k.Deadline-m.keys.Now() < clockSlip {
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
