package keyspace

import (
	"math"
	"strings"

	"lockstep/engine/reply"
)

var expireCommands = []Command{
	{"expire", -3, Write, oneKey, expire, "Set a key's time to live in seconds"},
	{"expireat", -3, Write, oneKey, expireat, "Set when a key expires, in seconds since 1970"},
	{"expiretime", 2, ReadOnly, oneKey, expiretime, "When a key expires, in seconds since 1970"},
	{"persist", 2, Write, oneKey, persist, "Remove a key's time to live"},
	{"pexpire", -3, Write, oneKey, pexpire, "Set a key's time to live in milliseconds"},
	{"pexpireat", -3, Write, oneKey, pexpireat, "Set when a key expires, in milliseconds since 1970"},
	{"pexpiretime", 2, ReadOnly, oneKey, pexpiretime, "When a key expires, in milliseconds since 1970"},
	{"pttl", 2, ReadOnly, oneKey, pttl, "Milliseconds until a key expires"},
	{"ttl", 2, ReadOnly, oneKey, ttl, "Seconds until a key expires"},
}

func expire(k *Keyspace, args []string) reply.Reply {
	return k.expireKey(args, timeUnit{seconds: true})
}

func pexpire(k *Keyspace, args []string) reply.Reply { return k.expireKey(args, timeUnit{}) }

func expireat(k *Keyspace, args []string) reply.Reply {
	return k.expireKey(args, timeUnit{seconds: true, absolute: true})
}

func pexpireat(k *Keyspace, args []string) reply.Reply {
	return k.expireKey(args, timeUnit{absolute: true})
}

// expireCondition is the condition under which an EXPIRE changes a deadline.
type expireCondition struct{ nx, xx, gt, lt bool }

func parseExpireCondition(options []string) (c expireCondition, failed reply.Reply) {
	for _, opt := range options {
		switch {
		case strings.EqualFold(opt, "nx"):
			c.nx = true
		case strings.EqualFold(opt, "xx"):
			c.xx = true
		case strings.EqualFold(opt, "gt"):
			c.gt = true
		case strings.EqualFold(opt, "lt"):
			c.lt = true
		default:
			return c, reply.OfError("ERR Unsupported option " + firstBytes(opt, len(opt)))
		}
	}
	switch {
	case c.nx && (c.xx || c.gt || c.lt):
		return c, errExpireNX
	case c.gt && c.lt:
		return c, errExpireGTLT
	}
	return c, reply.Reply{}
}

// allows tells whether the deadline may change to at. No deadline counts as infinitely late.
func (c expireCondition) allows(deadline, at int64) bool {
	timed := deadline != noDeadline
	switch {
	case c.nx && timed, c.xx && !timed:
		return false
	case c.gt && (!timed || at <= deadline):
		return false
	case c.lt && timed && at >= deadline:
		return false
	}
	return true
}

func (k *Keyspace) expireKey(args []string, unit timeUnit) reply.Reply {
	condition, failed := parseExpireCondition(args[3:])
	if failed.IsError() {
		return failed
	}
	at, ok := parseInt(args[2])
	if !ok {
		return errNotInt
	}
	if unit.seconds {
		if at > math.MaxInt64/1000 || at < math.MinInt64/1000 {
			return invalidExpire(args[0])
		}
		at *= 1000
	}
	switch {
	case unit.absolute:
		at = max(at, 0) - Epoch
	case at > math.MaxInt64-k.nowMS()-Epoch:
		return invalidExpire(args[0])
	default:
		at += k.nowMS()
	}
	e := k.find(args[1])
	if e == nil || !condition.allows(e.deadline, at) {
		return reply.OfInt(0)
	}
	k.expireAt(args[1], e, at)
	return reply.OfInt(1)
}

func persist(k *Keyspace, args []string) reply.Reply {
	e := k.find(args[1])
	if e == nil || e.deadline == noDeadline {
		return reply.OfInt(0)
	}
	k.persist(args[1], e)
	return reply.OfInt(1)
}

func (k *Keyspace) persist(name string, e *entry) {
	k.setDeadline(name, k.writable(name, e), noDeadline)
	k.touch(name)
	k.notify("g", "persist", name)
}

// deadlineReply answers with read applied to a key's deadline, in virtual milliseconds:
// -2 for no key, -1 for no deadline.
func (k *Keyspace) deadlineReply(key string, read func(at int64) int64) reply.Reply {
	e := k.find(key)
	switch {
	case e == nil:
		return reply.OfInt(-2)
	case e.deadline == noDeadline:
		return reply.OfInt(-1)
	}
	return reply.OfInt(read(e.deadline))
}

func pttl(k *Keyspace, args []string) reply.Reply {
	return k.deadlineReply(args[1], func(at int64) int64 { return at - k.nowMS() })
}

// ttl rounds to the nearest second, as Redis does.
func ttl(k *Keyspace, args []string) reply.Reply {
	return k.deadlineReply(args[1], func(at int64) int64 { return nearestSecond(at - k.nowMS()) })
}

func pexpiretime(k *Keyspace, args []string) reply.Reply {
	return k.deadlineReply(args[1], func(at int64) int64 { return at + Epoch })
}

func expiretime(k *Keyspace, args []string) reply.Reply {
	return k.deadlineReply(args[1], func(at int64) int64 { return nearestSecond(at + Epoch) })
}

func nearestSecond(ms int64) int64 { return ms/1000 + (ms%1000+500)/1000 }
