package lessons

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
)

// NoKey is the type of a missing key, as TYPE answers it.
const NoKey engine.KeyType = "none"

// view is the state of a server. No name means the first one; an unknown name gives the zero view.
func view(s *engine.Snapshot, node string) engine.NodeView {
	if node == "" {
		return s.Nodes[0]
	}
	v, _ := s.Node(node)
	return v
}

// keyUnmet compares a key with its expectation. A difference of existence hides one of the type, and that
// one hides differences of value and lease. Those two are reported together.
func (o outcome) keyUnmet(want Expected) []Unmet {
	what := fact.Of("key", want.Name)
	if want.Node != "" {
		what = fact.Of("key-on", want.Name, want.Node)
	}
	differs := func(want, got fact.Fact) []Unmet { return []Unmet{{What: what, Want: want, Got: got}} }
	got, exists := keyOf(view(o.after, want.Node), want.Name)
	switch {
	case want.Type == NoKey && exists:
		return differs(fact.Of("gone"), fact.Text(got.Value()))
	case want.Type == NoKey:
		return nil
	case !exists:
		return differs(fact.Of("exists"), fact.Of("no-such-key"))
	case want.Type != "" && got.Type != want.Type:
		return differs(fact.Of("of-type", want.Type), fact.Text(got.Value()))
	}
	var unmet []Unmet
	value, has := want.asKey(got.Type), inOrder(want.named(got))
	same := value.Type == has.Type && value.Text == has.Text && slices.Equal(value.Items, has.Items)
	if named := want.Texts != nil || want.Items != nil; named && !same {
		unmet = differs(fact.Text(value.Value()), fact.Text(got.Value()))
	}
	if left := remaining(got.Deadline, o.after.Now); want.TTL != nil && left != *want.TTL {
		unmet = append(unmet, Unmet{What: fact.Of("ttl-of", what), Want: ttlFact(*want.TTL), Got: ttlFact(left)})
	}
	return unmet
}

// keyOf is a key of a node, unless it is a row of which nothing was committed.
func keyOf(v engine.NodeView, name string) (engine.Key, bool) {
	k, there := v.Key(name)
	return k, there && (k.Type != engine.RowKey || k.Items != nil)
}

// textOf is the text of a string, or the data of a znode.
func textOf(k engine.Key) string {
	if data, ok := k.Get("data"); ok && k.Type == engine.ZnodeKey {
		return data
	}
	return k.Text
}

// named is an actual key with only those parts that an expectation names: of a row its columns, of a znode what
// is known of it, where nobody is the owner of one that is not ephemeral. Of any other key it is all.
func (e Expected) named(k engine.Key) engine.Key {
	if k.Type != engine.RowKey && k.Type != engine.ZnodeKey {
		return k
	}
	all := slices.Clone(k.Items)
	if _, owned := k.Get("owner"); k.Type == engine.ZnodeKey && !owned {
		all = append(all, engine.Item{Name: "owner"})
	}
	want := e.asKey(k.Type)
	k.Items = slices.DeleteFunc(all, func(it engine.Item) bool {
		_, is := want.Get(it.Name)
		return !is
	})
	return k
}

// goneUnmet has one difference for each server with the key.
func (o outcome) goneUnmet(want Expected) (unmet []Unmet) {
	for i := range o.after.Nodes {
		unmet = append(unmet, o.keyUnmet(Expected{Node: o.node(i), Name: want.Name, Type: NoKey})...)
	}
	return unmet
}

// asKey is the expected value as a key, of the type of the actual key: a list in a lesson may mean a list or
// a set, and a mapping any type with names. Where the actual key is a string, they mean a list and a hash.
func (e Expected) asKey(kind engine.KeyType) engine.Key {
	switch {
	case e.Texts != nil && kind == engine.ZnodeKey:
		return engine.Key{Type: kind, Items: []engine.Item{{Name: "data", Value: e.Texts[0]}}}
	case e.Texts != nil:
		return engine.Key{Type: engine.StringKey, Text: e.Texts[0]}
	case kind == engine.StringKey && len(e.Items) > 0 && e.Items[0].Name != "":
		kind = engine.HashKey
	case kind == engine.StringKey:
		kind = engine.ListKey
	}
	k := inOrder(engine.Key{Type: kind, Items: e.Items})
	for i, it := range k.Items {
		if kind == engine.SetKey {
			k.Items[i] = engine.Item{Name: it.Name + it.Value}
		}
	}
	return k
}

