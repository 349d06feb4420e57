package keyspace

import (
	"strconv"

	"lockstep/engine/reply"
)

var hashCommands = []Command{
	{"hdel", -3, Write, oneKey, takes(hashType), "Delete fields of a hash"},
	{"hexists", 3, ReadOnly, oneKey, ofItem(hashType, has), "Whether a hash has a field"},
	{"hget", 3, ReadOnly, oneKey, ofItem(hashType, hget), "Read a field of a hash"},
	{"hgetall", 2, ReadOnly, oneKey, listsHash(true, true), "Read all fields of a hash with their values"},
	{"hincrby", 4, Write | DenyOOM, oneKey, hincrby, "Add to a counter in a hash"},
	{"hincrbyfloat", 4, Write | DenyOOM, oneKey, hincrbyfloat, "Add a fraction to a number in a hash"},
	{"hkeys", 2, ReadOnly, oneKey, listsHash(true, false), "List the fields of a hash"},
	{"hlen", 2, ReadOnly, oneKey, size(hashType), "Number of fields of a hash"},
	{"hmget", -3, ReadOnly, oneKey, ofItems(hashType, hget), "Read several fields of a hash"},
	{"hmset", -4, Write | DenyOOM, oneKey, hmset, "Write fields of a hash (the old name of HSET)"},
	{"hscan", -3, ReadOnly | Slow, oneKey, scans(hashType, fieldsOf), "Iterate over a hash"},
	{"hset", -4, Write | DenyOOM, oneKey, hset, "Write fields of a hash"},
	{"hsetnx", 4, Write | DenyOOM, oneKey, hsetnx, "Write a field of a hash if it does not exist"},
	{"hvals", 2, ReadOnly, oneKey, listsHash(false, true), "List the values of a hash"},
}

func hget(e *entry, field string) reply.Reply {
	at := e.find(field)
	if at < 0 {
		return nothing
	}
	return reply.OfBulk(e.hash.pairs[at].value)
}

// listsHash makes a command that lists the fields of a hash, their values, or both in turn.
func listsHash(names, values bool) func(*Keyspace, []string) reply.Reply {
	return on(hashType, emptyArray, func(_ *Keyspace, e *entry, _ []string) reply.Reply {
		items := make([]reply.Reply, 0, 2*e.hash.len())
		for _, p := range e.hash.pairs {
			if names {
				items = append(items, reply.OfBulk(p.name))
			}
			if values {
				items = append(items, reply.OfBulk(p.value))
			}
		}
		return reply.OfArray(items...)
	})
}

func hset(k *Keyspace, args []string) reply.Reply {
	if len(args)%2 != 0 {
		return wrongArity(args[0])
	}
	e, ok := k.findAs(args[1], hashType)
	if !ok {
		return errWrongType
	}
	e = k.editOrCreate(args[1], e, hashType)
	created := int64(0)
	for i := 2; i < len(args); i += 2 {
		if e.hash.set(args[i], args[i+1]) {
			created++
		}
	}
	return reply.OfInt(created)
}

func hmset(k *Keyspace, args []string) reply.Reply {
	if failed := hset(k, args); failed.IsError() {
		return failed
	}
	return reply.OK
}

func hsetnx(k *Keyspace, args []string) reply.Reply {
	e, ok := k.findAs(args[1], hashType)
	switch {
	case !ok:
		return errWrongType
	case e.find(args[2]) >= 0:
		return reply.OfInt(0)
	}
	k.editOrCreate(args[1], e, hashType).hash.add(args[2], args[3])
	return reply.OfInt(1)
}

func hincrby(k *Keyspace, args []string) reply.Reply {
	by, isInt := ParseInt(args[3])
	if !isInt {
		return errNotInt
	}
	e, ok := k.findAs(args[1], hashType)
	if !ok {
		return errWrongType
	}
	at, n := e.find(args[2]), int64(0)
	if at >= 0 {
		if n, isInt = ParseInt(e.hash.pairs[at].value); !isInt {
			return reply.OfError("ERR hash value is not an integer")
		}
	}
	if n, ok = add(n, by); !ok {
		return errOverflow
	}
	h := k.editOrCreate(args[1], e, hashType).hash
	if at >= 0 {
		h.put(at, strconv.FormatInt(n, 10))
	} else {
		h.add(args[2], strconv.FormatInt(n, 10))
	}
	return reply.OfInt(n)
}
