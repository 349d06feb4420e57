package keyspace

import "lockstep/engine/reply"

// adminCommands tell clients what kind of server this is.
var adminCommands = []Command{
	{"role", 1, NoScript, noKeys, needsConnection, "The server's role: always master, without replicas"},
}

var clusterCommands = []Command{
	{"cluster", -2, NoScript | Container, noKeys, noCluster, "Report that there is no cluster"},
}

func noCluster(*Keyspace, []string) reply.Reply {
	return reply.OfError("ERR This instance has cluster support disabled")
}
