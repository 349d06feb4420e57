package keyspace

import "lockstep/engine/reply"

// connectionCommands are commands of Redis that work on a connection. They are
// known here so that a script that calls one is told that it may not, rather
// than that there is no such command.
var connectionCommands = []Command{
	{"auth", -2, NoScript, noKeys, needsConnection, "Say who is calling"},
	{"client", -2, NoScript | Container, noKeys, needsConnection, "Look at connections, or change one"},
	{"echo", 2, 0, noKeys, echo, "Answer what is given"},
	{"hello", -1, NoScript, noKeys, needsConnection, "Agree on the protocol"},
	{"ping", -1, 0, noKeys, ping, "Answer PONG, or what is given"},
	{"quit", -1, NoScript, noKeys, needsConnection, "Close the connection"},
	{"reset", 1, NoScript, noKeys, needsConnection, "Make the connection as new"},
	{"select", 2, 0, noKeys, selectDatabase, "Choose a database: there is only 0"},
}

var transactionCommands = []Command{
	{"discard", 1, NoScript, noKeys, needsConnection, "Forget the commands since MULTI"},
	{"exec", 1, NoScript, noKeys, needsConnection, "Run the commands since MULTI, unless a watched key changed"},
	{"multi", 1, NoScript, noKeys, needsConnection, "Begin a transaction"},
	{"unwatch", 1, NoScript, noKeys, needsConnection, "Watch no key any more"},
	{"watch", -2, NoScript, allKeys, needsConnection, "Let EXEC run only if these keys do not change"},
}

var scriptingCommands = []Command{
	{"eval", -3, NoScript, numberedKeys(2), needsConnection, "Run a script"},
	{"eval_ro", -3, ReadOnly | NoScript, numberedKeys(2), needsConnection, "Run a script that may not write"},
	{"evalsha", -3, NoScript, numberedKeys(2), needsConnection, "Run a script that the server knows, by its SHA1"},
	{"evalsha_ro", -3, ReadOnly | NoScript, numberedKeys(2), needsConnection, "Run a known script that may not write"},
	{"fcall", -3, NoScript, numberedKeys(2), needsConnection, "Call a function of a library: there are none"},
	{"fcall_ro", -3, ReadOnly | NoScript, numberedKeys(2), needsConnection, "Call a function that may not write: there are none"},
	{"function", -2, Write | DenyOOM | NoScript | Container, noKeys, needsConnection, "Look for or forget libraries of functions: there are none"},
	{"script", -2, NoScript | Container, noKeys, needsConnection, "Load, look for, forget or end scripts"},
}

func needsConnection(_ *Keyspace, args []string) reply.Reply {
	return reply.OfError("ERR '" + args[0] + "' needs a connection of its own and is not part of the embedded Redis")
}

func echo(_ *Keyspace, args []string) reply.Reply { return reply.OfBulk(args[1]) }

func ping(_ *Keyspace, args []string) reply.Reply {
	switch len(args) {
	case 1:
		return reply.OfStatus("PONG")
	case 2:
		return reply.OfBulk(args[1])
	}
	return wrongArity(args[0])
}

func selectDatabase(_ *Keyspace, args []string) reply.Reply {
	n, ok := parseInt(args[1])
	switch {
	case !ok:
		return errNotInt
	case n != 0:
		return errNoDatabase
	}
	return reply.OK
}
