package keyspace

import (
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/reply"
)

var errCursor = reply.OfError("ERR invalid cursor")

// parseCursor accepts whatever C's strtoul accepts; an empty cursor is 0.
func parseCursor(s string) (uint64, bool) {
	if s == "" {
		return 0, true
	}
	if isSpace(s[0]) {
		return 0, false
	}
	if rest, negative := strings.CutPrefix(s, "-"); negative {
		n, ok := parseUint(rest)
		return -n, ok && rest[0] != '+' && !isSpace(rest[0])
	}
	return parseUint(s)
}

func scanReply(cursor uint64, items []reply.Reply) reply.Reply {
	return reply.OfArray(reply.OfBulk(strconv.FormatUint(cursor, 10)), reply.OfArray(orEmpty(items)...))
}

func scan(k *Keyspace, args []string) reply.Reply {
	cursor, ok := parseCursor(args[1])
	if !ok {
		return errCursor
	}
	var o scanOptions
	if failed := o.parse(args[2:], true); failed.IsError() {
		return failed
	}
	names, next := scanNames(maps.Keys(k.keys), len(k.keys), cursor, o.count)
	var items []reply.Reply
	for _, name := range names {
		e := k.find(name)
		if e != nil && o.wants(name) && (o.kind == nil || *o.kind == e.kind.String()) {
			items = append(items, reply.OfBulk(name))
		}
	}
	return scanReply(next, items)
}

// scans makes HSCAN, SSCAN or ZSCAN, of which part is what one call finds.
func scans(t valueType, part func(e *entry, cursor uint64, o *scanOptions) (items []reply.Reply, next uint64)) func(*Keyspace, []string) reply.Reply {
	return func(k *Keyspace, args []string) reply.Reply {
		cursor, ok := parseCursor(args[2])
		if !ok {
			return errCursor
		}
		e, none := k.value(args[1], t, scanReply(0, nil))
		if e == nil {
			return none
		}
		var o scanOptions
		if failed := o.parse(args[3:], false); failed.IsError() {
			return failed
		}
		items, next := part(e, cursor, &o)
		return scanReply(next, items)
	}
}

func scanHashOrSet(e *entry, cursor uint64, o *scanOptions) (items []reply.Reply, next uint64) {
	h, whole := e.hash, e.kind == hashType && e.isListpack()
	if e.kind == setType {
		h, whole = &e.set.fields, e.set.ints
	}
	from, to := 0, h.len()
	if !whole {
		from, to, next = scanPlaces(h.len(), cursor, o.count)
	}
	for _, p := range h.pairs[from:to] {
		if !o.wants(p.name) {
			continue
		}
		items = append(items, reply.OfBulk(p.name))
		if e.kind == hashType {
			items = append(items, reply.OfBulk(p.value))
		}
	}
	return items, next
}

func scanZset(e *entry, cursor uint64, o *scanOptions) (items []reply.Reply, next uint64) {
	z, format := e.zset, formatScore
	var names []string
	if e.isListpack() {
		names, format = slices.Collect(z.members()), formatPackedScore
	} else {
		names, next = scanNames(z.members(), z.len(), cursor, o.count)
	}
	for _, name := range names {
		if o.wants(name) {
			score := z.items[z.find(name)].score
			items = append(items, reply.OfBulk(name), reply.OfBulk(format(score)))
		}
	}
	return items, next
}

// formatPackedScore writes a score of a short zset, where Redis keeps whole
// numbers as such: 1e+17 is 100000000000000000.
func formatPackedScore(f float64) string {
	const limit = math.MaxInt64 / 2
	if f >= -limit && f <= limit && f == math.Trunc(f) {
		return strconv.FormatInt(int64(f), 10)
	}
	return formatScore(f)
}

func (z *zset) members() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range z.items {
			if !yield(z.items[i].member) {
				return
			}
		}
	}
}
