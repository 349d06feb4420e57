package real

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/redis/keyspace"
)

// keep makes what a step read the memory of the node.
func (n *Node) keep(out outcome) {
	keys := make(map[string]storedKey, len(out.keys))
	for _, f := range out.keys {
		key := engine.Key{Name: n.plain(f.name), Type: engine.KeyType(f.kind), Deadline: n.deadline(f, out)}
		n.fill(&key, f)
		keys[f.name] = storedKey{key: key, dump: f.dump, named: n.named(f.value)}
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
func (n *Node) fill(key *engine.Key, f found) {
	elems := f.value.Elems
	switch key.Type {
	case engine.StringKey:
		key.Text = n.plain(f.value.Str)
	case engine.ListKey:
		for _, e := range elems {
			key.Items = append(key.Items, engine.Item{Value: n.plain(e.Str)})
		}
	case engine.SetKey:
		for _, e := range elems {
			key.Items = append(key.Items, engine.Item{Name: n.plain(e.Str)})
		}
	case engine.StreamKey:
		for _, entry := range elems {
			key.Items = append(key.Items, n.streamEntry(entry))
		}
	case engine.HashKey, engine.ZSetKey:
		for pair := range slices.Chunk(elems, 2) {
			value := n.plain(pair[1].Str)
			if key.Type == engine.ZSetKey {
				score, _ := strconv.ParseFloat(value, 64) // a server writes numbers only
				value = engine.FormatScore(score)
			}
			key.Items = append(key.Items, engine.Item{Name: n.plain(pair[0].Str), Value: value})
		}
	case engine.RowKey, engine.ZnodeKey: // a Redis has none
	}
	if key.Type == engine.SetKey || key.Type == engine.HashKey { // a server lists a sorted set by score, then member
		slices.SortFunc(key.Items, func(a, b engine.Item) int { return cmp.Compare(a.Name, b.Name) })
	}
}

// streamEntry is an id with its fields and values.
func (n *Node) streamEntry(entry reply.Reply) engine.Item {
	var fields []string
	for _, f := range entry.Elems[1].Elems {
		fields = append(fields, n.plain(f.Str))
	}
	return engine.Item{Name: entry.Elems[0].Str, Value: keyspace.FieldsText(fields)}
}
