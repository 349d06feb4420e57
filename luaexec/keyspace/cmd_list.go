package keyspace

import (
	"math"

	"lockstep/engine/reply"
)

var listCommands = []Command{
	{"lindex", 3, ReadOnly, oneKey, lindex},
	{"llen", 2, ReadOnly, oneKey, llen},
	{"lpop", -2, Write, oneKey, lpop},
	{"lpush", -3, Write, oneKey, lpush},
	{"lrange", 4, ReadOnly, oneKey, lrange},
	{"lrem", 4, Write, oneKey, lrem},
	{"ltrim", 4, Write, oneKey, ltrim},
	{"rpop", -2, Write, oneKey, rpop},
	{"rpush", -3, Write, oneKey, rpush},
}

func lpush(k *Keyspace, args []string) reply.Reply { return k.push(args, (*list).pushFront) }
func rpush(k *Keyspace, args []string) reply.Reply { return k.push(args, (*list).pushBack) }

func (k *Keyspace) push(args []string, push func(*list, string)) reply.Reply {
	e, ok := k.findAs(args[1], listType)
	if !ok {
		return errWrongType
	}
	e = k.editOrCreate(args[1], e, listType)
	for _, item := range args[2:] {
		push(e.list, item)
	}
	return reply.OfInt(int64(e.list.len()))
}

func lpop(k *Keyspace, args []string) reply.Reply { return k.pop(args, (*list).popFront) }
func rpop(k *Keyspace, args []string) reply.Reply { return k.pop(args, (*list).popBack) }

func (k *Keyspace) pop(args []string, pop func(*list) string) reply.Reply {
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
	e, ok := k.findAs(args[1], listType)
	switch {
	case !ok:
		return errWrongType
	case e == nil:
		return reply.Reply{}
	case count == 0:
		return emptyArray
	}
	e = k.edit(args[1], e)
	if !counted {
		item := pop(e.list)
		k.removeIfEmpty(args[1], e)
		return reply.OfBulk(item)
	}
	items := make([]reply.Reply, min(count, int64(e.list.len())))
	for i := range items {
		items[i] = reply.OfBulk(pop(e.list))
	}
	k.removeIfEmpty(args[1], e)
	return reply.OfArray(items...)
}

func llen(k *Keyspace, args []string) reply.Reply {
	e, ok := k.findAs(args[1], listType)
	switch {
	case !ok:
		return errWrongType
	case e == nil:
		return reply.OfInt(0)
	}
	return reply.OfInt(int64(e.list.len()))
}

func lindex(k *Keyspace, args []string) reply.Reply {
	e, ok := k.findAs(args[1], listType)
	switch {
	case !ok:
		return errWrongType
	case e == nil:
		return reply.Reply{}
	}
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
	e, ok := k.findAs(args[1], listType)
	switch {
	case !ok:
		return errWrongType
	case e == nil:
		return emptyArray
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
	e, ok := k.findAs(args[1], listType)
	switch {
	case !ok:
		return errWrongType
	case e == nil:
		return reply.OK
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
	e, ok := k.findAs(args[1], listType)
	switch {
	case !ok:
		return errWrongType
	case e == nil:
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
