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
	if items == nil {
		items = []reply.Reply{}
	}
	return reply.OfArray(reply.OfBulk(strconv.FormatUint(cursor, 10)), reply.OfArray(items...))
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

// scanKey begins HSCAN, SSCAN or ZSCAN; done means that r is the answer.
func (k *Keyspace) scanKey(args []string, t valueType) (e *entry, cursor uint64, o scanOptions, r reply.Reply, done bool) {
	cursor, ok := parseCursor(args[2])
	if !ok {
		return nil, 0, o, errCursor, true
	}
	if e, r = k.value(args[1], t, scanReply(0, nil)); e == nil {
		return nil, 0, o, r, true
	}
	if failed := o.parse(args[3:], false); failed.IsError() {
		return nil, 0, o, failed, true
	}
	return e, cursor, o, reply.Reply{}, false
}

func hscan(k *Keyspace, args []string) reply.Reply {
	e, cursor, o, r, done := k.scanKey(args, hashType)
	if done {
		return r
	}
	from, to, next := 0, e.hash.len(), uint64(0)
	if !e.isListpack() {
		from, to, next = scanPlaces(e.hash.len(), cursor, o.count)
	}
	var items []reply.Reply
	for _, p := range e.hash.pairs[from:to] {
		if o.wants(p.name) {
			items = append(items, reply.OfBulk(p.name), reply.OfBulk(p.value))
		}
	}
	return scanReply(next, items)
}

func sscan(k *Keyspace, args []string) reply.Reply {
	e, cursor, o, r, done := k.scanKey(args, setType)
	if done {
		return r
	}
	from, to, next := 0, e.set.fields.len(), uint64(0)
	if !e.set.ints {
		from, to, next = scanPlaces(e.set.fields.len(), cursor, o.count)
	}
	var items []reply.Reply
	for _, p := range e.set.fields.pairs[from:to] {
		if o.wants(p.name) {
			items = append(items, reply.OfBulk(p.name))
		}
	}
	return scanReply(next, items)
}

func zscan(k *Keyspace, args []string) reply.Reply {
	e, cursor, o, r, done := k.scanKey(args, zsetType)
	if done {
		return r
	}
	z := e.zset
	var names []string
	var next uint64
	format := formatScore
	if e.isListpack() {
		names = slices.Collect(z.members())
		format = formatPackedScore
	} else {
		names, next = scanNames(z.members(), z.len(), cursor, o.count)
	}
	var items []reply.Reply
	for _, name := range names {
		if o.wants(name) {
			score := z.items[z.find(name)].score
			items = append(items, reply.OfBulk(name), reply.OfBulk(format(score)))
		}
	}
	return scanReply(next, items)
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
