package keyspace

import (
	"slices"
	"strings"

	"lockstep/engine/reply"
)

var listMoveCommands = []Command{
	{"linsert", 5, Write | DenyOOM | Slow, oneKey, linsert, "Put an item before or after another one"},
	{"lmove", 5, Write | DenyOOM, twoKeys, lmove, "Move an item from one end of a list to an end of another"},
	{"lmpop", -4, Write | NilArray, numberedKeys(1), popsFrom(listType, false), "Remove and return items of the first list that is not empty"},
	{"lpos", -3, ReadOnly | Slow, oneKey, lpos, "Index of the items that equal a value"},
	{"lpushx", -3, Write | DenyOOM, oneKey, pushesToOld(true), "Put items at the front of a list that exists"},
	{"lset", 4, Write | DenyOOM, oneKey, on(listType, errNoSuchKey, lset), "Write the item at an index of a list"},
	{"rpoplpush", 3, Write | DenyOOM, twoKeys, rpoplpush, "Move an item from the back of a list to the front of another"},
	{"rpushx", -3, Write | DenyOOM, oneKey, pushesToOld(false), "Put items at the back of a list that exists"},
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

func lset(k *Keyspace, e *entry, args []string) reply.Reply {
	i, ok := ParseInt(args[2])
	if !ok {
		return errNotInt
	}
	at, ok := e.list.at(i)
	if !ok {
		return errIndex
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

type lposOptions struct {
	rank    int64 // 1 is the first match, -1 the last
	count   int64 // 0 for all
	counted bool
	maxLen  int64 // 0 for all
}

func (o *lposOptions) parse(options []string) (failed reply.Reply) {
	o.rank, o.count = 1, 1
	for i := 0; i < len(options); i += 2 {
		if i+1 == len(options) {
			return errSyntax
		}
		n, isInt := ParseInt(options[i+1])
		switch opt := options[i]; {
		case strings.EqualFold(opt, "rank"):
			switch {
			case !isInt:
				return errNotInt
			case n == 0:
				return errZeroRank
			}
			o.rank = n
		case strings.EqualFold(opt, "count"):
			if !isInt || n < 0 {
				return reply.OfError("ERR COUNT can't be negative")
			}
			o.count, o.counted = n, true
		case strings.EqualFold(opt, "maxlen"):
			if !isInt || n < 0 {
				return reply.OfError("ERR MAXLEN can't be negative")
			}
			o.maxLen = n
		default:
			return errSyntax
		}
	}
	return reply.Reply{}
}

func lpos(k *Keyspace, args []string) reply.Reply {
	var o lposOptions
	if failed := o.parse(args[3:]); failed.IsError() {
		return failed
	}
	e, ok := k.findAs(args[1], listType)
	if !ok {
		return errWrongType
	}
	found := []reply.Reply{}
	if e != nil {
		found = o.search(e.list.items(), args[2])
	}
	switch {
	case o.counted:
		return reply.OfArray(found...)
	case len(found) == 0:
		return reply.Reply{}
	}
	return found[0]
}

func (o *lposOptions) search(items []string, item string) []reply.Reply {
	found := []reply.Reply{}
	skip := max(o.rank, -o.rank, 1) - 1 // matches to pass over; -o.rank overflows for the least int64
	for i := range items {
		if o.maxLen > 0 && int64(i) == o.maxLen {
			break
		}
		at := i
		if o.rank < 0 {
			at = len(items) - 1 - i
		}
		if items[at] != item {
			continue
		}
		if skip--; skip >= 0 {
			continue
		}
		found = append(found, reply.OfInt(int64(at)))
		if o.count > 0 && int64(len(found)) == o.count {
			break
		}
	}
	return found
}

// parseSide reads LEFT or RIGHT.
func parseSide(s string) (front, ok bool) {
	front = strings.EqualFold(s, "left")
	return front, front || strings.EqualFold(s, "right")
}

func lmove(k *Keyspace, args []string) reply.Reply {
	from, ok1 := parseSide(args[3])
	to, ok2 := parseSide(args[4])
	if !ok1 || !ok2 {
		return errSyntax
	}
	return k.moveItem(args[1], args[2], from, to)
}

func rpoplpush(k *Keyspace, args []string) reply.Reply {
	return k.moveItem(args[1], args[2], false, true)
}

// moveItem moves an item from an end of a list to an end of a list, which may be the same. Nothing
// changes if the destination is no list.
func (k *Keyspace) moveItem(from, to string, offFront, toFront bool) reply.Reply {
	source, none := k.value(from, listType, reply.Reply{})
	if source == nil {
		return none
	}
	if _, ok := k.findAs(to, listType); !ok {
		return errWrongType
	}
	item := source.list.end(offFront)
	k.asEvent(pushEvent(toFront)).editOrCreate(to, k.find(to), listType).list.push(item, toFront)
	source = k.asEvent(popEvent(offFront)).edit(from, k.find(from))
	source.list.pop(offFront)
	k.removeIfEmpty(from, source)
	return reply.OfBulk(item)
}

func pushEvent(front bool) string { return sideLetter(front) + "push" }
func popEvent(front bool) string  { return sideLetter(front) + "pop" }

func sideLetter(front bool) string {
	if front {
		return "l"
	}
	return "r"
}

// manyKeys reads the number of keys, the keys and the rest of a command's arguments.
func manyKeys(args []string) (keys, rest []string, failed reply.Reply) {
	n, ok := ParseInt(args[0])
	switch {
	case !ok || n <= 0:
		return nil, nil, errNumKeys
	case n > int64(len(args)-1):
		return nil, nil, errSyntax
	}
	return args[1 : n+1], args[n+1:], reply.Reply{}
}

// popQuery is a parsed LMPOP or ZMPOP.
type popQuery struct {
	keys  []string
	first bool // from the front of a list, or the lowest of a zset
	count int64
}

// parsePop reads the number of keys, the keys, a side and an optional COUNT.
func parsePop(args []string, side func(string) (first, ok bool)) (q popQuery, failed reply.Reply) {
	keys, rest, failed := manyKeys(args)
	switch {
	case failed.IsError():
		return q, failed
	case len(rest) == 0:
		return q, errSyntax
	}
	first, ok := side(rest[0])
	switch {
	case !ok:
		return q, errSyntax
	case len(rest) == 1:
		return popQuery{keys, first, 1}, reply.Reply{}
	case len(rest) == 2 || !strings.EqualFold(rest[1], "count"):
		return q, errSyntax
	}
	count, ok := ParseInt(rest[2])
	switch {
	case !ok || count <= 0:
		return q, errCount
	case len(rest) > 3:
		return q, errSyntax
	}
	return popQuery{keys, first, count}, reply.Reply{}
}

// popsFrom makes LMPOP or ZMPOP; with blocks BLMPOP or BZMPOP, whose first argument is a timeout.
func popsFrom(t valueType, blocks bool) func(*Keyspace, []string) reply.Reply {
	side, pop := parseSide, (*Keyspace).popItems
	if t == zsetType {
		side, pop = parseScoreSide, (*Keyspace).popPairs
	}
	return func(k *Keyspace, args []string) reply.Reply {
		rest := args[1:]
		if blocks {
			rest = args[2:]
		}
		q, failed := parsePop(rest, side)
		if blocks && !failed.IsError() {
			_, failed = parseTimeout(args[1])
		}
		if failed.IsError() {
			return failed
		}
		key, e, none := k.firstOf(q.keys, t)
		if e == nil {
			return none
		}
		return reply.OfArray(reply.OfBulk(key), pop(k, key, e, q.first, q.count))
	}
}

// parseScoreSide reads MIN or MAX.
func parseScoreSide(s string) (lowest, ok bool) {
	lowest = strings.EqualFold(s, "min")
	return lowest, lowest || strings.EqualFold(s, "max")
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
