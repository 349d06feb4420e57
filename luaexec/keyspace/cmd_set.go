package keyspace

import "lockstep/engine/reply"

var setCommands = []Command{
	{"sadd", -3, Write, oneKey, sadd},
	{"scard", 2, ReadOnly, oneKey, scard},
	{"sismember", 3, ReadOnly, oneKey, sismember},
	{"smembers", 2, ReadOnly, oneKey, smembers},
	{"srem", -3, Write, oneKey, srem},
}

func sadd(k *Keyspace, args []string) reply.Reply {
	e, ok := k.findAs(args[1], setType)
	if !ok {
		return errWrongType
	}
	e = k.editOrCreate(args[1], e, setType)
	var added int64
	for _, member := range args[2:] {
		if e.set.add(member) {
			added++
		}
	}
	return reply.OfInt(added)
}

func srem(k *Keyspace, args []string) reply.Reply {
	e, ok := k.findAs(args[1], setType)
	switch {
	case !ok:
		return errWrongType
	case e == nil:
		return reply.OfInt(0)
	}
	var removed int64
	for _, member := range args[2:] {
		i := e.set.fields.find(member)
		if i < 0 {
			continue
		}
		if removed == 0 {
			e = k.edit(args[1], e)
		}
		e.set.fields.remove(i)
		removed++
	}
	k.removeIfEmpty(args[1], e)
	return reply.OfInt(removed)
}

func scard(k *Keyspace, args []string) reply.Reply {
	e, ok := k.findAs(args[1], setType)
	switch {
	case !ok:
		return errWrongType
	case e == nil:
		return reply.OfInt(0)
	}
	return reply.OfInt(int64(e.set.fields.len()))
}

func sismember(k *Keyspace, args []string) reply.Reply {
	e, ok := k.findAs(args[1], setType)
	switch {
	case !ok:
		return errWrongType
	case e == nil || e.set.fields.find(args[2]) < 0:
		return reply.OfInt(0)
	}
	return reply.OfInt(1)
}

func smembers(k *Keyspace, args []string) reply.Reply {
	e, ok := k.findAs(args[1], setType)
	switch {
	case !ok:
		return errWrongType
	case e == nil:
		return emptyArray
	}
	members := make([]reply.Reply, e.set.fields.len())
	for i, p := range e.set.fields.pairs {
		members[i] = reply.OfBulk(p.name)
	}
	return reply.OfArray(members...)
}
