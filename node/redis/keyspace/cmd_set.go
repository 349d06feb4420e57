package keyspace

import "lockstep/engine/reply"

var setCommands = []Command{
	{"sadd", -3, Write | DenyOOM, oneKey, sadd, "Add members to a set"},
	{"scard", 2, ReadOnly, oneKey, size(setType), "Number of members of a set"},
	{"sismember", 3, ReadOnly, oneKey, ofItem(setType, has), "Whether a set has a member"},
	{"smembers", 2, ReadOnly, oneKey, on(setType, emptyArray, smembers), "List the members of a set"},
	{"smismember", -3, ReadOnly, oneKey, ofItems(setType, has), "Which of the members a set has"},
	{"smove", 4, Write, twoKeys, smove, "Move a member from one set to another"},
	{"spop", -2, Write, oneKey, spop, "Remove and return random members of a set"},
	{"srem", -3, Write, oneKey, takes(setType), "Delete members of a set"},
	{"sscan", -3, ReadOnly | Slow, oneKey, scans(setType, membersOf), "Iterate over a set"},
}

func sadd(k *Keyspace, args []string) reply.Reply {
	e, ok := k.findAs(args[1], setType)
	if !ok {
		return errWrongType
	}
	var added int64
	for _, member := range args[2:] {
		if e.find(member) >= 0 {
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
	return reply.OfBulks(e.set.names())
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
