package keyspace

import (
	"slices"
	"strings"

	"lockstep/engine/reply"
)

var listAtCommands = []Command{
	{"linsert", 5, Write | DenyOOM | Slow, oneKey, linsert, "Put an item before or after another one"},
	{"lpos", -3, ReadOnly | Slow, oneKey, lpos, "Index of the items that equal a value"},
	{"lset", 4, Write | DenyOOM, oneKey, on(listType, errNoSuchKey, lset), "Write the item at an index of a list"},
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
