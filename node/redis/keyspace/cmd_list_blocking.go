package keyspace

import (
	"math"
	"slices"
	"time"

	"lockstep/engine/reply"
)

// A blocking command here never waits: if there is nothing to take it answers nil, as in a
// Redis transaction. A caller with a connection that can wait asks Timeout for how long,
// and calls the command again when its Observer hears of one of the keys.

var listBlockingCommands = []Command{
	{"blmove", 6, Write | DenyOOM | NoScript | Blocking, twoKeys, blmove, "LMOVE that waits for an item"},
	{"blmpop", -5, Write | Blocking | NilArray, numberedKeys(2), popsFrom(listType, true), "LMPOP that waits for an item"},
	{"blpop", -3, Write | NoScript | Blocking | NilArray, keysBefore, waitsFor(listType, true), "Remove and return the first item of the first list that is not empty, waiting if all are"},
	{"brpop", -3, Write | NoScript | Blocking | NilArray, keysBefore, waitsFor(listType, false), "Remove and return the last item of the first list that is not empty, waiting if all are"},
	{"brpoplpush", 4, Write | DenyOOM | NoScript | Blocking, twoKeys, brpoplpush, "RPOPLPUSH that waits for an item"},
}

// Timeout is how long a command with these arguments may wait (0: for ever), or the error
// reply to an invalid timeout; blocks is false if the command does not wait.
func (c *Command) Timeout(args []string) (limit time.Duration, blocks bool, failed reply.Reply) {
	if !c.Is(Blocking) || !c.Takes(args) {
		return 0, false, reply.Reply{}
	}
	switch {
	case c.name == "xread":
		var q xreadQuery
		failed = q.parse(args)
		return time.Duration(q.block) * time.Millisecond, q.blocks, failed
	case c.keys.more == counted: // BLMPOP and BZMPOP
		limit, failed = parseTimeout(args[1])
	default:
		limit, failed = parseTimeout(args[len(args)-1])
	}
	return limit, true, failed
}

func parseTimeout(s string) (time.Duration, reply.Reply) {
	seconds, ok := parseLongDouble(s)
	if !ok {
		return 0, reply.OfError("ERR timeout is not a float or out of range")
	}
	f, _ := seconds.Float64()
	ms := math.Ceil(f * 1000)
	if ms < 0 || ms >= math.MaxInt64 { // a timeout that is too large overflows in Redis
		return 0, reply.OfError("ERR timeout is negative")
	}
	return instant(int64(ms)), reply.Reply{}
}

// waitsFor makes BLPOP or BRPOP, or BZPOPMIN or BZPOPMAX, which take one from the first of their keys that has any.
func waitsFor(t valueType, first bool) func(*Keyspace, []string) reply.Reply {
	pop := (*Keyspace).popItems
	if t == zsetType {
		pop = (*Keyspace).popMembers
	}
	return func(k *Keyspace, args []string) reply.Reply {
		last := len(args) - 1
		if _, failed := parseTimeout(args[last]); failed.IsError() {
			return failed
		}
		key, e, none := k.firstOf(args[1:last], t)
		if e == nil {
			return none
		}
		return reply.OfArray(slices.Insert(pop(k, key, e, first, 1).Elems, 0, reply.OfBulk(key))...)
	}
}

func blmove(k *Keyspace, args []string) reply.Reply {
	_, ok1 := parseSide(args[3])
	_, ok2 := parseSide(args[4])
	if !ok1 || !ok2 {
		return errSyntax
	}
	if _, failed := parseTimeout(args[5]); failed.IsError() {
		return failed
	}
	return lmove(k, args)
}

func brpoplpush(k *Keyspace, args []string) reply.Reply {
	if _, failed := parseTimeout(args[3]); failed.IsError() {
		return failed
	}
	return rpoplpush(k, args)
}
