package redis

import (
	"math/bits"
	"strings"

	"lockstep/luaexec"
	"lockstep/node/redis/keyspace"
)

// Use makes the node work on a database of a server: all of them know the same
// scripts. A script finds the others with SELECT; ok is false if there is none
// of such a number.
func (n *Node) Use(db int, databases func(db int) (k *keyspace.Keyspace, ok bool)) {
	n.keys, _ = databases(db)
	n.databases = databases
}

// Wrote tells, while a script runs on a server with databases, whether it has called
// a command that writes.
func (n *Node) Wrote() bool { return n.running != nil && n.running.dirty }

// OnlyReads tells whether an EVAL or EVALSHA runs a script that says of itself that it
// does not write.
func (n *Node) OnlyReads(args []string) bool {
	source := args[1]
	if strings.EqualFold(args[0], "evalsha") {
		p := n.programs.withSHA(args[1])
		if p == nil || !n.loaded.has(p) {
			return false
		}
		source = p.Source
	}
	return luaexec.ReadsOnly(source)
}

// Scripts is how many scripts EVALSHA finds here.
func (n *Node) Scripts() int {
	count := 0
	for _, word := range n.loaded.set {
		count += bits.OnesCount64(word)
	}
	return count
}
