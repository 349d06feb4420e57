package keyspace

import (
	"math"
	"slices"

	"lockstep/engine/reply"
)

var listCommands = []Command{
	{"lindex", 3, ReadOnly, oneKey, on(listType, nothing, lindex), "Read the item at an index of a list"},
	{"llen", 2, ReadOnly, oneKey, size(listType), "Number of items of a list"},
	{"lpop", -2, Write | NilArray, oneKey, lpop, "Remove and return items at the front of a list"},
	{"lpush", -3, Write | DenyOOM, oneKey, lpush, "Put items at the front of a list"},
	{"lrange", 4, ReadOnly, oneKey, lrange, "Read a range of a list"},
	{"lrem", 4, Write | Slow, oneKey, lrem, "Delete the items of a list that equal a value"},
	{"ltrim", 4, Write, oneKey, ltrim, "Keep only a range of a list"},
	{"rpop", -2, Write | NilArray, oneKey, rpop, "Remove and return items at the back of a list"},
	{"rpush", -3, Write | DenyOOM, oneKey, rpush, "Put items at the back of a list"},
}

func lpush(k *Keyspace, args []string) reply.Reply { return k.push(args, true) }
func rpush(k *Keyspace, args []string) reply.Reply { return k.push(args, false) }

func (k *Keyspace) push(args []string, front bool) reply.Reply {
	e, ok := k.findAs(args[1], listType)
	if !ok {
		return errWrongType
	}
	e = k.editOrCreate(args[1], e, listType)
	for _, item := range args[2:] {
		e.list.push(item, front)
	}
	return reply.OfInt(int64(e.list.len()))
}

func lpop(k *Keyspace, args []string) reply.Reply { return k.pop(args, true) }
func rpop(k *Keyspace, args []string) reply.Reply { return k.pop(args, false) }

func (k *Keyspace) pop(args []string, front bool) reply.Reply {
	if len(args) > 3 {
		return wrongArity(args[0])
	}
	counted := len(args) == 3
	count := int64(1)
	if counted {
		var ok bool
		if count, ok = parseInt(args[2]); !ok || count < 0 {
			return errNotPositive
		}
	}
	e, none := k.value(args[1], listType, reply.Reply{})
	switch {
	case e == nil:
		return none
	case count == 0:
		return emptyArray
	}
	items := k.popItems(args[1], e, front, count)
	if counted {
		return items
	}
	return items.Elems[0]
}

func lindex(_ *Keyspace, e *entry, args []string) reply.Reply {
	i, ok := parseInt(args[2])
	if !ok {
		return errNotInt
	}
	n := int64(e.list.len())
	if i < 0 {
		i += n
	}
	if i < 0 || i >= n {
		return reply.Reply{}
	}
	return reply.OfBulk(e.list.items()[i])
}

func lrange(k *Keyspace, args []string) reply.Reply {
	start, ok1 := parseInt(args[2])
	stop, ok2 := parseInt(args[3])
	if !ok1 || !ok2 {
		return errNotInt
	}
	e, none := k.value(args[1], listType, emptyArray)
	if e == nil {
		return none
	}
	from, to := clampRange(start, stop, e.list.len())
	items := make([]reply.Reply, to-from)
	for i, item := range e.list.items()[from:to] {
		items[i] = reply.OfBulk(item)
	}
	return reply.OfArray(items...)
}

func ltrim(k *Keyspace, args []string) reply.Reply {
	start, ok1 := parseInt(args[2])
	stop, ok2 := parseInt(args[3])
	if !ok1 || !ok2 {
		return errNotInt
	}
	e, none := k.value(args[1], listType, reply.OK)
	if e == nil {
		return none
	}
	from, to := clampRange(start, stop, e.list.len())
	e = k.edit(args[1], e)
	e.list.keep(from, to)
	k.removeIfEmpty(args[1], e)
	return reply.OK
}

func lrem(k *Keyspace, args []string) reply.Reply {
	count, ok := parseInt(args[2])
	if !ok {
		return errNotInt
	}
	e, none := k.value(args[1], listType, reply.OfInt(0))
	if e == nil {
		return none
	}
	if !slices.Contains(e.list.items(), args[3]) {
		return reply.OfInt(0)
	}
	limit := e.list.len() // a count of 0 is all of them
	if count != 0 && count > math.MinInt64 {
		limit = int(min(max(count, -count), int64(limit)))
	}
	e = k.edit(args[1], e)
	removed := e.list.removeMatches(args[3], limit, count < 0)
	k.removeIfEmpty(args[1], e)
	return reply.OfInt(int64(removed))
}
