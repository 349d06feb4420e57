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

func spop(k *Keyspace, args []string) reply.Reply {
	count, counted, failed := popCount(args, errSyntax)
	if failed.IsError() {
		return failed
	}
	absent := nothing
	if counted {
		absent = emptyArray
	}
	e, none := k.value(args[1], setType, absent)
	switch {
	case e == nil:
		return none
	case count == 0:
		return emptyArray
	}
	e = k.edit(args[1], e)
	members := e.set.fields.pairs
	taken := make([]reply.Reply, min(count, int64(len(members))))
	for i := range taken {
		at := 0
		if n := e.set.fields.len(); n > 1 {
			at = k.draw(n)
		}
		taken[i] = reply.OfBulk(e.set.fields.pairs[at].name)
		e.set.fields.remove(at)
	}
	k.removeIfEmpty(args[1], e)
	if !counted {
		return taken[0]
	}
	return reply.OfArray(taken...)
}

// draw is the next random number below n. It depends only on how many were drawn before, so
// that SPOP chooses the same on every run and in every fork. Redis seeds its numbers from the
// system, so it chooses differently. math.random of a script has its own numbers.
func (k *Keyspace) draw(n int) int {
	k.drawn++
	return int(mix(k.drawn, 0x9E3779B97F4A7C15) % uint64(n))
}
