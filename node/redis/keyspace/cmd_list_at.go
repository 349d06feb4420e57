package keyspace

import (
	"slices"
	"strings"

	"lockstep/engine/reply"
)

var listAtCommands = []Command{
	{"linsert", 5, Write | DenyOOM | Slow, oneKey, linsert, "Put an item before or after another one"},
	{"lpos", -3, ReadOnly | Slow, oneKey, lpos, "Index of the first item that equals a value"},
	{"lset", 4, Write | DenyOOM, oneKey, on(listType, errNoSuchKey, lset), "Write the item at an index of a list"},
}

func lset(k *Keyspace, e *entry, args []string) reply.Reply {
	i, ok := ParseInt(args[2])
	if !ok {
		return errNotInt
	}
	at, ok := e.list.at(i)
	if !ok {
		return reply.OfError("ERR index out of range")
	}
	k.edit(args[1], e).list.put(at, args[3])
	return reply.OK
}

func linsert(k *Keyspace, args []string) reply.Reply {
	after := strings.EqualFold(args[2], "after")
	if !after && !strings.EqualFold(args[2], "before") {
		return errSyntax
	}
	e, none := k.value(args[1], listType, reply.OfInt(0))
	if e == nil {
		return none
	}
	i := slices.Index(e.list.items(), args[3])
	if i < 0 {
		return reply.OfInt(-1)
	}
	if after {
		i++
	}
	e = k.edit(args[1], e)
	e.list.insert(i, args[4])
	return reply.OfInt(int64(e.list.len()))
}

func lpos(k *Keyspace, args []string) reply.Reply {
	if len(args) > 3 {
		return errSyntax
	}
	e, none := k.value(args[1], listType, nothing)
	if e == nil {
		return none
	}
	i := slices.Index(e.list.items(), args[2])
	if i < 0 {
		return nothing
	}
	return reply.OfInt(int64(i))
}
