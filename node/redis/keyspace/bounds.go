package keyspace

import (
	"sort"

	"lockstep/engine/reply"
)

// bounds are the two ends of a range of a zset.
type bounds struct {
	start, stop          int64 // by rank
	min, max             float64
	minMember, maxMember string
	minOpen, maxOpen     bool // the end itself is left out
	minEnd, maxEnd       lexEnd
}

// lexEnd is the kind of end that a range by member has.
type lexEnd int8

const (
	lexLowest  lexEnd = iota - 1 // -
	lexMember                    // [member or (member
	lexHighest                   // +
)

// parse reads the ends of a range.
func (b *bounds) parse(by rangeBy, low, high string) (failed reply.Reply) {
	var ok1, ok2 bool
	switch by {
	case byRank:
		b.start, ok1 = ParseInt(low)
		b.stop, ok2 = ParseInt(high)
		failed = errNotInt
	case byScore:
		b.min, b.minOpen, ok1 = parseScoreEnd(low)
		b.max, b.maxOpen, ok2 = parseScoreEnd(high)
		failed = errBoundNotFloat
	case byLex:
		b.minMember, b.minEnd, b.minOpen, ok1 = parseLexEnd(low)
		b.maxMember, b.maxEnd, b.maxOpen, ok2 = parseLexEnd(high)
		failed = errBoundNotLex
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

func parseLexEnd(s string) (member string, end lexEnd, open, ok bool) {
	switch {
	case s == "-":
		return "", lexLowest, true, true
	case s == "+":
		return "", lexHighest, true, true
	case s != "" && (s[0] == '[' || s[0] == '('):
		return s[1:], lexMember, s[0] == '(', true
	}
	return "", lexMember, false, false
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
	n := z.len()
	switch by {
	case byRank:
		return clampRange(b.start, b.stop, n)
	case byScore:
		lo = sort.Search(n, func(i int) bool {
			score := z.items[i].score
			return score > b.min || score == b.min && !b.minOpen
		})
		hi = sort.Search(n, func(i int) bool {
			score := z.items[i].score
			return score > b.max || score == b.max && b.maxOpen
		})
	case byLex:
		// Only defined when all scores are equal.
		lo = sort.Search(n, func(i int) bool {
			return !lexBefore(z.items[i].member, b.minMember, b.minEnd, b.minOpen)
		})
		hi = sort.Search(n, func(i int) bool {
			return !lexBefore(z.items[i].member, b.maxMember, b.maxEnd, !b.maxOpen)
		})
	}
	return lo, max(lo, hi)
}

// lexBefore tells whether a member is before an end of a range; equal is the result for a
// member that equals the end.
func lexBefore(member, end string, kind lexEnd, equal bool) bool {
	switch kind {
	case lexLowest:
		return false
	case lexHighest:
		return true
	case lexMember:
	}
	return member < end || member == end && equal
}
