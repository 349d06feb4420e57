package sql

import (
	"cmp"
	"slices"

	"lockstep/engine"
)

// outcome is how far a statement came.
type outcome uint8

const (
	done     outcome = iota
	waiting          // for a lock
	deadlock         // and its transaction is the victim
)

// wait puts a request into the queue of a record, unless that closes a circle.
func (n *Node) wait(c *connection, t *table, r *record, m mode, kind lockKind) outcome {
	of := c.transaction
	l := &lock{of: of, table: t, record: r, mode: m, kind: kind, waits: true}
	l.part = &lockStruct{table: t.name, mode: m, kind: kind, waits: true}
	of.structs = append(of.structs, l.part)
	r.locks = append(r.locks, l)
	of.waits = l
	c.running.waited = true
	c.until = n.now + cmp.Or(c.limits[lockWait], defaultLockWait)
	for of.waits != nil {
		of.blocker = ahead(l)
		switch n.resolve(of) {
		case of:
			return deadlock
		case nil:
			return waiting
		}
	}
	c.arrival = 0 // another was rolled back, and this one goes on before all others
	return waiting
}

// resolve looks for a circle of transactions that wait for each other, of which t is one or
// which t waits for, and rolls back its lightest. It returns the victim; nil: there is no circle.
func (n *Node) resolve(t *transaction) *transaction {
	circle := circleFrom(t)
	if circle == nil {
		return nil
	}
	// On a tie it is the one that asked last.
	victim := circle[0]
	for i, x := range append(slices.Clone(circle[1:]), circle[0]) {
		if i == 0 || x.weight() < victim.weight() || x.weight() == victim.weight() && x == t {
			victim = x
		}
	}
	n.note(circle, victim)
	victim.forgo()
	if victim != t {
		n.victim(victim.connection)
	}
	return victim
}

// note keeps who waited for whom, as SHOW ENGINE INNODB STATUS has the latest deadlock.
func (n *Node) note(circle []*transaction, victim *transaction) {
	d := engine.Deadlock{N: n.deadlock.N + 1, Victim: victim.connection.client.Actor}
	for _, t := range append(slices.Clone(circle[1:]), circle[0]) {
		w := t.view()
		w.Until = engine.NoDeadline
		d.Waits = append(d.Waits, w)
	}
	n.deadlock = d
}

// circleFrom follows who waits for whom.
func circleFrom(t *transaction) []*transaction {
	var path []*transaction
	for x := t; x != nil && x.waits != nil; x = x.blocker {
		if i := slices.Index(path, x); i >= 0 {
			return path[i:]
		}
		path = append(path, x)
	}
	return nil
}

// weight is what would be lost with a transaction: its changes and its locks.
func (t *transaction) weight() int { return len(t.undo) + len(t.structs) }

// victim rolls a transaction back and tells its client.
func (n *Node) victim(c *connection) {
	t := c.transaction
	c.running.auto = false
	c.transaction, c.open = nil, false
	n.end(t, false)
	n.answer(c, failed(1213, "Deadlock found when trying to get lock; try restarting transaction").reply())
}
