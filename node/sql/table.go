package sql

import (
	"slices"
	"sort"
	"strings"
)

// table is a table, whose records are ordered by their key.
type table struct {
	name    string
	columns []column
	key     int // the column that is the primary key
	records []*record
	end     *record // the supremum: it has only locks, on the gap behind the last record
}

// record is one key of a table. It stays when its row is deleted, as long as purge is held
// back: a deleted row can be locked.
type record struct {
	key       Value
	end       bool
	committed *version     // newest first; nil: nothing was committed
	writer    *transaction // that has written it and not ended; nil: none
	written   [][]Value    // by the writer, oldest first; nil is a deleted row
	locks     []*lock      // in the order in which they were asked for
}

// version is a row as a transaction left it. It is never changed.
type version struct {
	row    []Value // nil: deleted
	at     int     // the number of the commit
	before *version
}

// newest is the row as its last writer left it; nil when it is deleted.
func (r *record) newest() []Value {
	if r.writer != nil {
		return r.written[len(r.written)-1]
	}
	return r.last()
}

// last is the row as it was last committed; nil when there is none.
func (r *record) last() []Value {
	if r.committed == nil {
		return nil
	}
	return r.committed.row
}

// seen is the row that a transaction sees that looks at what the first so many commits left.
func (r *record) seen(by *transaction, commits int) []Value {
	if by != nil && r.writer == by {
		return r.newest()
	}
	for v := r.committed; v != nil; v = v.before {
		if v.at <= commits {
			return v.row
		}
	}
	return nil
}

// find is the place of a key, or where it would be.
func (t *table) find(key Value) (int, bool) {
	i := sort.Search(len(t.records), func(i int) bool { return compare(t.records[i].key, key) >= 0 })
	return i, i < len(t.records) && compare(t.records[i].key, key) == 0
}

// at is a record by its place; behind the last one is the end.
func (t *table) at(i int) *record {
	if i < len(t.records) {
		return t.records[i]
	}
	return t.end
}

// all is every record, and the end.
func (t *table) all() []*record { return append(slices.Clone(t.records), t.end) }

// column finds a column by name, or is -1.
func (t *table) column(name string) int {
	return slices.IndexFunc(t.columns, func(c column) bool { return strings.EqualFold(c.name, name) })
}

func (t *table) value(e expression, row []Value) Value {
	if e.column == "" {
		return e.value
	}
	v := row[t.column(e.column)]
	if e.adds && v.kind == number {
		v.num += e.add
	}
	return v
}

// matches tells whether all conditions hold of a row. Nothing holds of NULL.
func (t *table) matches(row []Value, where []condition) bool {
	for _, c := range where {
		a, b := row[t.column(c.column)], t.value(c.right, row)
		if a.kind == null || b.kind == null {
			return false
		}
		order := compare(a, b)
		holds := map[string]bool{"=": order == 0, "<": order < 0, ">": order > 0, "<=": order <= 0, ">=": order >= 0}[c.comparison]
		if c.comparison == "<>" || c.comparison == "!=" {
			holds = order != 0
		}
		if !holds {
			return false
		}
	}
	return true
}

// point is the value of the key that conditions ask for.
func (t *table) point(where []condition) (Value, bool) {
	for _, c := range where {
		if c.comparison == "=" && c.right.column == "" && t.column(c.column) == t.key {
			return c.right.value, true
		}
	}
	return Value{}, false
}
