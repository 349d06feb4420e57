package sql

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/reply"
)

// What follows is for a node on a real server, which has an embedded one beside it: that
// tells who has which connection, and when waits end by the virtual clock. These are no
// methods of a Node, so that the module for browsers goes without them.

// Connection is one that an actor has, or has left while its statement runs.
type Connection struct {
	ID     int // no other has had it since Reset
	Client engine.Client
	Left   bool // its client is gone
}

// Connections are all that a node has, but those that it has ended.
func Connections(n *Node) []Connection {
	var all []Connection
	for _, c := range n.connections {
		if !c.ended {
			all = append(all, Connection{c.id, c.client, c.closed})
		}
	}
	return all
}

// ConnectionOf is the one on which an op was sent.
func ConnectionOf(n *Node, op engine.Op) Connection {
	i, _ := n.connection(op)
	c := n.connections[i]
	return Connection{c.id, c.client, c.closed}
}

// Refused tells whether a reply says that a statement is none of this subset, or came to a connection that had ended: no server heard it.
func Refused(r reply.Reply) bool {
	is := func(number string) bool { return strings.HasPrefix(r.Str, "ERROR "+number+" ") }
	return r.IsError() && slices.ContainsFunc([]string{"1064", "1065", "1113", "1235", "1582", "2006", "4161"}, is)
}

// SetsTimeout tells whether a statement sets how long something may take, by the virtual clock.
func SetsTimeout(statement string) bool {
	s, err := parse(statement)
	return err == nil && s.verb == setTimeout
}

// Table is the name of a table, and that of the column which is its primary key.
type Table struct{ Name, Key string }

// Tables are all that a node has.
func Tables(n *Node) []Table {
	var all []Table
	for _, t := range n.tables {
		all = append(all, Table{t.name, t.columns[t.key].name})
	}
	return all
}
