package keyspace

import (
	"cmp"
	"iter"
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
// ordered), a zset member with its score (ordered by score, then by member), an
// entry of a stream with its id in Name and its fields and values, in their order
// and quoted where a space could mislead, in Value (ordered by id).
type Item struct {
	Name  string
	Value string
	Score float64
}

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

// Entries yields every key that a command would find, ordered by name. The keyspace must
// not be written meanwhile.
func (k *Keyspace) Entries() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for _, name := range k.names() {
			if !yield(k.export(name)) {
				return
			}
		}
	}
}

// Entry is one key, if a command would find it. Of a value with more than so many items it
// has none, so that looking at a key costs little, however large it is.
func (k *Keyspace) Entry(name string, most int) (e Entry, ok bool) {
	it := k.find(name)
	if it == nil {
		return Entry{}, false
	}
	if it.kind != stringType && it.len() > most {
		return it.outline(name), true
	}
	return k.export(name), true
}

// outline is an entry without its value.
func (e *entry) outline(name string) Entry {
	out := Entry{Name: name, Type: e.kind.String(), Deadline: NoDeadline}
	if e.deadline != noDeadline {
		out.Deadline = instant(e.deadline)
	}
	return out
}

func (k *Keyspace) export(name string) Entry {
	e := k.keys[name]
	out := e.outline(name)
	out.Text = e.text
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
	case streamType:
		out.Items = make([]Item, len(e.stream.records))
		for i, r := range e.stream.records {
			out.Items[i] = Item{Name: r.id.String(), Value: FieldsText(r.fields)}
		}
	}
	return out
}

func sortedPairs(h *hash) []Item {
	items := make([]Item, len(h.pairs))
	for i, p := range h.pairs {
		items[i] = Item{Name: p.name, Value: p.value}
	}
	slices.SortStableFunc(items, func(a, b Item) int { return cmp.Compare(a.Name, b.Name) })
	return items
}
