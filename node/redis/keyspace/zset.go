package keyspace

import (
	"maps"
	"slices"
	"sort"
)

// zset holds members ordered by score, then by member. A large one also has an
// index of scores.
type zset struct {
	items []scored
	index map[string]float64 // nil until the set has grown large
	bytes int                // of all members
}

type scored struct {
	member string
	score  float64
}

// indexAbove is the size from which an index is faster than looking at every member.
const indexAbove = 128

func (z *zset) len() int { return len(z.items) }

// lowerBound is the position of the first item that is not before (score, member).
func (z *zset) lowerBound(score float64, member string) int {
	return sort.Search(len(z.items), func(i int) bool {
		it := &z.items[i]
		return it.score > score || it.score == score && it.member >= member
	})
}

// find is the position of a member, or -1.
func (z *zset) find(member string) int {
	if z.index != nil {
		score, ok := z.index[member]
		if !ok {
			return -1
		}
		return z.lowerBound(score, member)
	}
	for i := range z.items {
		if z.items[i].member == member {
			return i
		}
	}
	return -1
}

// add inserts a member that does not exist. Like small sets in Redis it stores -0 as 0.
func (z *zset) add(member string, score float64) {
	if score == 0 {
		score = 0
	}
	z.items = slices.Insert(z.items, z.lowerBound(score, member), scored{member, score})
	z.bytes += len(member)
	switch {
	case z.index != nil:
		z.index[member] = score
	case len(z.items) > indexAbove:
		z.index = make(map[string]float64, 2*indexAbove)
		for _, it := range z.items {
			z.index[it.member] = it.score
		}
	}
}

// removeRange deletes the items from lo to hi, without hi itself.
func (z *zset) removeRange(lo, hi int) {
	for _, it := range z.items[lo:hi] {
		z.bytes -= len(it.member)
	}
	if z.index != nil {
		for _, it := range z.items[lo:hi] {
			delete(z.index, it.member)
		}
	}
	z.items = slices.Delete(z.items, lo, hi)
}

// put gives the item at position i, or a new one for -1, its score.
func (z *zset) put(i int, member string, score float64) {
	if i >= 0 {
		z.items = slices.Delete(z.items, i, i+1)
		z.bytes -= len(member)
	}
	z.add(member, score)
}

func (z *zset) clone() *zset {
	return &zset{items: slices.Clone(z.items), index: maps.Clone(z.index), bytes: z.bytes}
}
