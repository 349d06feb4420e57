package sql

import (
	"slices"
	"time"

	"lockstep/engine"
)

// timeout is a limit on how long something may take.
type timeout int

const (
	lockWait        timeout = iota // a statement waits for a lock
	idle                           // a client says nothing
	idleTransaction                // a client says nothing in a transaction
)

// timeouts are MariaDB's names for them.
var timeouts = []string{"innodb_lock_wait_timeout", "wait_timeout", "idle_transaction_timeout"}

// limits are all timeouts of a connection; 0: as nobody has said. Then clients may be idle for as long as they like, as no
// lesson should have to think of MariaDB's eight hours.
type limits [3]time.Duration

const defaultLockWait = 50 * time.Second

// mostSeconds is the greatest timeout that all of them can have.
const mostSeconds = 365 * 24 * 60 * 60

// due is when a connection has waited too long: its statement for a lock, or the server for its client.
func (c *connection) due() (at engine.Instant, some bool) {
	if c.running != nil {
		return c.until, c.transaction != nil && c.transaction.waits != nil
	}
	limit := c.limits[idle]
	if within := c.limits[idleTransaction]; within > 0 && (c.open || c.transaction != nil) && (limit == 0 || within < limit) {
		limit = within
	}
	return c.since + limit, limit > 0 && !c.ended
}

// soonest is the connection that is due next; nil: none ever is.
func (n *Node) soonest() (first *connection, at engine.Instant) {
	for _, c := range slices.Concat(n.waiting(), n.connections) {
		if due, some := c.due(); some && (first == nil || due < at) {
			first, at = c, due
		}
	}
	return first, at
}

// NextDue is when the next connection has waited too long.
func (n *Node) NextDue() (engine.Instant, bool) {
	c, at := n.soonest()
	return at, c != nil
}

// EndNext moves the clock, and ends the first of the waits that took too long. It returns whose
// it was. What comes of it, Taken returns.
func (n *Node) EndNext(now engine.Instant) (connection int, ended bool) {
	c, due := n.soonest()
	if c == nil || due > now {
		n.now = now
		return 0, false
	}
	n.now = due
	if c.running != nil {
		n.giveUp(c)
		return c.id, true
	}
	n.finish(c, false)
	c.named, c.ended = nil, true // its client hears of that when it sends something
	n.settle()
	return c.id, true
}
