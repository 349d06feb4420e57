package luaexec

import (
	"lockstep/engine/reply"
	"lockstep/luaexec/keyspace"
)

// Use makes the node work on another keyspace: a server with several databases
// has one node, so that all of them know the same scripts.
func (n *Node) Use(k *keyspace.Keyspace) { n.keys = k }

// Do runs one command, EVAL and the like included. The messages that it
// publishes stay in the keyspace.
func (n *Node) Do(args []string) reply.Reply { return n.command(args) }
