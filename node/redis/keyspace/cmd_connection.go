package keyspace

import "lockstep/engine/reply"

// connectionCommands are commands of Redis that work on a connection. They have rows here
// so that a script that calls one gets the error that it may not, and not that there is no
// such command.
var connectionCommands = []Command{
	{"auth", -2, NoScript, noKeys, needsConnection, "Authenticate the connection"},
	{"client", -2, NoScript | Container, noKeys, needsConnection, "List, inspect or change connections"},
	{"echo", 2, 0, noKeys, echo, "Return the argument"},
	{"hello", -1, NoScript, noKeys, needsConnection, "Choose the protocol version, and authenticate"},
	{"ping", -1, 0, noKeys, ping, "Return PONG or the argument"},
	{"quit", -1, NoScript, noKeys, needsConnection, "Close the connection"},
	{"reset", 1, NoScript, noKeys, needsConnection, "Reset the connection"},
	{"select", 2, 0, noKeys, selectDatabase, "Choose a database"},
}

var transactionCommands = []Command{
	{"discard", 1, NoScript, noKeys, needsConnection, "Discard the commands queued since MULTI"},
	{"exec", 1, NoScript, noKeys, needsConnection, "Run the commands queued since MULTI, unless a watched key has changed"},
	{"multi", 1, NoScript, noKeys, needsConnection, "Begin a transaction"},
	{"unwatch", 1, NoScript, noKeys, needsConnection, "Stop watching all keys"},
	{"watch", -2, NoScript, allKeys, needsConnection, "Make EXEC fail if one of these keys changes"},
}

var scriptingCommands = []Command{
	{"eval", -3, NoScript, numberedKeys(2), needsConnection, "Run a script"},
	{"eval_ro", -3, ReadOnly | NoScript, numberedKeys(2), needsConnection, "Run a script that may not write"},
	{"evalsha", -3, NoScript, numberedKeys(2), needsConnection, "Run a loaded script, given its SHA1"},
	{"evalsha_ro", -3, ReadOnly | NoScript, numberedKeys(2), needsConnection, "Run a loaded script that may not write"},
	{"script", -2, NoScript | Container, noKeys, needsConnection, "Load, look up, flush or kill scripts"},
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
	n, ok := ParseInt(args[1])
	switch {
	case !ok:
		return errNotInt
	case n != 0:
		return reply.OfError("ERR DB index is out of range")
	}
	return reply.OK
}
