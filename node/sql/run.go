package sql

import (
	"slices"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/reply"
)

// run has a connection's statement go on until it is answered or waits.
func (n *Node) run(c *connection) {
	switch s := c.running; s.verb {
	case begin, commit:
		n.finish(c, true)
		if c.open = s.verb == begin; !c.open {
			c.next = nil
		}
		n.answer(c, reply.OK)
	case rollback:
		n.finish(c, false)
		c.next = nil // MariaDB forgets it, though there was no transaction
		n.answer(c, reply.OK)
	case setIsolation:
		n.answer(c, n.setIsolation(c, s))
	case setTimeout:
		if s.scope == global {
			n.limits[s.timeout] = time.Duration(s.seconds) * time.Second
		} else {
			c.limits[s.timeout] = time.Duration(s.seconds) * time.Second
		}
		n.answer(c, reply.OK)
	case getLock:
		n.answer(c, one(s.alias, n.getLock(c, s.name)))
	case releaseLock:
		n.answer(c, one(s.alias, n.releaseLock(c, s.name)))
	case createTable:
		n.answer(c, n.createTable(s.statement))
	case selects, inserts, updates, deletes:
		n.runOnRows(c)
	}
}

func (n *Node) runOnRows(c *connection) {
	s := c.running
	do := n.scan
	switch _, one := n.table(s.table).point(s.where); {
	case s.verb == inserts:
		do = n.insert
	case s.mode == unlocked:
		n.read(c)
		return
	case one:
		do = n.point
	}
	out, err := do(c)
	switch {
	case err != nil: // only the statement is undone
		c.transaction.undoTo(s.from)
		n.answer(c, err.reply())
	case out == deadlock:
		n.victim(c)
	case out == waiting:
	case s.verb == selects:
		n.answer(c, s.rows())
	default:
		n.answer(c, reply.OfInt(int64(s.affected)))
	}
}

// answer ends a statement. A client that is gone cannot be told: its connection ends.
func (n *Node) answer(c *connection, r reply.Reply) {
	auto := c.running.auto
	c.running, c.since = nil, n.now
	if !c.closed {
		n.answers = append(n.answers, engine.Answer{Actor: c.client.Actor, Reply: r})
	}
	if auto && c.transaction != nil {
		n.finish(c, true)
	}
	if c.closed {
		n.disconnect(c)
	}
}

// disconnect rolls back what a connection has not committed, and forgets it.
func (n *Node) disconnect(c *connection) {
	n.finish(c, false)
	n.connections = slices.DeleteFunc(n.connections, func(o *connection) bool { return o == c })
}

// settle lets those whose wait has ended go on, who came first before others.
func (n *Node) settle() {
	for {
		var next *connection
		for _, c := range n.connections {
			if c.running != nil && c.transaction != nil && c.transaction.waits == nil && (next == nil || c.arrival < next.arrival) {
				next = c
			}
		}
		if next == nil {
			return
		}
		n.run(next)
		if next.running != nil && next.arrival == 0 {
			next.arrival = n.arrive()
		}
	}
}

// arrive numbers who waits, from 1.
func (n *Node) arrive() int {
	last := 0
	for _, c := range n.connections {
		if c.running != nil {
			last = max(last, c.arrival)
		}
	}
	return last + 1
}

// giveUp ends a wait for a lock that took too long. Only the statement is undone.
func (n *Node) giveUp(c *connection) {
	c.transaction.forgo()
	c.transaction.undoTo(c.running.from)
	n.answer(c, errLockWait().reply())
	n.settle()
}

func (n *Node) setIsolation(c *connection, s *running) reply.Reply {
	switch {
	case s.scope == global:
		n.isolation = s.isolation
	case s.scope == session:
		c.isolation = s.isolation
	case c.transaction != nil || c.open:
		return failed(1568, "Transaction characteristics can't be changed while a transaction is in progress").reply()
	default:
		c.next = &s.isolation
	}
	return reply.OK
}

// holderOf is the connection that has a lock of GET_LOCK.
func (n *Node) holderOf(name string) *connection {
	for _, c := range n.connections {
		if c.named[name] > 0 {
			return c
		}
	}
	return nil
}

// getLock takes a lock. None is called by nothing.
func (n *Node) getLock(c *connection, name string) reply.Reply {
	if name == "" {
		return reply.Reply{}
	}
	if h := n.holderOf(name); h != nil && h != c {
		return reply.OfInt(0)
	}
	if c.named == nil {
		c.named = map[string]int{}
	}
	c.named[name]++
	return reply.OfInt(1)
}

func (n *Node) releaseLock(c *connection, name string) reply.Reply {
	switch n.holderOf(name) {
	case nil:
		return reply.Reply{}
	case c:
		if c.named[name]--; c.named[name] == 0 {
			delete(c.named, name)
		}
		return reply.OfInt(1)
	}
	return reply.OfInt(0)
}

func (n *Node) createTable(s *statement) reply.Reply {
	if n.table(s.table) != nil {
		return failed(1050, "Table '%s' already exists", s.table).reply()
	}
	t := &table{name: s.table, columns: s.definition, key: -1, end: &record{end: true}}
	for i, c := range s.definition {
		if t.column(c.name) != i {
			return failed(1060, "Duplicate column name '%s'", c.name).reply()
		}
		if strings.EqualFold(c.name, s.key) {
			t.key = i
		}
	}
	switch {
	case s.key == "":
		return unsupported("a table without a primary key").reply()
	case t.key < 0:
		return failed(1072, "Key column '%s' doesn't exist in table", s.key).reply()
	}
	t.columns[t.key].notNull = true
	i, _ := slices.BinarySearchFunc(n.tables, s.table, func(t *table, name string) int { return strings.Compare(t.name, name) })
	n.tables = slices.Insert(n.tables, i, t)
	return reply.OK
}
