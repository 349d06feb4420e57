package zookeeper

import "lockstep/engine"

// What follows is for a node on a real server, which has an embedded one beside it: that
// tells whose sessions last by the virtual clock.

// Session is the session of a process.
type Session struct {
	engine.Session
	Silent    bool // no ping comes
	Connected bool // there is a connection
}

// Sessions are all that a node has or had, ordered by process.
func Sessions(n *Node) []Session {
	var all []Session
	for _, c := range n.clients {
		if c.open {
			all = append(all, Session{engine.Session{Process: c.process, Until: c.until, Expired: c.expired}, c.silent(), c.connected()})
		}
	}
	return all
}
