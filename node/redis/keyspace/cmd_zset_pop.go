package keyspace

import (
	"strings"

	"lockstep/engine/reply"
)

var zsetPopCommands = []Command{
	{"bzmpop", -5, Write | Blocking | NilArray, numberedKeys(2), bzmpop, "ZMPOP that waits for a member"},
	{"bzpopmax", -3, Write | NoScript | Blocking | NilArray, keysBefore, bzpopmax, "Remove and return the member with the highest score of the first sorted set that is not empty, waiting if all are"},
	{"bzpopmin", -3, Write | NoScript | Blocking | NilArray, keysBefore, bzpopmin, "Remove and return the member with the lowest score of the first sorted set that is not empty, waiting if all are"},
	{"zmpop", -4, Write | NilArray, numberedKeys(1), zmpop, "Remove and return members of the first sorted set that is not empty"},
	{"zpopmax", -2, Write, oneKey, zpopmax, "Remove and return the members with the highest scores"},
	{"zpopmin", -2, Write, oneKey, zpopmin, "Remove and return the members with the lowest scores"},
}

// popScored removes and returns up to count members at one end of a zset.
func (k *Keyspace) popScored(key string, e *entry, lowest bool, count int64) []scored {
	event := "zpopmax"
	if lowest {
		event = "zpopmin"
	}
	e = k.asEvent(event).edit(key, e)
	n := int(min(count, int64(e.zset.len())))
	taken := make([]scored, n)
	for i := range taken {
		at := i
		if !lowest {
			at = e.zset.len() - 1 - i
		}
		taken[i] = e.zset.items[at]
	}
	if lowest {
		e.zset.removeRange(0, n)
	} else {
		e.zset.removeRange(e.zset.len()-n, e.zset.len())
	}
	k.removeIfEmpty(key, e)
	return taken
}

func zpopmin(k *Keyspace, args []string) reply.Reply { return k.zpop(args, true) }
func zpopmax(k *Keyspace, args []string) reply.Reply { return k.zpop(args, false) }

func (k *Keyspace) zpop(args []string, lowest bool) reply.Reply {
	if len(args) > 3 {
		return errSyntax
	}
	count := int64(1)
	if len(args) == 3 {
		var ok bool
		if count, ok = parseInt(args[2]); !ok || count < 0 {
			return errNotPositive
		}
	}
	e, none := k.value(args[1], zsetType, emptyArray)
	switch {
	case e == nil:
		return none
	case count == 0:
		return emptyArray
	}
	out := []reply.Reply{}
	for _, it := range k.popScored(args[1], e, lowest, count) {
		out = append(out, reply.OfBulk(it.member), reply.OfBulk(formatScore(it.score)))
	}
	return reply.OfArray(out...)
}

func bzpopmin(k *Keyspace, args []string) reply.Reply { return k.bzpop(args, true) }
func bzpopmax(k *Keyspace, args []string) reply.Reply { return k.bzpop(args, false) }

func (k *Keyspace) bzpop(args []string, lowest bool) reply.Reply {
	last := len(args) - 1
	if _, failed := parseTimeout(args[last]); failed.IsError() {
		return failed
	}
	key, e, none := k.firstOf(args[1:last], zsetType)
	if e == nil {
		return none
	}
	it := k.popScored(key, e, lowest, 1)[0]
	return reply.OfArray(reply.OfBulk(key), reply.OfBulk(it.member), reply.OfBulk(formatScore(it.score)))
}

// parseScoreSide reads an end of a zset.
func parseScoreSide(s string) (lowest, ok bool) {
	lowest = strings.EqualFold(s, "min")
	return lowest, lowest || strings.EqualFold(s, "max")
}

func zmpop(k *Keyspace, args []string) reply.Reply {
	q, failed := parsePop(args, parseScoreSide)
	if failed.IsError() {
		return failed
	}
	return k.popScoredOf(q)
}

func (k *Keyspace) popScoredOf(q popQuery) reply.Reply {
	key, e, none := k.firstOf(q.keys, zsetType)
	if e == nil {
		return none
	}
	out := []reply.Reply{}
	for _, it := range k.popScored(key, e, q.first, q.count) {
		out = append(out, reply.OfArray(reply.OfBulk(it.member), reply.OfBulk(formatScore(it.score))))
	}
	return reply.OfArray(reply.OfBulk(key), reply.OfArray(out...))
}

func bzmpop(k *Keyspace, args []string) reply.Reply {
	q, failed := parsePop(args[1:], parseScoreSide)
	if failed.IsError() {
		return failed
	}
	if _, failed := parseTimeout(args[1]); failed.IsError() {
		return failed
	}
	return k.popScoredOf(q)
}
