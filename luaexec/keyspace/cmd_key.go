package keyspace

import (
	"maps"
	"slices"

	"lockstep/engine/reply"
)

var keyCommands = []Command{
	{"del", -2, Write, allKeys, del},
	{"exists", -2, ReadOnly, allKeys, exists},
	// The pattern of KEYS is no key, but whoever prefixes keys must know of it.
	{"keys", 2, ReadOnly, noKeys, keys},
	{"rename", 3, Write, twoKeys, rename},
	{"renamenx", 3, Write, twoKeys, renamenx},
	{"type", 2, ReadOnly, oneKey, typeOf},
	{"unlink", -2, Write, allKeys, del},
}

func del(k *Keyspace, args []string) reply.Reply {
	var n int64
	for _, key := range args[1:] {
		if e := k.keys[key]; e != nil {
			k.remove(key, e)
			n++
		}
	}
	return reply.OfInt(n)
}

func exists(k *Keyspace, args []string) reply.Reply {
	var n int64
	for _, key := range args[1:] {
		if k.keys[key] != nil {
			n++
		}
	}
	return reply.OfInt(n)
}

func typeOf(k *Keyspace, args []string) reply.Reply {
	e := k.keys[args[1]]
	if e == nil {
		return reply.OfStatus("none")
	}
	return reply.OfStatus(e.kind.String())
}

// keys answers in the order of names; Redis's own order is arbitrary.
func keys(k *Keyspace, args []string) reply.Reply {
	found := []reply.Reply{}
	for _, name := range slices.Sorted(maps.Keys(k.keys)) {
		if matchGlob(args[1], name) {
			found = append(found, reply.OfBulk(name))
		}
	}
	return reply.OfArray(found...)
}

func rename(k *Keyspace, args []string) reply.Reply {
	e := k.keys[args[1]]
	switch {
	case e == nil:
		return errNoSuchKey
	case args[1] != args[2]:
		k.move(args[1], args[2], e)
	}
	return reply.OK
}

func renamenx(k *Keyspace, args []string) reply.Reply {
	e := k.keys[args[1]]
	switch {
	case e == nil:
		return errNoSuchKey
	case k.keys[args[2]] != nil:
		return reply.OfInt(0)
	}
	k.move(args[1], args[2], e)
	return reply.OfInt(1)
}

// move gives a key another name; it keeps its deadline.
func (k *Keyspace) move(from, to string, e *entry) {
	if old := k.keys[to]; old != nil {
		k.remove(to, old)
	}
	e = k.edit(from, e)
	delete(k.keys, from)
	k.keys[to] = e
	if at := e.deadline; at != noDeadline {
		k.pushDeadline(deadline{at: at, key: to})
	}
}
