package sql

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"lockstep/engine"
)

// View is all rows, by the name TABLE/KEY, and who holds and waits for which locks.
func (n *Node) View(context.Context) (engine.NodeView, error) {
	v := engine.NodeView{Deadlock: n.deadlock}
	for _, t := range n.tables {
		for _, r := range t.all() {
			if k, there := t.view(r); there {
				v.Keys = append(v.Keys, k)
			}
			v.Holds = append(v.Holds, t.holds(r)...)
		}
	}
	slices.SortFunc(v.Keys, func(a, b engine.Key) int { return strings.Compare(a.Name, b.Name) })
	for _, c := range n.connections {
		for _, name := range slices.Sorted(maps.Keys(c.named)) { // a connection that is shared keeps them, whoever used it last
			v.Holds = append(v.Holds, engine.Hold{Key: "GET_LOCK(" + Quote(name) + ")", Actor: c.name, Mode: engine.HoldsAlone})
		}
	}
	for _, c := range n.waiting() {
		v.Waits = append(v.Waits, c.transaction.view())
	}
	for _, c := range n.connections {
		if at, some := c.due(); some && c.running == nil {
			v.Sessions = append(v.Sessions, engine.Session{Process: c.client.Process, Until: at})
		}
	}
	slices.SortStableFunc(v.Sessions, func(a, b engine.Session) int {
		return cmp.Or(strings.Compare(a.Process, b.Process), cmp.Compare(a.Until, b.Until))
	})
	return v, nil
}

func (t *transaction) view() engine.Wait {
	c := t.connection
	return engine.Wait{
		Actor: c.client.Actor, Keys: []string{t.waits.table.nameOf(t.waits.record)}, By: []string{t.blocker.connection.client.Actor}, Until: c.until,
	}
}

// nameOf is what a view calls a record. The end of a table is no row, but has a gap before it.
func (t *table) nameOf(r *record) string {
	if r.end {
		return t.name + "/" + engine.EndOfTable
	}
	return t.name + "/" + r.key.String()
}

// view is a record as a key; none where nobody can see a row.
func (t *table) view(r *record) (engine.Key, bool) {
	k := engine.Key{Name: t.nameOf(r), Type: engine.RowKey, Items: t.items(r.last()), Deadline: engine.NoDeadline}
	if r.writer != nil {
		k.Pending = engine.Pending{By: r.writer.connection.client.Actor, Items: t.items(r.newest())}
	}
	return k, k.Items != nil || k.Pending.By != ""
}

func (t *table) items(row []Value) []engine.Item {
	var items []engine.Item
	for i, v := range row {
		items = append(items, engine.Item{Name: t.columns[i].name, Value: v.String()})
	}
	return items
}

// holds is the locks on a record. Who has written a row holds it without a lock.
func (t *table) holds(r *record) []engine.Hold {
	var all []engine.Hold
	name := t.nameOf(r)
	if r.writer != nil && !r.has(r.writer, exclusive, onRow) {
		all = append(all, engine.Hold{Key: name, Actor: r.writer.connection.client.Actor, Mode: engine.HoldsAlone})
	}
	for _, l := range r.locks {
		if l.kind == insert && !l.waits {
			continue
		}
		all = append(all, engine.Hold{Key: name, Actor: l.of.connection.client.Actor, Mode: l.shown(), Waits: l.waits})
	}
	return all
}

func (l *lock) shown() engine.HoldMode {
	switch {
	case l.kind == insert:
		return engine.HoldsInsert
	case l.kind == onGap:
		return engine.HoldsGap
	case l.mode == shared:
		return engine.HoldsShared
	}
	return engine.HoldsAlone
}
