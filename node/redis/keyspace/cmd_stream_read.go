package keyspace

import (
	"strings"

	"lockstep/engine/reply"
)

var streamReadCommands = []Command{
	{"xrange", -4, ReadOnly | NilArray, oneKey, rangesStream(false), "Read a range of a stream"},
	{"xread", -4, ReadOnly | Blocking | NilArray, keySpec{more: afterWord}, xread, "Read the entries of streams after given ids"},
	{"xrevrange", -4, ReadOnly | NilArray, oneKey, rangesStream(true), "Read a range of a stream backwards"},
}

func (r *record) reply() reply.Reply {
	return reply.OfArray(reply.OfBulk(r.id.String()), reply.OfBulks(r.fields))
}

// recordsReply is up to limit records; 0 means no limit.
func recordsReply(records []record, limit int64, backwards bool) reply.Reply {
	n := len(records)
	if limit > 0 {
		n = int(min(limit, int64(n)))
	}
	out := make([]reply.Reply, n)
	for i := range out {
		at := i
		if backwards {
			at = len(records) - 1 - i
		}
		out[i] = records[at].reply()
	}
	return reply.OfArray(out...)
}

// rangesStream makes XRANGE or XREVRANGE.
func rangesStream(backwards bool) func(*Keyspace, []string) reply.Reply {
	return func(k *Keyspace, args []string) reply.Reply {
		start, end := args[2], args[3]
		if backwards {
			start, end = end, start
		}
		from, failed := parseStreamEnd(start, true)
		if failed.IsError() {
			return failed
		}
		to, failed := parseStreamEnd(end, false)
		if failed.IsError() {
			return failed
		}
		count := int64(-1)
		for rest := args[4:]; len(rest) > 0; rest = rest[2:] {
			if len(rest) == 1 || !strings.EqualFold(rest[0], "count") {
				return errSyntax
			}
			var ok bool
			if count, ok = ParseInt(rest[1]); !ok {
				return errNotInt
			}
			count = max(count, 0)
		}
		e, none := k.value(args[1], streamType, emptyArray)
		switch {
		case e == nil:
			return none
		case count == 0:
			return reply.Reply{}
		}
		return recordsReply(e.stream.between(from, to), max(count, 0), backwards)
	}
}

type xreadQuery struct {
	count  int64 // 0 for all
	blocks bool
	block  int64 // milliseconds
	keys   []string
	ids    []string
}

func (q *xreadQuery) parse(args []string) (failed reply.Reply) {
	for i := 1; i < len(args); i++ {
		opt, more := args[i], len(args)-1-i
		switch {
		case more > 0 && strings.EqualFold(opt, "block"):
			i++
			if failed := q.parseBlock(args[i]); failed.IsError() {
				return failed
			}
		case more > 0 && strings.EqualFold(opt, "count"):
			i++
			var ok bool
			if q.count, ok = ParseInt(args[i]); !ok {
				return errNotInt
			}
			q.count = max(q.count, 0)
		case more > 0 && strings.EqualFold(opt, "streams"):
			if more%2 != 0 {
				return reply.OfError("ERR Unbalanced XREAD list of streams: for each stream key an ID or '$' must be specified.")
			}
			q.keys, q.ids = args[i+1:i+1+more/2], args[i+1+more/2:]
			return reply.Reply{}
		case more > 1 && strings.EqualFold(opt, "group"):
			return reply.OfError("ERR The GROUP option is only supported by XREADGROUP. You called XREAD instead.")
		case strings.EqualFold(opt, "noack"):
			return reply.OfError("ERR The NOACK option is only supported by XREADGROUP. You called XREAD instead.")
		default:
			return errSyntax
		}
	}
	return errSyntax
}

func (q *xreadQuery) parseBlock(s string) reply.Reply {
	ms, ok := ParseInt(s)
	switch {
	case !ok:
		return reply.OfError("ERR timeout is not an integer or out of range")
	case ms < 0:
		return reply.OfError("ERR timeout is negative")
	}
	q.blocks, q.block = true, min(ms, lastMS)
	return reply.Reply{}
}

func xread(k *Keyspace, args []string) reply.Reply {
	var q xreadQuery
	if failed := q.parse(args); failed.IsError() {
		return failed
	}
	var out []reply.Reply
	for i, key := range q.keys {
		e, ok := k.findAs(key, streamType)
		if !ok {
			return errWrongType
		}
		after := lastStreamID // $ is whatever comes later
		switch q.ids[i] {
		case "$":
		case ">":
			return reply.OfError("ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> <consumer> option.")
		default:
			if after, ok = parseStreamID(q.ids[i], 0); !ok {
				return errStreamID
			}
		}
		from, ok := after.next()
		if e == nil || !ok {
			continue
		}
		if records := e.stream.between(from, lastStreamID); len(records) > 0 {
			out = append(out, reply.OfArray(reply.OfBulk(key), recordsReply(records, q.count, false)))
		}
	}
	if out == nil {
		return reply.Reply{}
	}
	return reply.OfArray(out...)
}
