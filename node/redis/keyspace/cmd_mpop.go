package keyspace

import (
	"strings"

	"lockstep/engine/reply"
)

// manyKeys reads the number of keys, the keys and the rest of a command's arguments.
func manyKeys(args []string) (keys, rest []string, failed reply.Reply) {
	n, ok := ParseInt(args[0])
	switch {
	case !ok || n <= 0:
		return nil, nil, reply.OfError("ERR numkeys should be greater than 0")
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
		return q, reply.OfError("ERR count should be greater than 0")
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

func parseScoreSide(s string) (lowest, ok bool) {
	lowest = strings.EqualFold(s, "min")
	return lowest, lowest || strings.EqualFold(s, "max")
}
