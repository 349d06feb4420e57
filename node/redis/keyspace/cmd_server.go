package keyspace

import (
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/reply"
)

var emptyArray = reply.OfArray()

var serverCommands = []Command{
	{"config", -2, NoScript | Container, noKeys, needsConnection, "Read and write settings"},
	{"debug", -2, NoScript, noKeys, needsConnection, "Move the virtual clock, and other commands that tests of clients use"},
	{"dbsize", 1, ReadOnly | Global, noKeys, dbsize, "Number of keys"},
	{"flushall", -1, Write | Global, noKeys, flushall, "Delete every key"},
	{"flushdb", -1, Write | Global, noKeys, flushall, "Delete every key of the database"},
	{"info", -1, 0, noKeys, needsConnection, "Describe the server"},
	{"monitor", 1, NoScript | Absent, noKeys, needsConnection, "Watch every command that is run"},
	{"shutdown", -1, NoScript, noKeys, needsConnection, "Stop the server"},
	{"role", 1, NoScript, noKeys, needsConnection, "The server's role: always master, without replicas"},
	{"time", 1, 0, noKeys, timeOf, "The server's time"},
}

var clusterCommands = []Command{
	{"cluster", -2, NoScript | Container, noKeys, noCluster, "Report that there is no cluster"},
}

func noCluster(*Keyspace, []string) reply.Reply {
	return reply.OfError("ERR This instance has cluster support disabled")
}

func dbsize(k *Keyspace, _ []string) reply.Reply { return reply.OfInt(int64(len(k.keys))) }

func flushall(k *Keyspace, args []string) reply.Reply {
	if len(args) > 2 || len(args) == 2 && !strings.EqualFold(args[1], "sync") && !strings.EqualFold(args[1], "async") {
		return errSyntax
	}
	k.flush()
	return reply.OK
}

// timeOf answers the seconds since 1970 and the microseconds of this second.
func timeOf(k *Keyspace, _ []string) reply.Reply {
	k.clockReads++
	us := engine.Epoch*1000 + k.now.Microseconds()
	return reply.OfArray(
		reply.OfBulk(strconv.FormatInt(us/1_000_000, 10)),
		reply.OfBulk(strconv.FormatInt(us%1_000_000, 10)),
	)
}
