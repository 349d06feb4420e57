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

// TakesNone is what a node answers that takes no writes.
func TakesNone(op engine.Op) reply.Reply {
	if op.TooFew {
		return reply.OfError(tooFewText)
	}
	return reply.OfError(replicaText)
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
	said := readOnlyText
	switch text, mayNot := scriptOf(op, s); {
	case strings.HasPrefix(text, "#!"): // a script that says that it does not write is held to that everywhere
		said = mayWriteText
	case text == "" || mayNot:
		return r
	}
	if rest, ok := strings.CutPrefix(r.Str, said); ok && r.IsError() {
		r.Str = TakesNone(op).Str + rest
	}
	return r
}

// scriptOf is the script that an op runs, empty if none is known, and whether the op itself forbids it to write.
func scriptOf(op engine.Op, s Server) (text string, mayNot bool) {
	if op.Script != nil {
		return op.Script.AsWritten(), false
	}
	if len(op.Args) < 2 {
		return "", false
	}
	name, mayNot := strings.CutSuffix(strings.ToLower(op.Args[0]), "_ro")
	switch name {
	case "eval":
		return op.Args[1], mayNot
	case "evalsha":
		text, _ = s.Source(op.Args[1])
		return text, mayNot
	}
	return "", false
}
