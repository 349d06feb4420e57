package zookeeper

import (
	"cmp"
	"slices"

	"lockstep/engine"
)

// client is a process as the node knows it, with its session once it has one.
type client struct {
	process string

	// Why its pings do not come.
	crashed, paused, cut bool

	open    bool           // it has, or had, a session
	expired bool           // which is over
	until   engine.Instant // when it expires; engine.NoDeadline: pings come
	seen    int64          // the last write that it heard of before its connection was cut
}

// silent tells whether no ping comes.
func (c *client) silent() bool { return c.crashed || c.paused || c.cut }

// connected tells whether events reach the client. One that is paused finds them when it
// goes on.
func (c *client) connected() bool { return !c.crashed && !c.cut && !c.expired }

// client finds a process, or remembers it from now on.
func (n *Node) client(process string) *client {
	i, known := slices.BinarySearchFunc(n.clients, process, func(c client, name string) int { return cmp.Compare(c.process, name) })
	if !known {
		n.clients = slices.Insert(n.clients, i, client{process: process, until: engine.NoDeadline})
	}
	return &n.clients[i]
}

// connect opens the session of a process with its first request, which is a write.
func (n *Node) connect(process string) *client {
	c := n.client(process)
	if !c.open {
		n.tree.zxid++
		c.open = true
		n.heard(c)
	}
	return c
}

// heard sets when a session expires, after something has changed whether its pings come.
func (n *Node) heard(c *client) {
	switch {
	case !c.open || c.expired || !c.silent():
		c.until = engine.NoDeadline
	case c.until == engine.NoDeadline:
		c.until = n.now + n.timeout
	}
}

func (n *Node) fault(process string, kind engine.ChoiceKind) {
	c := n.client(process)
	switch kind { //nolint:exhaustive // the others do not happen to a process
	case engine.Crash:
		c.crashed = true
		n.watches.take(func(w watch) bool { return w.process == process })
	case engine.Pause:
		c.paused = true
	case engine.Resume:
		c.paused = false
	case engine.Cut:
		if !c.cut {
			c.cut, c.seen = true, n.tree.zxid
		}
	case engine.Heal:
		if c.cut = false; !c.expired {
			n.missed(process, c.seen)
		}
	}
	n.heard(c)
	n.sayExpired(c)
}

// sayExpired tells a client that its session is over, once it can hear it: all its watchers
// are told.
func (n *Node) sayExpired(c *client) {
	if !c.expired || c.silent() {
		return
	}
	for _, w := range n.watches.take(func(w watch) bool { return w.process == c.process }) {
		n.tell(w, expired)
	}
}

// expire ends a session and deletes its ephemeral znodes, which is one write.
func (n *Node) expire(c *client) []engine.Expiry {
	n.tree.zxid++
	at := c.until
	c.expired, c.until = true, engine.NoDeadline
	var gone []engine.Expiry
	for _, path := range n.tree.ownedBy(c.process) {
		n.tree.remove(path)
		n.removed(path)
		gone = append(gone, engine.Expiry{Key: path, At: at})
	}
	slices.SortFunc(gone, func(a, b engine.Expiry) int { return cmp.Compare(a.Key, b.Key) })
	return gone
}

// next is the session that expires first; nil: none does.
func (n *Node) next() *client {
	var first *client
	for i := range n.clients {
		if c := &n.clients[i]; c.until != engine.NoDeadline && (first == nil || c.until < first.until) {
			first = c
		}
	}
	return first
}
