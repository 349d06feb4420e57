package keyspace

import (
	"cmp"
	"iter"
	"slices"

	"lockstep/engine"
)

// Len is the number of keys, including those that Expire has yet to delete.
func (k *Keyspace) Len() int { return len(k.keys) }

func (k *Keyspace) names() []string {
	names := make([]string, 0, len(k.keys))
	for name, e := range k.keys {
		if !k.overdue(e) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Keys yields every key that a command would find, ordered by name, in canonical form: equal data gives
// equal keys. The keyspace must not be written meanwhile.
func (k *Keyspace) Keys() iter.Seq[engine.Key] {
	return func(yield func(engine.Key) bool) {
		for _, name := range k.names() {
			if !yield(k.export(name)) {
				return
			}
		}
	}
}

// Key is one key, if a command would find it. Of a value with more than so many items it
// has none, so that looking at a key costs little, however large it is.
func (k *Keyspace) Key(name string, most int) (key engine.Key, ok bool) {
	it := k.find(name)
	if it == nil {
		return engine.Key{}, false
	}
	if it.kind != stringType && it.len() > most {
		return it.outline(name), true
	}
	return k.export(name), true
}

// outline is a key without its value.
func (e *entry) outline(name string) engine.Key {
	out := engine.Key{Name: name, Type: engine.KeyType(e.kind.String()), Deadline: engine.NoDeadline}
	if e.deadline != noDeadline {
		out.Deadline = instant(e.deadline)
	}
	return out
}

func (k *Keyspace) export(name string) engine.Key {
	e := k.keys[name]
	out := e.outline(name)
	out.Text = e.text
	switch e.kind {
	case stringType:
	case hashType:
		out.Items = sortedPairs(e.hash)
	case listType:
		out.Items = make([]engine.Item, e.list.len())
		for i, s := range e.list.items() {
			out.Items[i].Value = s
		}
	case setType:
		out.Items = sortedPairs(&e.set.fields)
	case zsetType:
		out.Items = make([]engine.Item, e.zset.len())
		for i, it := range e.zset.items {
			out.Items[i] = engine.Item{Name: it.member, Value: engine.FormatScore(it.score)}
		}
	case streamType:
		for _, r := range e.stream.records {
			out.Items = append(out.Items, engine.Item{Name: r.id.String(), Value: FieldsText(r.fields)})
		}
	}
	return out
}

func sortedPairs(h *hash) []engine.Item {
	items := make([]engine.Item, len(h.pairs))
	for i, p := range h.pairs {
		items[i] = engine.Item{Name: p.name, Value: p.value}
	}
	slices.SortStableFunc(items, func(a, b engine.Item) int { return cmp.Compare(a.Name, b.Name) })
	return items
}
