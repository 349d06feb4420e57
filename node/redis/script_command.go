package redis

import (
	"strings"

	"lockstep/engine/reply"
	"lockstep/luaexec"
	"lockstep/node/redis/keyspace"
)

// scriptHelp is what SCRIPT HELP answers, word for word.
var scriptHelp = []string{
	"SCRIPT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
	"DEBUG (YES|SYNC|NO)",
	"    Set the debug mode for subsequent scripts executed.",
	"EXISTS <sha1> [<sha1> ...]",
	"    Return information about the existence of the scripts in the script cache.",
	"FLUSH [ASYNC|SYNC]",
	"    Flush the Lua scripts cache. Very dangerous on replicas.",
	"    When called without the optional mode argument, the behavior is determined by the",
	"    lazyfree-lazy-user-flush configuration directive. Valid modes are:",
	"    * ASYNC: Asynchronously flush the scripts cache.",
	"    * SYNC: Synchronously flush the scripts cache.",
	"KILL",
	"    Kill the currently executing Lua script.",
	"LOAD <script>",
	"    Load a script into the scripts cache without executing it.",
	"HELP",
	"    Prints this help.",
}

// scriptCommand is SCRIPT.
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
		n.loaded, n.json = loaded{}, luaexec.DefaultJSON
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
	lines := make([]reply.Reply, len(scriptHelp))
	for i, line := range scriptHelp {
		lines[i] = reply.OfStatus(line)
	}
	return reply.OfArray(lines...)
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
