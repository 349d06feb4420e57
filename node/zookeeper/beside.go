package zookeeper

import "lockstep/engine"

// What follows is for a node on a real server, which has an embedded one beside it: that
// tells what a client never sends, and whose sessions last by the virtual clock.

// Request is what a client asks of a server.
type Request struct {
	Name    string // create, delete, set, get, exists or children
	Path    string
	Data    string
	Version int // -1: any
	// Ephemeral and Sequential are of a create, Watch of a read.
	Ephemeral, Sequential, Watch bool
}

// Sent is the request that an op is. There is none when the client finds a mistake in it,
// which is the reply then.
func Sent(op engine.Op) (r Request, sent bool) {
	kind, a, refused := read(op)
	if refused.IsError() {
		return r, false
	}
	return Request{
		Name: kind.name, Path: a.path, Data: a.data, Version: a.version,
		Ephemeral: a.has(ephemeral), Sequential: a.has(sequential), Watch: a.has(watching),
	}, true
}

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
