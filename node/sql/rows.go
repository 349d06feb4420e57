package sql

import (
	"slices"

	"lockstep/engine/reply"
)

// read answers a SELECT without a lock from a snapshot: of the transaction's first read, or
// under READ COMMITTED of this one.
func (n *Node) read(c *connection) {
	t, s, tb := c.transaction, c.running, n.table(c.running.table)
	if t.snapshot < 0 || t.isolation == readCommitted {
		t.snapshot = n.commits
	}
	for _, r := range tb.records {
		if row := r.seen(t, t.snapshot); row != nil && tb.matches(row, s.where) {
			s.result = append(s.result, tb.shown(s.statement, row))
		}
		if s.full() {
			break
		}
	}
	n.answer(c, s.rows())
}

// full tells whether a SELECT has as many rows as it wants.
func (r *running) full() bool { return r.limit > 0 && int64(len(r.result)) >= r.limit }

// shown is a row of a result: columns and values in turn.
func (t *table) shown(s *statement, row []Value) reply.Reply {
	var elems []reply.Reply
	for _, f := range s.fields {
		elems = append(elems, reply.OfStatus(f.alias), row[t.column(f.column)].reply())
	}
	if s.fields == nil {
		for i, c := range t.columns {
			elems = append(elems, reply.OfStatus(c.name), row[i].reply())
		}
	}
	return reply.OfMap(elems...)
}

func one(name string, value reply.Reply) reply.Reply {
	return reply.OfArray(reply.OfMap(reply.OfStatus(name), value))
}

// rows is the answer to a SELECT.
func (r *running) rows() reply.Reply {
	if r.count {
		return one(r.alias, reply.OfInt(int64(len(r.result))))
	}
	return reply.OfArray(r.result...)
}

// lock asks for a lock on a row or a gap.
func (n *Node) lock(c *connection, tb *table, r *record, m mode, kind lockKind) (outcome, *Error) {
	t := c.transaction
	if kind == onRow && r.writer == t {
		return done, nil // what it has written is its own already
	}
	tb.explicit(r, t) // InnoDB does so for a gap, too
	if r.has(t, m, kind) {
		return done, nil
	}
	if r.blocked(t, m, kind) {
		if c.running.nowait {
			return done, errLockWait()
		}
		return n.wait(c, tb, r, m, kind), nil
	}
	tb.grantNew(t, r, m, kind)
	return done, nil
}

// point does a locking SELECT, an UPDATE or a DELETE of the row with one key.
func (n *Node) point(c *connection) (outcome, *Error) {
	s, t, tb := c.running, c.transaction, n.table(c.running.table)
	t.intend(tb.name, s.mode)
	key, _ := tb.point(s.where)
	i, found := tb.find(key)
	if !found {
		if t.isolation == readCommitted {
			return done, nil
		}
		return n.lock(c, tb, tb.at(i), s.mode, onGap)
	}
	r := tb.records[i]
	if t.isolation == readCommitted && r.writer == nil && r.last() == nil {
		return done, nil // it passes over what is gone for everybody
	}
	if s.skipped(tb, r, t) {
		if t.isolation == readCommitted {
			return done, nil
		}
		return n.lock(c, tb, tb.at(i+1), s.mode, onGap) // it has looked there for another row of this key
	}
	// MariaDB has read the one row that a SELECT can find before it looks at other conditions, and keeps it.
	return n.take(c, tb, r, t.isolation == readCommitted && s.verb != selects)
}

// take locks a row, and applies the statement to it if it is wanted; else it may give it back.
func (n *Node) take(c *connection, tb *table, r *record, givesBack bool) (outcome, *Error) {
	s, t := c.running, c.transaction
	had := r.has(t, s.mode, onRow)
	if out, err := n.lock(c, tb, r, s.mode, onRow); out != done || err != nil {
		return out, err
	}
	if row := r.newest(); row != nil && tb.matches(row, s.where) {
		return done, c.apply(tb, r, row)
	}
	if givesBack && !had && !s.waited {
		t.unlock(r, s.mode)
	}
	return done, nil
}

