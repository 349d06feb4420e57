package portable

import (
	"strings"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/luaexec/keyspace"
)

// What replicas answer to writes, and what read-only scripts do.
const (
	replicaText  = "READONLY You can't write against a read only replica."
	readOnlyText = "ERR Write commands are not allowed from read-only scripts."
)

// writes tells whether a replica takes a plain command from clients.
func writes(op engine.Op) bool {
	if op.Script != nil || len(op.Args) == 0 {
		return false
	}
	c, ok := keyspace.Lookup(strings.ToLower(op.Args[0]))
	return ok && c.Is(keyspace.Write)
}

// ReadOnly is a plain command as a replica does it: a script may not write.
func ReadOnly(args []string) []string {
	if len(args) > 0 && (strings.EqualFold(args[0], "eval") || strings.EqualFold(args[0], "evalsha")) {
		return append([]string{args[0] + "_ro"}, args[1:]...)
	}
	return args
}

// AsReplica is what a replica answers in place of a node that runs its scripts read-only.
func AsReplica(r reply.Reply) reply.Reply {
	if rest, ok := strings.CutPrefix(r.Str, readOnlyText); ok && r.IsError() {
		r.Str = replicaText + rest
	}
	return r
}
