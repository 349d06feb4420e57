package real

import (
	"math"
	"slices"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/redis"
	"lockstep/node/redis/keyspace"
)

// keep makes what a step read the memory of the node.
func (n *Node) keep(out outcome) {
	keys := make(map[string]storedKey, len(out.keys))
	for _, f := range out.keys {
		key := engine.Key{Name: n.plain(f.name), Type: engine.KeyType(f.kind), Deadline: n.deadline(f, out)}
		named := n.named(f.value)
		fill(&key, n.plainReply(f.value))
		keys[f.name] = storedKey{key: key, dump: f.dump, named: named}
	}
	n.keys = keys
}

// named tells whether a value holds a name with the node's prefix.
func (n *Node) named(value reply.Reply) bool {
	return n.prefix != "" && (strings.Contains(value.Str, n.prefix) || slices.ContainsFunc(value.Elems, n.named))
}

// deadline is when a key ends on the virtual clock.
func (n *Node) deadline(f found, out outcome) engine.Instant {
	switch {
	case f.pttl < 0:
		return engine.NoDeadline
	case f.pttl >= int64((math.MaxInt64-max(n.now, 0))/time.Millisecond):
		return math.MaxInt64
	}
	if at, ok := n.kept(f, out); ok && !out.exact {
		return at
	}
	return n.now + time.Duration(f.pttl)*time.Millisecond
}

// fill puts a value into a key, in the order that engine.Item describes.
func fill(key *engine.Key, value reply.Reply) {
	if key.Type != engine.StreamKey {
		redis.Fill(key, value.Texts())
		return
	}
	for _, entry := range value.Elems {
		fields := keyspace.FieldsText(entry.Elems[1].Texts())
		key.Items = append(key.Items, engine.Item{Name: entry.Elems[0].Str, Value: fields})
	}
}
