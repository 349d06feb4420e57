package keyspace

import (
	"slices"
	"strings"

	"lockstep/engine/reply"
)

// lastingUntil is deadlineOf for a command that refuses a time below 1.
func (k *Keyspace) lastingUntil(arg, command string, unit timeUnit) (at int64, failed reply.Reply) {
	if n, ok := ParseInt(arg); ok && n <= 0 {
		return 0, invalidExpire(command)
	}
	return k.deadlineOf(arg, command, unit)
}

type setOptions struct {
	nx, xx, get, keepTTL bool
	expires              bool
	unit                 timeUnit
	time                 string
}

// parseSetOptions refuses what Redis refuses: contradictions, but not repetitions.
func parseSetOptions(args []string) (o setOptions, ok bool) {
	for i := 0; i < len(args); i++ {
		opt := args[i]
		switch {
		case strings.EqualFold(opt, "nx") && !o.xx:
			o.nx = true
		case strings.EqualFold(opt, "xx") && !o.nx:
			o.xx = true
		case strings.EqualFold(opt, "get"):
			o.get = true
		case strings.EqualFold(opt, "keepttl") && !o.expires:
			o.keepTTL = true
		default:
			unit, known := expireUnit(opt)
			if !known || o.keepTTL || o.expires && unit != o.unit || i+1 == len(args) {
				return o, false
			}
			i++
			o.expires, o.unit, o.time = true, unit, args[i]
		}
	}
	return o, true
}

func expireUnit(opt string) (unit timeUnit, known bool) {
	switch {
	case strings.EqualFold(opt, "ex"):
		return timeUnit{seconds: true}, true
	case strings.EqualFold(opt, "px"):
		return timeUnit{}, true
	case strings.EqualFold(opt, "exat"):
		return timeUnit{seconds: true, absolute: true}, true
	case strings.EqualFold(opt, "pxat"):
		return timeUnit{absolute: true}, true
	}
	return timeUnit{}, false
}

func setKey(k *Keyspace, args []string) reply.Reply {
	if len(args) == 3 {
		k.setText(args[1], args[2], false)
		return reply.OK
	}
	o, ok := parseSetOptions(args[3:])
	if !ok {
		return errSyntax
	}
	at := noDeadline
	if o.expires {
		var failed reply.Reply
		if at, failed = k.lastingUntil(o.time, args[0], o.unit); failed.IsError() {
			return failed
		}
	}
	answer := reply.OK
	if o.get {
		if answer = get(k, args); answer.IsError() {
			return answer
		}
	}
	if exists := k.find(args[1]) != nil; o.nx && exists || o.xx && !exists {
		if o.get {
			return answer
		}
		return reply.Reply{}
	}
	e := k.setText(args[1], args[2], o.keepTTL)
	if o.expires {
		k.expireNew(args[1], e, at)
	}
	return answer
}

// expireNew is expireAt for a key that was just written: if its deadline has passed, it is
// reported as created and then expired.
func (k *Keyspace) expireNew(name string, e *entry, at int64) {
	if at <= k.nowMS() {
		k.notify("g", "expire", name)
		k.removeAs(name, e, "x", "expired")
		return
	}
	k.expireAt(name, e, at)
}

// setsFor makes SETEX or PSETEX.
func setsFor(unit timeUnit) func(*Keyspace, []string) reply.Reply {
	return func(k *Keyspace, args []string) reply.Reply {
		at, failed := k.lastingUntil(args[2], args[0], unit)
		if failed.IsError() {
			return failed
		}
		k.expireNew(args[1], k.setText(args[1], args[3], false), at)
		return reply.OK
	}
}

// getex is GET that may also change when the key expires.
func getex(k *Keyspace, args []string) reply.Reply {
	var o setOptions
	persists := false
	switch options := args[2:]; {
	case len(options) == 0:
	case !slices.ContainsFunc(options, func(s string) bool { return !strings.EqualFold(s, "persist") }):
		persists = true
	default:
		var ok bool
		o, ok = parseSetOptions(options)
		if !ok || o.nx || o.xx || o.get || o.keepTTL {
			return errSyntax
		}
	}
	answer := get(k, args)
	if answer.Kind != reply.Bulk {
		return answer
	}
	e := k.find(args[1])
	switch {
	case o.expires:
		at, failed := k.lastingUntil(o.time, args[0], o.unit)
		if failed.IsError() {
			return failed
		}
		k.expireAt(args[1], e, at)
	case persists && e.deadline != noDeadline:
		k.persist(args[1], e)
	}
	return answer
}
