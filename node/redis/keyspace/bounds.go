package keyspace

import (
	"sort"

	"lockstep/engine/reply"
)

// bounds are the two ends of a range of a zset.
type bounds struct {
	start, stop      int64 // by rank
	min, max         float64
	minOpen, maxOpen bool // the end itself is left out
}

func (b *bounds) parse(by rangeBy, low, high string) (failed reply.Reply) {
	var ok1, ok2 bool
	if by == byScore {
		b.min, b.minOpen, ok1 = parseScoreEnd(low)
		b.max, b.maxOpen, ok2 = parseScoreEnd(high)
		failed = reply.OfError("ERR min or max is not a float")
	} else {
		b.start, ok1 = ParseInt(low)
		b.stop, ok2 = ParseInt(high)
		failed = errNotInt
	}
	if ok1 && ok2 {
		return reply.Reply{}
	}
	return failed
}

func parseScoreEnd(s string) (score float64, open, ok bool) {
	if s != "" && s[0] == '(' {
		score, ok = parseBound(s[1:])
		return score, true, ok
	}
	score, ok = parseBound(s)
	return score, false, ok
}

// fromEnd turns ranks that count from the highest member into ones that count
// from the lowest.
func (b *bounds) fromEnd(n int) {
	from, to := clampRange(b.start, b.stop, n)
	b.start, b.stop = int64(n-to), int64(n-from-1)
	if from == to {
		b.start, b.stop = 1, 0
	}
}

// within is the range of items from lo to hi, without hi itself.
func (b *bounds) within(z *zset, by rangeBy) (lo, hi int) {
	if by == byRank {
		return clampRange(b.start, b.stop, z.len())
	}
	lo = sort.Search(z.len(), func(i int) bool {
		score := z.items[i].score
		return score > b.min || score == b.min && !b.minOpen
	})
	hi = sort.Search(z.len(), func(i int) bool {
		score := z.items[i].score
		return score > b.max || score == b.max && b.maxOpen
	})
	return lo, max(lo, hi)
}
