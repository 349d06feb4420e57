package redis

import (
	"strings"

	"lockstep/engine/reply"
	"lockstep/luaexec"
	"lockstep/node/redis/keyspace"
)

func (n *Node) scriptCommand(args []string) reply.Reply {
	if _, failed := keyspace.Find(args); failed.IsError() {
		return failed
	}
	rest := args[2:]
	switch strings.ToLower(args[1]) {
	case "load":
		p, err := n.programs.of(rest[0])
		if err != nil {
			return luaexec.Refusal(err)
		}
		n.loaded.add(p)
		return reply.OfBulk(p.SHA)
	case "exists":
		return n.scriptExists(rest)
	case "flush":
		if len(rest) > 1 || len(rest) == 1 && !strings.EqualFold(rest[0], "sync") && !strings.EqualFold(rest[0], "async") {
			return reply.OfError("ERR SCRIPT FLUSH only support SYNC|ASYNC option")
		}
		n.loaded = loaded{}
		if n.databases != nil {
			n.programs = newPrograms()
		}
		return reply.OK
	case "kill":
		// Scripts end by their budget before anybody else has a turn.
		return reply.OfError("NOTBUSY No scripts in execution right now.")
	case "debug":
		return scriptDebug(rest[0])
	}
	return keyspace.Help("script")
}

func (n *Node) scriptExists(shas []string) reply.Reply {
	found := make([]reply.Reply, len(shas))
	for i, sha := range shas {
		found[i] = reply.OfInt(0)
		if p := n.programs.withSHA(sha); p != nil && n.loaded.has(p) {
			found[i] = reply.OfInt(1)
		}
	}
	return reply.OfArray(found...)
}

func scriptDebug(mode string) reply.Reply {
	switch strings.ToLower(mode) {
	case "no":
		return reply.OK
	case "yes", "sync":
		return reply.OfError("ERR SCRIPT DEBUG is not part of the embedded Redis: look at a script line by line in a lesson")
	}
	return reply.OfError("ERR Use SCRIPT DEBUG YES/SYNC/NO")
}
