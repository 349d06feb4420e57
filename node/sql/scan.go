package sql

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
