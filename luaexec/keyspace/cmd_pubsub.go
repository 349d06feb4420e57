package keyspace

import "lockstep/engine/reply"

var pubsubCommands = []Command{
	{"publish", 3, PubSub, oneKey, publish},
	{"spublish", 3, PubSub, oneKey, spublish},
}

func publish(k *Keyspace, args []string) reply.Reply {
	return reply.OfInt(int64(k.publish(args[1], args[2])))
}

// spublish reaches nobody: a plain subscription does not hear shard channels,
// and there is no other kind here.
func spublish(*Keyspace, []string) reply.Reply { return reply.OfInt(0) }
