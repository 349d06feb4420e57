package lessons

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
)

func (c *comparison) key(want ExpectKey) {
	c.place = want.Place
	what := fact.Of("key", want.Name)
	view := c.after.Nodes[0]
	if want.Node != "" {
		what = fact.Of("key-on", want.Name, want.Node)
		view, _ = c.after.Node(want.Node)
	}
	got, exists := view.Key(want.Name)
	if want.Type == NoKey {
		if exists {
			c.differs(what, fact.Of("gone"), fact.Text(got.Value()))
		}
		return
	}
	if !exists {
		c.differs(what, fact.Of("exists"), fact.Of("no-such-key"))
		return
	}
	if want.Type != "" && got.Type != want.Type {
		c.differs(what, fact.Of("of-type", want.Type), fact.Text(got.Value()))
		return
	}
	if !want.holds(got) {
		c.differs(what, fact.Text(want.value(got.Type)), fact.Text(got.Value()))
	}
	if want.TTL != nil && remaining(got.Deadline, c.after.Now) != *want.TTL {
		c.differs(fact.Of("ttl-of", what), ttlFact(*want.TTL), ttlFact(remaining(got.Deadline, c.after.Now)))
	}
}

// holds tells whether a key has the expected value, whatever its deadline.
func (k ExpectKey) holds(got engine.Key) bool {
	if k.Text != nil {
		return got.Type == engine.StringKey && got.Text == *k.Text
	}
	if k.Items == nil {
		return true
	}
	return got.Type != engine.StringKey && slices.Equal(k.asItems(got.Type), inOrder(got.Items, got.Type))
}

// value is the expected value as a key of the given type would show it.
func (k ExpectKey) value(kind engine.KeyType) string {
	if k.Text != nil {
		return engine.Key{Type: engine.StringKey, Text: *k.Text}.Value()
	}
	if kind == engine.StringKey { // it is not one, so the items' own form must tell
		kind = engine.ListKey
		if len(k.Items) > 0 && k.Items[0].Name != "" {
			kind = engine.HashKey
		}
	}
	return engine.Key{Type: kind, Items: k.asItems(kind)}.Value()
}

// asItems is the expected items as a type has them: a list in a lesson may mean
// a list or a set, and only a list is in an order of the author's.
func (k ExpectKey) asItems(kind engine.KeyType) []engine.Item {
	items := slices.Clone(k.Items)
	if kind == engine.SetKey {
		for i, it := range items {
			items[i] = engine.Item{Name: it.Name + it.Value}
		}
	}
	return inOrder(items, kind)
}

func inOrder(items []engine.Item, kind engine.KeyType) []engine.Item {
	if kind == engine.ListKey {
		return items
	}
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b engine.Item) int { return strings.Compare(a.Name, b.Name) })
	return items
}

func remaining(deadline, now engine.Instant) engine.Instant {
	if deadline == engine.NoDeadline {
		return engine.NoDeadline
	}
	return deadline - now
}

func ttlFact(ttl engine.Instant) fact.Fact {
	if ttl == engine.NoDeadline {
		return fact.Of("none")
	}
	return fact.Text(engine.FormatSpan(ttl))
}
