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
	case engine.ListKey, engine.SetKey:
		for _, e := range elems {
			item := engine.Item{Value: n.plain(e.Str)}
			if key.Type == engine.SetKey {
				item = engine.Item{Name: item.Value}
			}
			key.Items = append(key.Items, item)
		}
	case engine.StreamKey:
		for _, entry := range elems {
			key.Items = append(key.Items, n.streamEntry(entry))
		}
	case engine.HashKey, engine.ZSetKey:
		for pair := range slices.Chunk(elems, 2) {
			key.Items = append(key.Items, engine.Item{Name: n.plain(pair[0].Str), Value: n.plain(pair[1].Str)})
		}
	case engine.RowKey, engine.ZnodeKey: // a Redis has none
	}
	switch key.Type {
	case engine.SetKey, engine.HashKey:
		slices.SortFunc(key.Items, func(a, b engine.Item) int { return cmp.Compare(a.Name, b.Name) })
	case engine.ZSetKey: // a server lists them by score, then member
		for i, item := range key.Items {
			score, _ := strconv.ParseFloat(item.Value, 64) // a server writes numbers only
			key.Items[i].Value = engine.FormatScore(score)
		}
	case engine.StringKey, engine.ListKey, engine.StreamKey, engine.RowKey, engine.ZnodeKey:
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
