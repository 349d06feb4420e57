package proxy

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/redis/keyspace"
	"lockstep/node/redis/port"
)

// undo makes the mirror what it was before a command.
type undo struct {
	mirror *mirror
	all    *keyspace.Keyspace // a fork; nil: only these keys can have changed
	keys   []port.KeyNow
}

// before remembers what a command may change. To fork costs the first write all names of keys, so of a command that
// names its keys, which are texts or not there, only these are remembered.
func (m *mirror) before(e *entry) undo {
	if e.also != nil || isScript(e.args) || !isKnown(e.args) || slices.Contains(everyKey, strings.ToLower(e.args[0])) {
		return undo{m, m.keys.Fork(), nil}
	}
	keys := m.keysNow(e.keysOf())
	if slices.ContainsFunc(keys, func(k port.KeyNow) bool { return k.Key != nil && k.Key.Type != engine.StringKey }) {
		return undo{m, m.keys.Fork(), nil}
	}
	return undo{m, nil, keys}
}

// everyKey are commands that change keys which they do not name.
var everyKey = []string{"flushall", "flushdb", "swapdb"}

// back undoes what a command has done that answered otherwise than the real one. One that was refused has done nothing.
func (u undo) back(answered reply.Reply) {
	m := u.mirror
	switch {
	case u.all != nil:
		m.keys.Load(u.all)
	case !answered.IsError():
		for _, k := range u.keys {
			m.become(k)
		}
	}
	m.changed, m.flushed = nil, false
}
