package keyspace

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"time"
)

// Entry is one key in canonical form: equal data gives equal entries.
type Entry struct {
	Name     string
	Type     string        // as TYPE answers
	Text     string        // of a string
	Items    []Item        // of any other type; the caller's own
	Deadline time.Duration // or NoDeadline
}

// Item is one part of a compound value: a hash field with its value (ordered by
// field), a list element (in Value, in list order), a set member (in Name,
// ordered), a zset member with its score (ordered by score, then by member).
type Item struct {
	Name  string
	Value string
	Score float64
}

// Len is the number of keys.
func (k *Keyspace) Len() int { return len(k.keys) }

// Entries yields every key, ordered by name. The keyspace must not be written
// meanwhile.
func (k *Keyspace) Entries() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for _, name := range slices.Sorted(maps.Keys(k.keys)) {
			if !yield(k.keys[name].export(name)) {
				return
			}
		}
	}
}

func (e *entry) export(name string) Entry {
	out := Entry{Name: name, Type: e.kind.String(), Text: e.text, Deadline: NoDeadline}
	if e.deadline != noDeadline {
		out.Deadline = instant(e.deadline)
	}
	switch e.kind {
	case stringType:
	case hashType:
		out.Items = sortedPairs(e.hash)
	case listType:
		out.Items = make([]Item, e.list.len())
		for i, s := range e.list.items() {
			out.Items[i].Value = s
		}
	case setType:
		out.Items = sortedPairs(&e.set.fields)
	case zsetType:
		out.Items = make([]Item, e.zset.len())
		for i, it := range e.zset.items {
			out.Items[i] = Item{Name: it.member, Score: it.score}
		}
	}
	return out
}

func sortedPairs(h *hash) []Item {
	items := make([]Item, len(h.pairs))
	for i, p := range h.pairs {
		items[i] = Item{Name: p.name, Value: p.value}
	}
	slices.SortFunc(items, func(a, b Item) int { return cmp.Compare(a.Name, b.Name) })
	return items
}
