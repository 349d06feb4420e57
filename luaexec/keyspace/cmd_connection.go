package keyspace

import "lockstep/engine/reply"

// connectionCommands are commands of Redis that work on a connection or wait
// on one. They are known here so that a script that calls one is told that it
// may not, rather than that there is no such command.
var connectionCommands = []Command{
	{"auth", -2, NoScript, noKeys, needsConnection},
	{"blmove", 6, Write | NoScript, twoKeys, needsConnection},
	{"blpop", -3, Write | NoScript, span{1, -2, 1}, needsConnection},
	{"brpop", -3, Write | NoScript, span{1, -2, 1}, needsConnection},
	{"brpoplpush", 4, Write | NoScript, twoKeys, needsConnection},
	{"bzpopmax", -3, Write | NoScript, span{1, -2, 1}, needsConnection},
	{"bzpopmin", -3, Write | NoScript, span{1, -2, 1}, needsConnection},
	{"discard", 1, NoScript, noKeys, needsConnection},
	{"eval", -3, NoScript, noKeys, needsConnection},
	{"eval_ro", -3, ReadOnly | NoScript, noKeys, needsConnection},
	{"evalsha", -3, NoScript, noKeys, needsConnection},
	{"evalsha_ro", -3, ReadOnly | NoScript, noKeys, needsConnection},
	{"exec", 1, NoScript, noKeys, needsConnection},
	{"fcall", -3, NoScript, noKeys, needsConnection},
	{"fcall_ro", -3, ReadOnly | NoScript, noKeys, needsConnection},
	{"hello", -1, NoScript, noKeys, needsConnection},
	{"monitor", 1, NoScript, noKeys, needsConnection},
	{"multi", 1, NoScript, noKeys, needsConnection},
	{"psubscribe", -2, PubSub | NoScript, noKeys, needsConnection},
	{"punsubscribe", -1, PubSub | NoScript, noKeys, needsConnection},
	{"quit", -1, NoScript, noKeys, needsConnection},
	{"reset", 1, NoScript, noKeys, needsConnection},
	{"script", -2, NoScript, noKeys, needsConnection},
	{"shutdown", -1, NoScript, noKeys, needsConnection},
	{"ssubscribe", -2, PubSub | NoScript, allKeys, needsConnection},
	{"subscribe", -2, PubSub | NoScript, allKeys, needsConnection},
	{"sunsubscribe", -1, PubSub | NoScript, allKeys, needsConnection},
	{"unsubscribe", -1, PubSub | NoScript, allKeys, needsConnection},
	{"unwatch", 1, NoScript, noKeys, needsConnection},
	{"wait", 3, NoScript, noKeys, needsConnection},
	{"watch", -2, NoScript, allKeys, needsConnection},
}

func needsConnection(_ *Keyspace, args []string) reply.Reply {
	return reply.OfError("ERR '" + args[0] + "' needs a connection of its own and is not part of the embedded Redis")
}
