package keyspace

import (
	"strings"

	"lockstep/engine/reply"
)

// adminCommands are for administrators of a server. The embedded Redis records no
// statistics, so most of their replies are empty.
var adminCommands = []Command{
	{"acl", -2, NoScript | Container, noKeys, needsConnection, "The user of the connection: WHOAMI"},
	{"latency", -2, NoScript | Container, noKeys, needsConnection, "Latency spikes: none are recorded"},
	{"memory", -2, ReadOnly | Container, keySpec{more: ofSubject, at: 2}, memoryOf, "Bytes that a key uses: USAGE"},
	{"role", 1, NoScript, noKeys, needsConnection, "The server's role: always master, without replicas"},
	{"slowlog", -2, Container, noKeys, slowlog, "Slow commands: none are recorded"},
}

var clusterCommands = []Command{
	{"cluster", -2, NoScript | Container, noKeys, noCluster, "Report that there is no cluster"},
}

func noCluster(*Keyspace, []string) reply.Reply {
	return reply.OfError("ERR This instance has cluster support disabled")
}

func slowlog(_ *Keyspace, args []string) reply.Reply {
	switch strings.ToLower(args[1]) {
	case "help":
		return helpText(slowlogHelp)
	case "len":
		return reply.OfInt(0)
	case "reset":
		return reply.OK
	}
	if len(args) > 3 {
		return unknownOrArity("SLOWLOG", args[1])
	}
	if len(args) == 3 {
		if n, ok := parseInt(args[2]); !ok || n < -1 {
			return reply.OfError("ERR count should be greater than or equal to -1")
		}
	}
	return emptyArray
}

func memoryOf(k *Keyspace, args []string) reply.Reply {
	if strings.EqualFold(args[1], "help") {
		return Help("memory")
	}
	for i := 3; i < len(args); i += 2 {
		if i+1 == len(args) || !strings.EqualFold(args[i], "samples") {
			return errSyntax
		}
		switch n, ok := parseInt(args[i+1]); {
		case !ok:
			return errNotInt
		case n < 0:
			return errSyntax
		}
	}
	bytes, ok := k.Size(args[2])
	if !ok {
		return reply.Reply{}
	}
	return reply.OfInt(bytes)
}

const slowlogHelp = `
SLOWLOG <subcommand> [<arg> [value] [opt] ...]. Subcommands are:
GET [<count>]
    Return top <count> entries from the slowlog (default: 10, -1 mean all).
    Entries are made of:
    id, timestamp, time in microseconds, arguments array, client IP and port,
    client name
LEN
    Return the length of the slowlog.
RESET
    Reset the slowlog.
HELP
    Prints this help.
`