// apply does to a locked row what the statement is for.
func (c *connection) apply(tb *table, r *record, row []Value) *Error {
	s, t := c.running, c.transaction
	switch s.verb { //nolint:exhaustive // the others come to no row in this way
	case selects:
		s.result = append(s.result, tb.shown(s.statement, row))
	case updates:
		next, err := tb.assigned(s.sets, row)
		if err != nil || slices.Equal(next, row) {
			return err
		}
		t.write(tb, r, next, false)
		s.affected++
	case deletes:
		t.write(tb, r, nil, false)
		s.affected++
	}
	return nil
}

// assigned is a row after SET, whose assignments happen from left to right.
func (t *table) assigned(sets []assignment, row []Value) ([]Value, *Error) {
	next := slices.Clone(row)
	for _, a := range sets {
		at := t.column(a.column)
		v := t.value(a.to, next)
		if from := t.column(a.to.column); a.to.adds && (v.num > next[from].num) != (a.to.add > 0) && a.to.add != 0 && v.kind == number {
			return nil, errOutOfRange(t.name, a.to)
		}
		held, err := t.columns[at].hold(v, t.name, 1)
		if err != nil {
			return nil, err
		}
		next[at] = held
	}
	return next, nil
}

// insert does an INSERT, from the row at which it waited.
func (n *Node) insert(c *connection) (outcome, *Error) {
	s, tb := c.running, n.table(c.running.table)
	c.transaction.intend(tb.name, exclusive)
	for ; s.row < len(s.statement.rows); s.row++ {
		row, err := tb.row(s.statement, s.row)
		if err != nil {
			return done, s.strict(err)
		}
		switch out, err := n.insertRow(c, tb, row); {
		case err != nil && s.ignore && err.Number == 1062:
		case out != done || err != nil:
			return out, err
		default:
			s.affected++
		}
	}
	return done, nil
}

func (n *Node) insertRow(c *connection, tb *table, row []Value) (outcome, *Error) {
	t, key := c.transaction, row[tb.key]
	i, found := tb.find(key)
	if found {
		r := tb.records[i]
		if out, err := n.lock(c, tb, r, shared, onRow); out != done || err != nil {
			return out, err
		}
		if r.newest() != nil {
			return done, failed(1062, "Duplicate entry '%s' for key 'PRIMARY'", key)
		}
		if !r.has(t, exclusive, onRow) && r.blocked(t, exclusive, onRow) {
			return n.wait(c, tb, r, exclusive, onRow), nil
		}
		t.write(tb, r, row, false)
		return done, nil
	}
	next := tb.at(i)
	if next.blocked(t, exclusive, insert) {
		return n.wait(c, tb, next, exclusive, insert), nil
	}
	r := &record{key: key}
	tb.records = slices.Insert(tb.records, i, r)
	tb.inherit(r, next)
	t.write(tb, r, row, true)
	return done, nil
}

// scan does a locking SELECT that names no key, from the row at which it waited. It locks each row that it comes to, and
// under READ COMMITTED gives those back that it does not want.
func (n *Node) scan(c *connection) (outcome, *Error) {
	s, tb := c.running, n.table(c.running.table)
	c.transaction.intend(tb.name, s.mode)
	i := 0
	if s.key.kind != null {
		i, _ = tb.find(s.key)
	}
	for ; i < len(tb.records) && !s.full(); i++ {
		s.key = tb.records[i].key
		if out, err := n.visit(c, tb, tb.records[i]); out != done || err != nil {
			return out, err
		}
		s.waited = false
	}
	return done, nil
}

// visit locks one row of a scan, and takes it if it is wanted.
func (n *Node) visit(c *connection, tb *table, r *record) (outcome, *Error) {
	s, t := c.running, c.transaction
	if r.writer == nil && r.last() == nil || s.skipped(tb, r, t) {
		return done, nil // it passes over what is gone for everybody, too
	}
	return n.take(c, tb, r, true)
}

// skipped tells whether SKIP LOCKED passes over a row, as it would have to wait for it.
func (r *running) skipped(tb *table, at *record, t *transaction) bool {
	if !r.skips || at.writer == t || at.has(t, r.mode, onRow) || !at.blocked(t, r.mode, onRow) {
		return false
	}
	tb.explicit(at, t)
	return true
}
