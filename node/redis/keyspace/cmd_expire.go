package keyspace

import (
	"math"

	"lockstep/engine"
	"lockstep/engine/reply"
)

var expireCommands = []Command{
	{"expire", -3, Write, oneKey, expires(timeUnit{seconds: true}), "Set a key's time to live in seconds"},
	{"expireat", -3, Write, oneKey, expires(timeUnit{seconds: true, absolute: true}), "Set when a key expires, in seconds since 1970"},
	{"expiretime", 2, ReadOnly, oneKey, tellsDeadline(timeUnit{seconds: true, absolute: true}), "When a key expires, in seconds since 1970"},
	{"persist", 2, Write, oneKey, persist, "Remove a key's time to live"},
	{"pexpire", -3, Write, oneKey, expires(timeUnit{}), "Set a key's time to live in milliseconds"},
	{"pexpireat", -3, Write, oneKey, expires(timeUnit{absolute: true}), "Set when a key expires, in milliseconds since 1970"},
	{"pexpiretime", 2, ReadOnly, oneKey, tellsDeadline(timeUnit{absolute: true}), "When a key expires, in milliseconds since 1970"},
	{"pttl", 2, ReadOnly, oneKey, tellsDeadline(timeUnit{}), "Milliseconds until a key expires"},
	{"ttl", 2, ReadOnly, oneKey, tellsDeadline(timeUnit{seconds: true}), "Seconds until a key expires"},
}

// timeUnit says how a command writes an expire time.
type timeUnit struct {
	seconds  bool // otherwise milliseconds
	absolute bool // since 1970, otherwise from now
}

// deadlineOf turns an expire time into a deadline, which may have passed.
func (k *Keyspace) deadlineOf(arg, command string, unit timeUnit) (at int64, failed reply.Reply) {
	n, ok := ParseInt(arg)
	switch {
	case !ok:
		return 0, errNotInt
	case unit.seconds && (n > math.MaxInt64/1000 || n < math.MinInt64/1000):
		return 0, invalidExpire(command)
	case unit.seconds:
		n *= 1000
	}
	if unit.absolute {
		k.clockReads++
		return max(n, 0) - engine.Epoch, reply.Reply{}
	}
	if n > math.MaxInt64-k.nowMS()-engine.Epoch {
		return 0, invalidExpire(command)
	}
	return n + k.nowMS(), reply.Reply{}
}

// expireCondition is the condition under which an EXPIRE changes a deadline.
type expireCondition struct{ nx, xx, gt, lt bool }

func parseExpireCondition(options []string) (c expireCondition, failed reply.Reply) {
	known := []option{{"nx", &c.nx}, {"xx", &c.xx}, {"gt", &c.gt}, {"lt", &c.lt}}
	for _, arg := range options {
		if !note(arg, known) {
			return c, reply.OfError("ERR Unsupported option " + firstBytes(arg, len(arg)))
		}
	}
	switch {
	case c.nx && (c.xx || c.gt || c.lt):
		return c, reply.OfError("ERR NX and XX, GT or LT options at the same time are not compatible")
	case c.gt && c.lt:
		return c, reply.OfError("ERR GT and LT options at the same time are not compatible")
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

// expires makes a command that gives a key a deadline.
func expires(unit timeUnit) func(*Keyspace, []string) reply.Reply {
	return func(k *Keyspace, args []string) reply.Reply {
		condition, failed := parseExpireCondition(args[3:])
		if failed.IsError() {
			return failed
		}
		at, failed := k.deadlineOf(args[2], args[0], unit)
		if failed.IsError() {
			return failed
		}
		if condition.gt || condition.lt {
			k.restReads++
		}
		e := k.find(args[1])
		if e == nil || !condition.allows(e.deadline, at) {
			return reply.OfInt(0)
		}
		k.expireAt(args[1], e, at)
		return reply.OfInt(1)
	}
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

// tellsDeadline makes a command that answers when a key expires: -2 for no key, -1 for no
// deadline. Seconds are the nearest, as in Redis.
func tellsDeadline(unit timeUnit) func(*Keyspace, []string) reply.Reply {
	return func(k *Keyspace, args []string) reply.Reply {
		e := k.find(args[1])
		switch {
		case e == nil:
			return reply.OfInt(-2)
		case e.deadline == noDeadline:
			return reply.OfInt(-1)
		}
		k.restReads++
		ms := e.deadline - k.nowMS()
		if unit.absolute {
			k.clockReads++
			ms = e.deadline + engine.Epoch
		}
		if unit.seconds {
			return reply.OfInt(ms/1000 + (ms%1000+500)/1000)
		}
		return reply.OfInt(ms)
	}
}
