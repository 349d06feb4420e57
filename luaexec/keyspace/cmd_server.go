package keyspace

import (
	"strconv"

	"lockstep/engine/reply"
)

var emptyArray = reply.OfArray([]reply.Reply{}...)

var serverCommands = []Command{
	{"echo", 2, 0, noKeys, echo},
	{"ping", -1, 0, noKeys, ping},
	{"time", 1, 0, noKeys, timeOf},
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

// timeOf answers the seconds since 1970 and the microseconds of this second.
func timeOf(k *Keyspace, _ []string) reply.Reply {
	us := Epoch*1000 + k.now.Microseconds()
	return reply.OfArray(
		reply.OfBulk(strconv.FormatInt(us/1_000_000, 10)),
		reply.OfBulk(strconv.FormatInt(us%1_000_000, 10)),
	)
}
