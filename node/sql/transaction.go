package sql

import (
	"slices"

	"lockstep/engine"
	"lockstep/engine/reply"
)

// connection is one client's, with at most one transaction and one statement at a time.
type connection struct {
	id          int
	name        string
	client      engine.Client // who sent the last statement
	closed      bool          // the client is gone, which the server notices after the statement
	open        bool          // BEGIN was said
	isolation   isolation
	next        *isolation // of the next transaction only
	limits      limits
	since       engine.Instant // when its client heard of it last
	ended       bool           // by the server, and its client has not heard of that
	transaction *transaction
	running     *running       // nil: the client has its answer
	arrival     int            // when its statement began, or began to wait again; 0: before all others
	until       engine.Instant // when the wait for a lock ends
	named       map[string]int // locks of GET_LOCK, and how often
}

// running is a statement on its way.
type running struct {
	*statement
	auto     bool  // it is a transaction of its own
	from     int   // changes of the transaction before it
	row      int   // of an INSERT
	key      Value // at which a scan is; NULL: before all
	affected int
	result   []reply.Reply
	waited   bool
}

// transaction is one that has not ended.
type transaction struct {
	connection *connection
	isolation  isolation
	snapshot   int // how many commits it sees; -1: it has not looked yet
	undo       []change
	structs    []*lockStruct
	waits      *lock // nil: it waits for none
	blocker    *transaction
}

// change is one row that was written.
type change struct {
	table  *table
	record *record
	fresh  bool // the record was made for it
}

// write changes a row; nil deletes it.
func (t *transaction) write(tb *table, r *record, row []Value, fresh bool) {
	if before := r.newest(); before != nil && row != nil && !slices.EqualFunc(before, row, sameSize) {
		r.moved()
	}
	r.writer = t
	r.written = append(r.written, row)
	t.undo = append(t.undo, change{tb, r, fresh})
}

// undoTo takes back all changes but the first so many.
func (t *transaction) undoTo(n int) {
	for len(t.undo) > n {
		c := t.undo[len(t.undo)-1]
		t.undo = t.undo[:len(t.undo)-1]
		c.record.written = c.record.written[:len(c.record.written)-1]
		if len(c.record.written) == 0 {
			c.record.writer = nil
		}
		if c.fresh {
			c.table.remove(c.record)
		}
	}
}

// level is the isolation of the transaction in which a connection's next statement is.
func (c *connection) level() isolation {
	switch {
	case c.transaction != nil:
		return c.transaction.isolation
	case c.next != nil:
		return *c.next
	}
	return c.isolation
}

// begin gives a statement on rows a transaction.
func (n *Node) begin(c *connection) {
	switch c.running.verb {
	case selects, inserts, updates, deletes:
	default:
		return
	}
	if c.transaction == nil {
		c.transaction = &transaction{connection: c, isolation: c.level(), snapshot: -1}
		c.next = nil
		c.running.auto = !c.open
	}
	c.running.from = len(c.transaction.undo)
}

func (n *Node) finish(c *connection, commits bool) {
	if c.open {
		c.next = nil // it was for the transaction that ends, though that has done nothing
	}
	c.open = false
	if t := c.transaction; t != nil {
		c.transaction = nil
		n.end(t, commits)
	}
}

// end commits or rolls back, and lets go of all locks.
func (n *Node) end(t *transaction, commits bool) {
	if !commits {
		t.undoTo(0)
	}
	n.keep(t)
	var freed []*record
	for _, tb := range n.tables {
		for _, r := range tb.all() {
			had := len(r.locks)
			r.locks = slices.DeleteFunc(r.locks, func(l *lock) bool { return l.of == t })
			if len(r.locks) != had {
				freed = append(freed, r)
			}
		}
	}
	t.structs = nil
	for _, r := range freed {
		grant(r)
	}
	n.purge()
	for _, c := range slices.Clone(n.connections) { // they may wait for somebody else now
		if c.transaction != nil && c.transaction.waits != nil && n.resolve(c.transaction) == c.transaction {
			n.victim(c)
		}
	}
}

// keep makes what a transaction wrote the last committed version of each row.
func (n *Node) keep(t *transaction) {
	if len(t.undo) == 0 {
		return
	}
	n.commits++
	for _, c := range t.undo {
		if r := c.record; r.writer == t {
			r.committed = &version{r.newest(), n.commits, r.committed}
			r.writer, r.written = nil, nil
		}
	}
}

// purge forgets the versions of rows that nobody can see any more. Records stay.
func (n *Node) purge() {
	oldest := n.commits
	for _, c := range n.connections {
		if c.transaction != nil && c.transaction.snapshot >= 0 {
			oldest = min(oldest, c.transaction.snapshot)
		}
	}
	for _, t := range n.tables {
		for _, r := range t.records {
			r.committed = r.committed.since(oldest)
		}
	}
}

// since is the versions that those see who look at so many commits or more. What all of them
// see is as old as can be.
func (v *version) since(commits int) *version {
	switch {
	case v == nil || v.at == 0:
		return v
	case v.at <= commits:
		return &version{row: v.row}
	}
	before := v.before.since(commits)
	if before == v.before {
		return v
	}
	return &version{v.row, v.at, before}
}
