package lessons

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
)

// ExpectRow is what a row of a table must look like, by its name: stock/10.
type ExpectRow struct {
	Name    string
	Pending bool          // what a transaction has made of it and not committed, not what was committed
	Items   []engine.Item // the columns that count; nil: there is no such row
	Place   Place
}

// ExpectLocks is who has and waits for which locks on a row, or before it: exactly these.
type ExpectLocks struct {
	Name  string
	Locks []string // as lockText writes them
	Place Place
}

// lockText is a lock as lessons write it: A X, B waits X, C gap.
func lockText(h engine.Hold) string {
	if h.Waits {
		return h.Actor + " waits " + string(h.Mode)
	}
	return h.Actor + " " + string(h.Mode)
}

// row finds a row on any node; the zero Key if there is none.
func (c *comparison) row(name string) engine.Key {
	for _, n := range c.after.Nodes {
		if k, ok := n.Key(name); ok && k.Type == engine.RowKey {
			return k
		}
	}
	return engine.Key{}
}

// looks is what a row expects and what there is: as it was committed, or as its writer sees it.
func (r ExpectRow) looks(k engine.Key) []engine.Item {
	if r.Pending {
		return k.Pending.Items
	}
	return k.Items
}

func (c *comparison) rowIs(want ExpectRow) {
	c.place = want.Place
	what := fact.Of("row", want.Name)
	if want.Pending {
		what = fact.Of("row-pending", want.Name)
	}
	k := c.row(want.Name)
	got := want.looks(k)
	for _, it := range want.Items {
		if v, there := (engine.Key{Items: got}).Get(it.Name); !there || v != it.Value {
			c.differs(what, rowFact(want.Items), rowFact(got))
			return
		}
	}
	if want.Items == nil && got != nil {
		c.differs(what, rowFact(nil), rowFact(got))
	}
}

func rowFact(items []engine.Item) fact.Fact {
	if items == nil {
		return fact.Of("none")
	}
	return fact.Text(strings.TrimPrefix(engine.Key{Type: engine.RowKey, Items: items}.Value(), "row "))
}

// locks is all locks on a row, or before it.
func (c *comparison) locks(name string) []string {
	locks := []string{}
	for _, n := range c.after.Nodes {
		for _, h := range n.Holds {
			if h.Key == name {
				locks = append(locks, lockText(h))
			}
		}
	}
	return locks
}

func (c *comparison) locksAre(want ExpectLocks) {
	c.place = want.Place
	c.same(fact.Of("locks-on", want.Name), sorted(want.Locks), sorted(c.locks(want.Name)), fact.Of("none"))
}

// row observes a row: what was committed, and what was not.
func (o *observer) rows(k engine.Key) {
	for _, r := range []ExpectRow{{Name: k.Name}, {Name: k.Name, Pending: true}} {
		r.Items = r.looks(k)
		known := slices.ContainsFunc(o.out.Rows, func(other ExpectRow) bool { return other.Name == r.Name && other.Pending == r.Pending })
		if !known && (r.Items != nil || !r.Pending) {
			o.out.Rows = append(o.out.Rows, r)
		}
	}
}

// namedRows observes the columns and the locks that an expectation names.
func (o *observer) namedRows(e *Expect) {
	for _, want := range e.Rows {
		k := o.row(want.Name)
		seen := ExpectRow{Name: want.Name, Pending: want.Pending}
		for _, it := range want.looks(k) {
			if _, named := (engine.Key{Items: want.Items}).Get(it.Name); named || want.Items == nil {
				seen.Items = append(seen.Items, it)
			}
		}
		o.out.Rows = append(o.out.Rows, seen)
	}
	for _, want := range e.Locks {
		o.out.Locks = append(o.out.Locks, ExpectLocks{Name: want.Name, Locks: o.locks(want.Name)})
	}
}
