package keyspace

import (
	"slices"

	"lockstep/engine/reply"
)

var keyCommands = []Command{
	{"del", -2, Write, allKeys, del, "Delete keys"},
	{"exists", -2, ReadOnly, allKeys, exists, "Count the keys that exist"},
	// The pattern of KEYS is not a key, but code that adds prefixes to keys must find it.
	{"keys", 2, ReadOnly | Global | Slow, noKeys, keys, "List the keys that match a pattern"},
	{"rename", 3, Write, twoKeys, renames(false), "Rename a key"},
	{"renamenx", 3, Write, twoKeys, renames(true), "Rename a key if the new name is free"},
	{"scan", -2, ReadOnly | Global | Slow, noKeys, scan, "Iterate over the keys"},
	{"touch", -2, ReadOnly, allKeys, exists, "Count the keys that exist, and mark them as read"},
	{"type", 2, ReadOnly, oneKey, typeOf, "Type of a key"},
	{"unlink", -2, Write, allKeys, del, "Delete keys (as DEL does)"},
	{"wait", 3, NoScript, noKeys, needsConnection, "Wait until replicas have the writes so far"},
}

func del(k *Keyspace, args []string) reply.Reply {
	var n int64
	for _, key := range args[1:] {
		if e := k.find(key); e != nil {
			k.remove(key, e)
			n++
		}
	}
	return reply.OfInt(n)
}

func exists(k *Keyspace, args []string) reply.Reply {
	var n int64
	for _, key := range args[1:] {
		if k.find(key) != nil {
			n++
		}
	}
	return reply.OfInt(n)
}

func typeOf(k *Keyspace, args []string) reply.Reply {
	e := k.find(args[1])
	if e == nil {
		return reply.OfStatus("none")
	}
	return reply.OfStatus(e.kind.String())
}

// keys answers in the order of names; Redis's own order is arbitrary.
func keys(k *Keyspace, args []string) reply.Reply {
	return reply.OfBulks(slices.DeleteFunc(k.names(), func(name string) bool { return !Match(args[1], name) }))
}

// renames makes RENAME or, for a new name that must be free, RENAMENX.
func renames(free bool) func(*Keyspace, []string) reply.Reply {
	done := reply.OK
	if free {
		done = reply.OfInt(1)
	}
	return func(k *Keyspace, args []string) reply.Reply {
		e := k.find(args[1])
		switch {
		case e == nil:
			return errNoSuchKey
		case free && k.find(args[2]) != nil:
			return reply.OfInt(0)
		case args[1] != args[2]:
			k.move(args[1], args[2], e)
		}
		return done
	}
}

// move renames a key; it keeps its deadline.
func (k *Keyspace) move(from, to string, e *entry) {
	if old := k.find(to); old != nil {
		k.removeAs(to, old, "", "")
	}
	k.notify("n", "new", to)
	e = k.writable(from, e)
	k.touch(from)
	k.notify("g", "rename_from", from)
	delete(k.keys, from)
	k.account.settle()
	k.account.used -= keyBytes + int64(len(from)) + e.bytes()
	k.add(to, e)
	k.notify("g", "rename_to", to)
	if e.deadline != noDeadline {
		k.addDeadline(to, e)
	}
}
