package keyspace

import (
	"slices"

	"lockstep/engine/reply"
)

var zsetPopCommands = []Command{
	{"bzmpop", -5, Write | Blocking | NilArray, numberedKeys(2), popsFrom(zsetType, true), "ZMPOP that waits for a member"},
	{"bzpopmax", -3, Write | NoScript | Blocking | NilArray, keysBefore, waitsFor(zsetType, false), "Remove and return the member with the highest score of the first sorted set that is not empty, waiting if all are"},
	{"bzpopmin", -3, Write | NoScript | Blocking | NilArray, keysBefore, waitsFor(zsetType, true), "Remove and return the member with the lowest score of the first sorted set that is not empty, waiting if all are"},
	{"zmpop", -4, Write | NilArray, numberedKeys(1), popsFrom(zsetType, false), "Remove and return members of the first sorted set that is not empty"},
	{"zpopmax", -2, Write, oneKey, popsScored(false), "Remove and return the members with the highest scores"},
	{"zpopmin", -2, Write, oneKey, popsScored(true), "Remove and return the members with the lowest scores"},
}

// popScored removes and returns up to count members at one end of a zset.
func (k *Keyspace) popScored(key string, e *entry, lowest bool, count int64) []scored {
	event := "zpopmax"
	if lowest {
		event = "zpopmin"
	}
	e = k.asEvent(event).edit(key, e)
	from, to := 0, int(min(count, int64(e.zset.len())))
	if !lowest {
		from, to = e.zset.len()-to, e.zset.len()
	}
	taken := slices.Clone(e.zset.items[from:to])
	if !lowest {
		slices.Reverse(taken)
	}
	e.zset.removeRange(from, to)
	k.removeIfEmpty(key, e)
	return taken
}

// popsScored makes ZPOPMIN or ZPOPMAX.
func popsScored(lowest bool) func(*Keyspace, []string) reply.Reply {
	return func(k *Keyspace, args []string) reply.Reply {
		count, _, failed := popCount(args, errSyntax)
		if failed.IsError() {
			return failed
		}
		e, none := k.value(args[1], zsetType, emptyArray)
		switch {
		case e == nil:
			return none
		case count == 0:
			return emptyArray
		}
		return k.popMembers(args[1], e, lowest, count)
	}
}

// popMembers is popScored with members and scores in turn.
func (k *Keyspace) popMembers(key string, e *entry, lowest bool, count int64) reply.Reply {
	out := []reply.Reply{}
	for _, it := range k.popScored(key, e, lowest, count) {
		out = append(out, reply.OfBulk(it.member), reply.OfBulk(formatScore(it.score)))
	}
	return reply.OfArray(out...)
}

// popPairs is popScored with members and scores in pairs.
func (k *Keyspace) popPairs(key string, e *entry, lowest bool, count int64) reply.Reply {
	out := []reply.Reply{}
	for _, it := range k.popScored(key, e, lowest, count) {
		out = append(out, reply.OfArray(reply.OfBulk(it.member), reply.OfBulk(formatScore(it.score))))
	}
	return reply.OfArray(out...)
}
