package portable

import (
	"strings"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/redis/keyspace"
)

// What replicas answer to writes, and leaders that hear too few replicas; and what read-only calls of scripts do: to a
// script that writes, and to one that has flags, among which no-writes is not.
const (
	replicaText  = "READONLY You can't write against a read only replica."
	tooFewText   = "NOREPLICAS Not enough good replicas to write."
	readOnlyText = "ERR Write commands are not allowed from read-only scripts."
	mayWriteText = "ERR Can not execute a script with write flag using *_ro command."
)

// takesNone is why a node takes no writes.
func takesNone(op engine.Op) string {
	if op.TooFew {
		return tooFewText
	}
	return replicaText
}

// writes tells whether a replica refuses a plain command of clients.
func writes(op engine.Op) bool {
	if op.Script != nil || len(op.Args) == 0 {
		return false
	}
	c, ok := keyspace.Lookup(strings.ToLower(op.Args[0]))
	return ok && c.Is(keyspace.Write) && c.Takes(op.Args)
}

// ReadOnly is a plain command as a replica does it: a script may not write.
func ReadOnly(args []string) []string {
	if len(args) > 0 && (strings.EqualFold(args[0], "eval") || strings.EqualFold(args[0], "evalsha")) {
		return append([]string{args[0] + "_ro"}, args[1:]...)
	}
	return args
}

// AsReplica is what a replica answers to an op, in place of a node that ran its script
// read-only.
func AsReplica(op engine.Op, s Server, r reply.Reply) reply.Reply {
	text := ""
	switch {
	case op.Script != nil:
		text = op.Script.AsWritten()
	case len(op.Args) > 1 && strings.EqualFold(op.Args[0], "eval"):
		text = op.Args[1]
	case len(op.Args) > 1 && strings.EqualFold(op.Args[0], "evalsha"):
		text, _ = s.Source(op.Args[1])
	default:
		return r
	}
	said := readOnlyText
	if strings.HasPrefix(text, "#!") { // a script that says that it does not write is held to that everywhere
		said = mayWriteText
	}
	if rest, ok := strings.CutPrefix(r.Str, said); ok && r.IsError() {
		r.Str = takesNone(op) + rest
	}
	return r
}