// inOrder is a copy with sorted items, for comparison. A list keeps its order: it is part of its value.
func inOrder(k engine.Key) engine.Key {
	k.Items = slices.Clone(k.Items)
	if k.Type != engine.ListKey {
		slices.SortStableFunc(k.Items, func(a, b engine.Item) int { return strings.Compare(a.Name+a.Value, b.Name+b.Value) })
	}
	return k
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

// seeKey observes the parts of a key that an expectation names. A row of a table is observed as a row, and
// a key that no server has as gone.
func (o outcome) seeKey(want Expected) []Expected {
	got, there := keyOf(view(o.after, want.Node), want.Name)
	k := Expected{Key: "keys", Node: want.Node, Name: want.Name}
	switch {
	case got.Type == engine.RowKey:
		return rowsOf(got)
	case !there && !o.after.Exists(want.Name):
		return []Expected{{Key: "gone", Name: want.Name}}
	case !there:
		k.Type = NoKey
		return []Expected{k}
	}
	if want.Type != "" {
		k.Type = got.Type
	}
	switch {
	case want.Texts == nil && want.Items == nil:
	case got.Type == engine.StringKey:
		k.Texts = []string{got.Text}
	default:
		k.Type, k.Items = got.Type, got.Items // items alone could be those of several types
		if len(want.Items)+len(want.Texts) > 0 {
			k.Items = want.named(got).Items
		}
	}
	if want.TTL != nil {
		k.TTL = new(remaining(got.Deadline, o.after.Now))
	}
	return []Expected{k}
}

// seeGone observes the whole key on each server that has it; without such a server, it is gone.
func (o outcome) seeGone(want Expected) (seen []Expected) {
	for i, n := range o.after.Nodes {
		if _, there := n.Key(want.Name); there {
			seen = append(seen, o.seeKey(o.whole(i, want.Name))...)
		}
	}
	if seen == nil {
		seen = []Expected{{Key: "gone", Name: want.Name}}
	}
	return seen
}

// whole names every part of a key on the ith node, for seeKey to observe.
func (o outcome) whole(i int, name string) Expected {
	return Expected{Node: o.node(i), Name: name, Type: "?", Texts: []string{}, TTL: new(engine.Instant)}
}

// node is the name of the ith node in an expectation: the first one is written as none.
func (o outcome) node(i int) string {
	if i == 0 {
		return ""
	}
	return o.after.Nodes[i].Node
}

// row finds the items of a row on any node: the committed ones, or with the key pending the uncommitted
// ones; nil: there is no such row.
func (o outcome) row(want Expected) []engine.Item {
	for _, n := range o.after.Nodes {
		if k, ok := n.Key(want.Name); ok && k.Type == engine.RowKey {
			if want.Key == "pending" {
				return k.Pending.Items
			}
			return k.Items
		}
	}
	return nil
}

// rowUnmet compares the named columns. Empty columns expect a row, and nil expects none.
func (o outcome) rowUnmet(want Expected) []Unmet {
	got := o.row(want)
	differs := (want.Items == nil) != (got == nil)
	for _, it := range want.Items {
		v, there := engine.Key{Items: got}.Get(it.Name)
		differs = differs || !there || v != it.Value
	}
	if !differs {
		return nil
	}
	what := fact.Of("row", want.Name)
	if want.Key == "pending" {
		what = fact.Of("row-pending", want.Name)
	}
	return []Unmet{{What: what, Want: rowFact(want.Items), Got: rowFact(got)}}
}

func rowFact(items []engine.Item) fact.Fact {
	if items == nil {
		return fact.Of("none")
	}
	return fact.Text(strings.TrimPrefix(engine.Key{Type: engine.RowKey, Items: items}.Value(), "row "))
}

// rowsOf observes a whole row, committed and pending.
func rowsOf(k engine.Key) []Expected {
	seen := []Expected{{Key: "rows", Name: k.Name, Items: k.Items}}
	if k.Pending.Items != nil {
		seen = append(seen, Expected{Key: "pending", Name: k.Name, Items: k.Pending.Items})
	}
	return seen
}

// seeRow observes the named columns, or all if no row is expected. Only a missing row has nil columns.
func (o outcome) seeRow(want Expected) []Expected {
	row := o.row(want)
	seen := Expected{Key: want.Key, Name: want.Name, Items: row[:0:0]}
	for _, it := range row {
		if _, named := (engine.Key{Items: want.Items}).Get(it.Name); named || want.Items == nil {
			seen.Items = append(seen.Items, it)
		}
	}
	return []Expected{seen}
}
