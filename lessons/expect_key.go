package lessons

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
)

// NoKey is the type of a key that is not there, as TYPE answers it.
const NoKey engine.KeyType = "none"

// view is the state of a server; of none, the first; of one that there is not, the zero view.
func view(s *engine.Snapshot, node string) engine.NodeView {
	if node == "" {
		return s.Nodes[0]
	}
	v, _ := s.Node(node)
	return v
}

// keyUnmet compares a key with its expectation: whether it exists, its type, its value, what is left
// of its lease. What differs earlier in this order hides the rest, except that the lease is compared
// beside the value.
func (o outcome) keyUnmet(want Expected) []Unmet {
	what := fact.Of("key", want.Name)
	if want.Node != "" {
		what = fact.Of("key-on", want.Name, want.Node)
	}
	differs := func(want, got fact.Fact) []Unmet { return []Unmet{{What: what, Want: want, Got: got}} }
	got, exists := view(o.after, want.Node).Key(want.Name)
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
	value, has := want.asKey(got.Type), inOrder(got)
	same := value.Type == has.Type && value.Text == has.Text && slices.Equal(value.Items, has.Items)
	if named := want.Texts != nil || want.Items != nil; named && !same {
		unmet = differs(fact.Text(value.Value()), fact.Text(got.Value()))
	}
	if left := remaining(got.Deadline, o.after.Now); want.TTL != nil && left != *want.TTL {
		unmet = append(unmet, Unmet{What: fact.Of("ttl-of", what), Want: ttlFact(*want.TTL), Got: ttlFact(left)})
	}
	return unmet
}

// goneUnmet differs once for each server that has the key.
func (o outcome) goneUnmet(want Expected) (unmet []Unmet) {
	for i := range o.after.Nodes {
		unmet = append(unmet, o.keyUnmet(Expected{Node: o.node(i), Name: want.Name, Type: NoKey})...)
	}
	return unmet
}

// asKey is the expected value as a key of a type. Without a type, a list in a lesson may be a list or
// a set, and a mapping any type with names: the key that is there decides. A string cannot hold either, so
// beside one they are a list and a hash.
func (e Expected) asKey(kind engine.KeyType) engine.Key {
	switch {
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

// inOrder is a key with its items sorted, so that two can be compared. Only a list has an order that
// an author chooses, and keeps it.
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

// seeKey observes the parts of a key that an expectation names. Rows of tables are keys as well, and
// are observed as rows; a key that no server has is gone.
func (o outcome) seeKey(want Expected) []Expected {
	got, there := view(o.after, want.Node).Key(want.Name)
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
		k.Type, k.Items = got.Type, got.Items // without the type the items would not say which one they are of
	}
	if want.TTL != nil {
		k.TTL = new(remaining(got.Deadline, o.after.Now))
	}
	return []Expected{k}
}

// seeGone observes all of a key on each server that has it. When none does it is gone.
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

// whole is an expectation that names every part of a key on the ith node, for seeKey to fill in.
func (o outcome) whole(i int, name string) Expected {
	return Expected{Node: o.node(i), Name: name, Type: "?", Texts: []string{}, TTL: new(engine.Instant)}
}

// node is the ith node in an expectation, where the first has no name.
func (o outcome) node(i int) string {
	if i == 0 {
		return ""
	}
	return o.after.Nodes[i].Node
}

// row finds a row of a table on any node, as it was committed, or for a pending one as its writer
// has left it; nil: there is none.
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

// rowUnmet compares the columns that are named. No columns expect that the row exists, nil that it does not.
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

// rowsOf observes all of a row: what is committed, and what a transaction has made of it.
func rowsOf(k engine.Key) []Expected {
	seen := []Expected{{Key: "rows", Name: k.Name, Items: k.Items}}
	if k.Pending.Items != nil {
		seen = append(seen, Expected{Key: "pending", Name: k.Name, Items: k.Pending.Items})
	}
	return seen
}

// seeRow observes the columns that an expectation names; all, if it expects no row. The columns of a row
// that exists are never nil.
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
