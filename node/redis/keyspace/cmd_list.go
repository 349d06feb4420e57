package keyspace

import (
	"math"
	"slices"

	"lockstep/engine/reply"
)

var listCommands = []Command{
	{"lindex", 3, ReadOnly, oneKey, on(listType, nothing, lindex), "Read the item at an index of a list"},
	{"llen", 2, ReadOnly, oneKey, size(listType), "Number of items of a list"},
	{"lmpop", -4, Write | NilArray, numberedKeys(1), popsFrom(listType, false), "Remove and return items of the first list that is not empty"},
	{"lpop", -2, Write | NilArray, oneKey, pops(true), "Remove and return items at the front of a list"},
	{"lpush", -3, Write | DenyOOM, oneKey, pushes(true), "Put items at the front of a list"},
	{"lpushx", -3, Write | DenyOOM, oneKey, pushesToOld(true), "Put items at the front of a list that exists"},
	{"lrange", 4, ReadOnly, oneKey, lrange, "Read a range of a list"},
	{"lrem", 4, Write | Slow, oneKey, lrem, "Delete the items of a list that equal a value"},
	{"ltrim", 4, Write, oneKey, ltrim, "Keep only a range of a list"},
	{"rpop", -2, Write | NilArray, oneKey, pops(false), "Remove and return items at the back of a list"},
	{"rpush", -3, Write | DenyOOM, oneKey, pushes(false), "Put items at the back of a list"},
	{"rpushx", -3, Write | DenyOOM, oneKey, pushesToOld(false), "Put items at the back of a list that exists"},
}

// pushes makes LPUSH or RPUSH.
func pushes(front bool) func(*Keyspace, []string) reply.Reply {
	return func(k *Keyspace, args []string) reply.Reply {
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
}

// pushesToOld makes LPUSHX or RPUSHX.
func pushesToOld(front bool) func(*Keyspace, []string) reply.Reply {
	push := pushes(front)
	return func(k *Keyspace, args []string) reply.Reply {
		if k.find(args[1]) == nil {
			return zero
		}
		return push(k, args)
	}
}

// popCount reads the count that may end a command which takes items; 1 if there is none.
func popCount(args []string, tooMany reply.Reply) (count int64, counted bool, failed reply.Reply) {
	switch len(args) {
	case 2:
		return 1, false, reply.Reply{}
	case 3:
		count, ok := ParseInt(args[2])
		if !ok || count < 0 {
			return 0, true, reply.OfError("ERR value is out of range, must be positive")
		}
		return count, true, reply.Reply{}
	}
	return 0, false, tooMany
}

// pops makes LPOP or RPOP.
func pops(front bool) func(*Keyspace, []string) reply.Reply {
	return func(k *Keyspace, args []string) reply.Reply {
		count, counted, failed := popCount(args, wrongArity(args[0]))
		if failed.IsError() {
			return failed
		}
		e, none := k.value(args[1], listType, nothing)
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
}

// popItems removes and returns up to count items of a list.
func (k *Keyspace) popItems(key string, e *entry, front bool, count int64) reply.Reply {
	e = k.asEvent(popEvent(front)).edit(key, e)
	items := make([]reply.Reply, min(count, int64(e.list.len())))
	for i := range items {
		items[i] = reply.OfBulk(e.list.pop(front))
	}
	k.removeIfEmpty(key, e)
	return reply.OfArray(items...)
}

func lindex(_ *Keyspace, e *entry, args []string) reply.Reply {
	i, ok := ParseInt(args[2])
	if !ok {
		return errNotInt
	}
	at, ok := e.list.at(i)
	if !ok {
		return nothing
	}
	return reply.OfBulk(e.list.items()[at])
}

// twoInts reads the ends of a range.
func twoInts(args []string) (start, stop int64, failed reply.Reply) {
	start, ok1 := ParseInt(args[2])
	stop, ok2 := ParseInt(args[3])
	if !ok1 || !ok2 {
		return 0, 0, errNotInt
	}
	return start, stop, reply.Reply{}
}

func lrange(k *Keyspace, args []string) reply.Reply {
	start, stop, failed := twoInts(args)
	if failed.IsError() {
		return failed
	}
	e, none := k.value(args[1], listType, emptyArray)
	if e == nil {
		return none
	}
	from, to := clampRange(start, stop, e.list.len())
	return reply.OfBulks(e.list.items()[from:to])
}

func ltrim(k *Keyspace, args []string) reply.Reply {
	start, stop, failed := twoInts(args)
	if failed.IsError() {
		return failed
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
	count, ok := ParseInt(args[2])
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
