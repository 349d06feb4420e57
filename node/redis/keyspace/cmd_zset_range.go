package keyspace

import (
	"strings"

	"lockstep/engine/reply"
)

// rangeQuery is a parsed ZRANGE in any of its forms.
type rangeQuery struct {
	by         rangeBy
	free       bool // options may say by what, and in which direction
	reverse    bool
	withScores bool
	limited    bool // LIMIT was given and means something
	offset     int64
	count      int64 // negative for all
	bounds     bounds
}

// rangeBy says what the ends of a range are.
type rangeBy uint8

const (
	byRank rangeBy = iota
	byScore
)

func ranges(form rangeQuery) func(*Keyspace, []string) reply.Reply {
	return func(k *Keyspace, args []string) reply.Reply {
		q := form
		if failed := q.parse(args[2], args[3], args[4:]); failed.IsError() {
			return failed
		}
		e, none := k.value(args[1], zsetType, emptyArray)
		if e == nil {
			return none
		}
		return q.answer(e.zset)
	}
}

func (q *rangeQuery) parse(low, high string, options []string) (failed reply.Reply) {
	if failed := q.parseOptions(options); failed.IsError() {
		return failed
	}
	if q.reverse && q.by != byRank {
		low, high = high, low
	}
	return q.bounds.parse(q.by, low, high)
}

func (q *rangeQuery) parseOptions(options []string) (failed reply.Reply) {
	q.count = -1
	for i := 0; i < len(options); i++ {
		opt := options[i]
		switch {
		case strings.EqualFold(opt, "withscores"):
			q.withScores = true
		case strings.EqualFold(opt, "limit") && i+2 < len(options):
			var ok1, ok2 bool
			q.offset, ok1 = ParseInt(options[i+1])
			q.count, ok2 = ParseInt(options[i+2])
			if !ok1 || !ok2 {
				return errNotInt
			}
			q.limited = true
			i += 2
		case q.free && !q.reverse && strings.EqualFold(opt, "rev"):
			q.reverse = true
		case q.free && q.by == byRank && strings.EqualFold(opt, "byscore"):
			q.by = byScore
		default:
			return errSyntax
		}
	}
	if q.by == byRank && q.count != -1 {
		return reply.OfError("ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX")
	}
	// Redis accepts LIMIT n -1 for a range by rank, and ignores it.
	q.limited = q.limited && q.by != byRank
	return reply.Reply{}
}

// positions is the half-open range of positions.
func (q *rangeQuery) positions(z *zset) (lo, hi int) {
	if q.by == byRank && q.reverse {
		q.bounds.fromEnd(z.len())
	}
	lo, hi = q.bounds.within(z, q.by)
	if q.limited {
		lo, hi = q.limit(lo, hi)
	}
	return lo, hi
}

func (q *rangeQuery) answer(z *zset) reply.Reply {
	lo, hi := q.positions(z)
	each := 1
	if q.withScores {
		each = 2
	}
	out := make([]reply.Reply, 0, each*(hi-lo))
	for i := range hi - lo {
		it := &z.items[lo+i]
		if q.reverse {
			it = &z.items[hi-1-i]
		}
		out = append(out, reply.OfBulk(it.member))
		if q.withScores {
			out = append(out, reply.OfBulk(formatScore(it.score)))
		}
	}
	return reply.OfArray(out...)
}

// limit applies LIMIT to a range; a negative offset leaves nothing.
func (q *rangeQuery) limit(lo, hi int) (from, to int) {
	size := int64(hi - lo)
	if q.offset < 0 || q.offset >= size {
		return lo, lo
	}
	n := size - q.offset
	if q.count >= 0 {
		n = min(n, q.count)
	}
	if q.reverse {
		hi -= int(q.offset)
		return hi - int(n), hi
	}
	lo += int(q.offset)
	return lo, lo + int(n)
}

// countRange is the range of a command that has its ends in args[2] and args[3].
func (k *Keyspace) countRange(args []string, by rangeBy) (e *entry, lo, hi int, failed reply.Reply) {
	var b bounds
	if failed = b.parse(by, args[2], args[3]); failed.IsError() {
		return nil, 0, 0, failed
	}
	e, ok := k.findAs(args[1], zsetType)
	switch {
	case !ok:
		return nil, 0, 0, errWrongType
	case e == nil:
		return nil, 0, 0, reply.Reply{}
	}
	lo, hi = b.within(e.zset, by)
	return e, lo, hi, reply.Reply{}
}

func zcount(k *Keyspace, args []string) reply.Reply {
	_, lo, hi, failed := k.countRange(args, byScore)
	if failed.IsError() {
		return failed
	}
	return reply.OfInt(int64(hi - lo))
}

// removesRange makes a command that deletes the members in a range.
func removesRange(by rangeBy) func(*Keyspace, []string) reply.Reply {
	return func(k *Keyspace, args []string) reply.Reply {
		e, lo, hi, failed := k.countRange(args, by)
		switch {
		case failed.IsError():
			return failed
		case lo == hi:
			return zero
		}
		e = k.edit(args[1], e)
		e.zset.removeRange(lo, hi)
		k.removeIfEmpty(args[1], e)
		return reply.OfInt(int64(hi - lo))
	}
}
