package keyspace

import (
	"math"
	"strconv"

	"lockstep/engine/reply"
)

var stringCommands = []Command{
	{"append", 3, Write | DenyOOM, oneKey, appendText, "Append to a string"},
	{"decr", 2, Write | DenyOOM, oneKey, decr, "Subtract one from a counter"},
	{"decrby", 3, Write | DenyOOM, oneKey, decrby, "Subtract from a counter"},
	{"get", 2, ReadOnly, oneKey, get, "Read a string"},
	{"getdel", 2, Write, oneKey, getdel, "Read a string and delete its key"},
	{"getex", -2, Write, oneKey, getex, "Read a string and change when it expires"},
	{"getrange", 4, ReadOnly, oneKey, getrange, "Read a part of a string"},
	{"getset", 3, Write | DenyOOM, oneKey, getset, "Write a string and return the old one"},
	{"incr", 2, Write | DenyOOM, oneKey, incr, "Add one to a counter"},
	{"incrby", 3, Write | DenyOOM, oneKey, incrby, "Add to a counter"},
	{"incrbyfloat", 3, Write | DenyOOM, oneKey, incrbyfloat, "Add a fraction to a number"},
	{"mget", -2, ReadOnly, allKeys, mget, "Read several strings"},
	{"mset", -3, Write | DenyOOM, keyPairs, mset, "Write several strings"},
	{"msetnx", -3, Write | DenyOOM, keyPairs, msetnx, "Write several strings if none of the keys exists"},
	{"psetex", 4, Write | DenyOOM, oneKey, setsFor(timeUnit{}), "Write a string that expires, in milliseconds"},
	{"set", -3, Write | DenyOOM, oneKey, setKey, "Write a string, optionally only on a condition or with a time to live"},
	{"setex", 4, Write | DenyOOM, oneKey, setsFor(timeUnit{seconds: true}), "Write a string that expires, in seconds"},
	{"setnx", 3, Write | DenyOOM, oneKey, setnx, "Write a string if its key does not exist"},
	{"strlen", 2, ReadOnly, oneKey, size(stringType), "Length of a string"},
}

func get(k *Keyspace, args []string) reply.Reply {
	e, none := k.value(args[1], stringType, reply.Reply{})
	if e == nil {
		return none
	}
	return reply.OfBulk(e.text)
}

func getset(k *Keyspace, args []string) reply.Reply {
	old := get(k, args)
	if !old.IsError() {
		k.setText(args[1], args[2], false)
	}
	return old
}

func getdel(k *Keyspace, args []string) reply.Reply {
	old := get(k, args)
	if old.Kind == reply.Bulk {
		k.remove(args[1], k.find(args[1]))
	}
	return old
}

func getrange(k *Keyspace, args []string) reply.Reply {
	start, stop, failed := twoInts(args)
	if failed.IsError() {
		return failed
	}
	e, ok := k.findAs(args[1], stringType)
	switch {
	case !ok:
		return errWrongType
	case e == nil || start < 0 && stop < 0 && start > stop:
		return reply.OfBulk("")
	}
	// Unlike a range of list items, a stop before the first byte is the first byte.
	if size := int64(len(e.text)); stop < -size {
		stop = -size
	}
	from, to := clampRange(start, stop, len(e.text))
	return reply.OfBulk(e.text[from:to])
}

// MaxText is the most bytes that a string may have. Redis calls it proto-max-bulk-len and
// allows 512 MB by default, with which a few APPENDs could use up all memory.
const MaxText = 16 << 20

func appendText(k *Keyspace, args []string) reply.Reply {
	e, ok := k.findAs(args[1], stringType)
	switch {
	case !ok:
		return errWrongType
	case e == nil:
		k.setText(args[1], args[2], false)
		return reply.OfInt(int64(len(args[2])))
	case len(e.text)+len(args[2]) > MaxText:
		return errTooLong
	case k.hasNoRoomFor(int64(len(args[2]))):
		return errOutOfMemory
	}
	e = k.edit(args[1], e)
	e.appendText(args[2])
	return reply.OfInt(int64(len(e.text)))
}

func mget(k *Keyspace, args []string) reply.Reply {
	values := make([]reply.Reply, len(args)-1)
	for i, key := range args[1:] {
		if e, ok := k.findAs(key, stringType); ok && e != nil {
			values[i] = reply.OfBulk(e.text)
		}
	}
	return reply.OfArray(values...)
}

func mset(k *Keyspace, args []string) reply.Reply {
	if len(args)%2 == 0 {
		return wrongArity(args[0])
	}
	for i := 1; i < len(args); i += 2 {
		k.setText(args[i], args[i+1], false)
	}
	return reply.OK
}

func msetnx(k *Keyspace, args []string) reply.Reply {
	if len(args)%2 == 0 {
		return wrongArity(args[0])
	}
	for i := 1; i < len(args); i += 2 {
		if k.find(args[i]) != nil {
			return reply.OfInt(0)
		}
	}
	mset(k, args)
	return reply.OfInt(1)
}

func setnx(k *Keyspace, args []string) reply.Reply {
	if k.find(args[1]) != nil {
		return reply.OfInt(0)
	}
	k.setText(args[1], args[2], false)
	return reply.OfInt(1)
}

func incr(k *Keyspace, args []string) reply.Reply { return k.incrementBy(args[1], 1) }
func decr(k *Keyspace, args []string) reply.Reply { return k.incrementBy(args[1], -1) }

func incrby(k *Keyspace, args []string) reply.Reply {
	by, ok := ParseInt(args[2])
	if !ok {
		return errNotInt
	}
	return k.incrementBy(args[1], by)
}

func decrby(k *Keyspace, args []string) reply.Reply {
	by, ok := ParseInt(args[2])
	switch {
	case !ok:
		return errNotInt
	case by == math.MinInt64:
		return reply.OfError("ERR decrement would overflow")
	}
	return k.incrementBy(args[1], -by)
}

func (k *Keyspace) incrementBy(key string, by int64) reply.Reply {
	e, ok := k.findAs(key, stringType)
	if !ok {
		return errWrongType
	}
	n := int64(0)
	if e != nil {
		if n, ok = ParseInt(e.text); !ok {
			return errNotInt
		}
	}
	if n, ok = add(n, by); !ok {
		return errOverflow
	}
	k.editOrCreate(key, e, stringType).setText(strconv.FormatInt(n, 10))
	return reply.OfInt(n)
}
