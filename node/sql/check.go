package sql

import (
	"slices"
	"strings"
)

// check compares a statement with its table, before a connection runs it.
func (n *Node) check(c *connection, s *statement) *Error {
	switch s.verb {
	case selects, inserts, updates, deletes:
	default:
		return nil
	}
	t := n.table(s.table)
	if t == nil {
		return failed(1146, "Table '%s.%s' doesn't exist", Schema, s.table)
	}
	for _, f := range s.fields {
		if t.column(f.column) < 0 {
			return errNoColumn(f.column, "SELECT")
		}
	}
	if s.verb == inserts {
		return s.strict(t.checkInsert(s))
	}
	for i := range s.where {
		if err := t.checkCondition(&s.where[i]); err != nil {
			return err
		}
	}
	for i := range s.sets {
		if err := t.checkSet(&s.sets[i]); err != nil {
			return err
		}
	}
	if err := t.checkOrder(s); err != nil {
		return err
	}
	if s.mode == unlocked {
		return nil
	}
	return t.checkLocked(s, c.level())
}

// checkOrder takes the one order in which the rows are anyway.
func (t *table) checkOrder(s *statement) *Error {
	if s.order == "" {
		return nil
	}
	at := t.column(s.order)
	renamed := slices.ContainsFunc(s.fields, func(f field) bool { return strings.EqualFold(f.alias, s.order) && t.column(f.column) != t.key })
	switch {
	case renamed, at >= 0 && at != t.key:
		return unsupported("ORDER BY anything but " + t.columns[t.key].name)
	case at < 0:
		return errNoColumn(s.order, "ORDER BY")
	}
	return nil
}

// checkLocked takes what locks the row of one key and, under READ COMMITTED, where it locks no gaps, a SELECT that looks at all rows.
func (t *table) checkLocked(s *statement, level isolation) *Error {
	key, ok := t.point(s.where)
	name := t.columns[t.key].name
	switch {
	case ok && key.kind != null:
		return nil
	case ok || s.verb != selects:
		return unsupported("locking rows without WHERE " + name + " = a value")
	case level != readCommitted:
		return unsupported("locking rows without WHERE " + name + " = a value under REPEATABLE READ")
	case slices.ContainsFunc(s.where, func(c condition) bool {
		return t.column(c.column) == t.key || c.right.value.kind == null && c.right.column == ""
	}):
		return unsupported("locking rows by a range of " + name + ", or by NULL")
	}
	return nil
}

func (t *table) checkInsert(s *statement) *Error {
	want := len(t.columns)
	if s.columns != nil {
		want = len(s.columns)
	}
	if len(s.rows[0]) != want {
		return errCount(0)
	}
	for i, name := range s.columns {
		switch at := t.column(name); {
		case at < 0:
			return errNoColumn(name, "INSERT INTO")
		case slices.ContainsFunc(s.columns[:i], func(other string) bool { return strings.EqualFold(other, name) }):
			return failed(1110, "Column '%s' specified twice", name)
		}
	}
	for i, row := range s.rows {
		if len(row) != want {
			return errCount(i)
		}
	}
	for _, c := range t.columns {
		if s.columns != nil && c.notNull && !slices.ContainsFunc(s.columns, func(name string) bool { return strings.EqualFold(name, c.name) }) {
			return failed(1364, "Field '%s' doesn't have a default value", c.name)
		}
	}
	return nil
}

// strict is an error of a value. MariaDB makes the value fit, where it should ignore errors.
func (s *statement) strict(err *Error) *Error {
	if s.ignore && err != nil && slices.Contains([]int{1048, 1264, 1265, 1364, 1366, 1406}, err.Number) {
		return unsupported("INSERT IGNORE of a value that does not fit")
	}
	return err
}

func errCount(row int) *Error {
	return failed(1136, "Column count doesn't match value count at row %d", row+1)
}

// row is a row of an INSERT, by the columns of the table.
func (t *table) row(s *statement, i int) ([]Value, *Error) {
	row := make([]Value, len(t.columns))
	for j, v := range s.rows[i] {
		at := j
		if s.columns != nil {
			at = t.column(s.columns[j])
		}
		held, err := t.columns[at].hold(v, t.name, i+1)
		if err != nil {
			return nil, err
		}
		row[at] = held
	}
	return row, nil
}

func (t *table) checkSet(a *assignment) *Error {
	at := t.column(a.column)
	switch {
	case at < 0:
		return errNoColumn(a.column, "SET")
	case at == t.key:
		return unsupported("UPDATE of the primary key")
	}
	return t.checkExpression(a.to, "SET")
}

func (t *table) checkExpression(e expression, where string) *Error {
	if e.column == "" {
		return nil
	}
	at := t.column(e.column)
	switch {
	case at < 0:
		return errNoColumn(e.column, where)
	case e.adds && t.columns[at].kind != number:
		return unsupported("arithmetic with a text")
	}
	return nil
}

// checkCondition makes both sides values of one kind. MariaDB would compare a text with a
// number as two floating-point numbers, and find no row by its key.
func (t *table) checkCondition(c *condition) *Error {
	at := t.column(c.column)
	if at < 0 {
		return errNoColumn(c.column, "WHERE")
	}
	if err := t.checkExpression(c.right, "WHERE"); err != nil {
		return err
	}
	kind := c.right.value.kind
	if c.right.column != "" {
		kind = t.columns[t.column(c.right.column)].kind
	}
	if kind != null && kind != t.columns[at].kind {
		return unsupported("comparing a number with a text")
	}
	return nil
}
