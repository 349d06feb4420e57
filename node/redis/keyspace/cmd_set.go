package keyspace

import "lockstep/engine/reply"

var setCommands = []Command{
	{"sadd", -3, Write | DenyOOM, oneKey, sadd, "Add members to a set"},
	{"scard", 2, ReadOnly, oneKey, size(setType), "Number of members of a set"},
	{"sismember", 3, ReadOnly, oneKey, has(setType), "Whether a set has a member"},
	{"smembers", 2, ReadOnly, oneKey, on(setType, emptyArray, smembers), "List the members of a set"},
	{"smismember", -3, ReadOnly, oneKey, smismember, "Which of the members a set has"},
	{"smove", 4, Write, twoKeys, smove, "Move a member from one set to another"},
	{"spop", -2, Write, oneKey, spop, "Remove and return random members of a set"},
	{"srandmember", -2, ReadOnly, oneKey, srandmember, "Read random members of a set"},
	{"srem", -3, Write, oneKey, takes(setType), "Delete members of a set"},
	{"sscan", -3, ReadOnly | Slow, oneKey, sscan, "Iterate over a set"},
}

func sadd(k *Keyspace, args []string) reply.Reply {
	e, ok := k.findAs(args[1], setType)
	if !ok {
		return errWrongType
	}
	var added int64
	for _, member := range args[2:] {
		if e != nil && e.set.fields.find(member) >= 0 {
			continue
		}
		if added == 0 {
			e = k.editOrCreate(args[1], e, setType)
		}
		e.set.add(member)
		added++
	}
	return reply.OfInt(added)
}

func smembers(_ *Keyspace, e *entry, _ []string) reply.Reply {
	members := make([]reply.Reply, e.set.fields.len())
	for i, p := range e.set.fields.pairs {
		members[i] = reply.OfBulk(p.name)
	}
	return reply.OfArray(members...)
}

func smismember(k *Keyspace, args []string) reply.Reply {
	e, ok := k.findAs(args[1], setType)
	if !ok {
		return errWrongType
	}
	found := make([]reply.Reply, len(args)-2)
	for i, member := range args[2:] {
		found[i] = reply.OfInt(0)
		if e != nil && e.set.has(member) {
			found[i].Int = 1
		}
	}
	return reply.OfArray(found...)
}

func smove(k *Keyspace, args []string) reply.Reply {
	from, to, member := args[1], args[2], args[3]
	source, ok := k.findAs(from, setType)
	switch {
	case source == nil:
		return reply.OfInt(0)
	case !ok:
		return errWrongType
	}
	target, ok := k.findAs(to, setType)
	switch {
	case !ok:
		return errWrongType
	case !source.set.has(member):
		return reply.OfInt(0)
	case from == to:
		return reply.OfInt(1)
	}
	source = k.asEvent("srem").edit(from, source)
	source.set.fields.remove(source.set.fields.find(member))
	k.removeIfEmpty(from, source)
	if target == nil || !target.set.has(member) {
		k.asEvent("sadd").editOrCreate(to, target, setType).set.add(member)
	}
	return reply.OfInt(1)
}
