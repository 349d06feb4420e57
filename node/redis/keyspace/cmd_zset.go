package keyspace

import (
	"math"

	"lockstep/engine/reply"
)

var zsetCommands = []Command{
	{"zadd", -4, Write | DenyOOM, oneKey, zadd, "Add members with scores to a sorted set, or change their scores"},
	{"zcard", 2, ReadOnly, oneKey, size(zsetType), "Number of members of a sorted set"},
	{"zcount", 4, ReadOnly, oneKey, zcount, "Number of members with a score in a range"},
	{"zincrby", 4, Write | DenyOOM, oneKey, zincrby, "Add to the score of a member"},
	{"zmscore", -3, ReadOnly, oneKey, ofItems(zsetType, zscore), "Scores of several members"},
	{"zrange", -4, ReadOnly, oneKey, ranges(rangeQuery{free: true}), "List a range of a sorted set by rank, score or member"},
	{"zrangebyscore", -4, ReadOnly, oneKey, ranges(rangeQuery{by: byScore}), "List members with a score in a range"},
	{"zrank", 3, ReadOnly, oneKey, ofItem(zsetType, zrank), "Rank of a member, counted from the lowest score"},
	{"zrem", -3, Write, oneKey, takes(zsetType), "Delete members of a sorted set"},
	{"zremrangebyrank", 4, Write, oneKey, removesRange(byRank), "Delete the members in a range of ranks"},
	{"zremrangebyscore", 4, Write, oneKey, removesRange(byScore), "Delete the members with a score in a range"},
	{"zrevrange", -4, ReadOnly, oneKey, ranges(rangeQuery{reverse: true}), "List a range of a sorted set from the highest score"},
	{"zrevrangebyscore", -4, ReadOnly, oneKey, ranges(rangeQuery{by: byScore, reverse: true}), "List members with a score in a range, from the highest"},
	{"zrevrank", 3, ReadOnly, oneKey, ofItem(zsetType, zrevrank), "Rank of a member, counted from the highest score"},
	{"zscan", -3, ReadOnly | Slow, oneKey, scans(zsetType, scoredOf), "Iterate over a sorted set"},
	{"zscore", 3, ReadOnly, oneKey, ofItem(zsetType, zscore), "Score of a member"},
}

type zaddOptions struct{ nx, xx, gt, lt, ch, incr bool }

// parseZaddOptions reads the options and returns the scores and members after them.
func parseZaddOptions(args []string) (o zaddOptions, rest []string) {
	known := []option{{"nx", &o.nx}, {"xx", &o.xx}, {"gt", &o.gt}, {"lt", &o.lt}, {"ch", &o.ch}, {"incr", &o.incr}}
	for i, arg := range args {
		if !note(arg, known) {
			return o, args[i:]
		}
	}
	return o, nil
}

func zadd(k *Keyspace, args []string) reply.Reply {
	o, pairs := parseZaddOptions(args[2:])
	switch {
	case len(pairs) == 0 || len(pairs)%2 != 0:
		return errSyntax
	case o.nx && o.xx:
		return reply.OfError("ERR XX and NX options at the same time are not compatible")
	case o.gt && o.nx, o.lt && o.nx, o.gt && o.lt:
		return reply.OfError("ERR GT, LT, and/or NX options at the same time are not compatible")
	case o.incr && len(pairs) > 2:
		return reply.OfError("ERR INCR option supports a single increment-element pair")
	}
	return k.zaddPairs(args[1], o, pairs)
}

func zincrby(k *Keyspace, args []string) reply.Reply {
	return k.zaddPairs(args[1], zaddOptions{incr: true}, args[2:])
}

func (k *Keyspace) zaddPairs(key string, o zaddOptions, pairs []string) reply.Reply {
	for i := 0; i < len(pairs); i += 2 {
		if _, ok := parseFloat(pairs[i]); !ok {
			return errNotFloat
		}
	}
	e, ok := k.findAs(key, zsetType)
	switch {
	case !ok:
		return errWrongType
	case e == nil && o.xx && o.incr:
		return reply.Reply{}
	case e == nil && o.xx:
		return reply.OfInt(0)
	}
	if o.incr {
		k.asEvent("zincr")
	}
	var added, updated int64
	for i := 0; i < len(pairs); i += 2 {
		score, _ := parseFloat(pairs[i])
		score, at, outcome := o.decide(e, pairs[i+1], score)
		if outcome == memberAdded || outcome == memberMoved {
			if added+updated == 0 {
				e = k.editOrCreate(key, e, zsetType)
			}
			e.zset.put(at, pairs[i+1], score)
		}
		switch {
		case outcome == notANumber:
			return reply.OfError("ERR resulting score is not a number (NaN)")
		case o.incr && outcome == refused:
			return reply.Reply{}
		case o.incr:
			return reply.OfBulk(formatScore(score))
		case outcome == memberAdded:
			added++
		case outcome == memberMoved:
			updated++
		}
	}
	if o.ch {
		added += updated
	}
	return reply.OfInt(added)
}

type zaddOutcome uint8

const (
	refused zaddOutcome = iota // by an option
	memberAdded
	memberMoved
	memberKept // it had that score
	notANumber
)

// decide tells what is to become of one member of e, which may not be there yet:
// its score and where it is, or -1.
func (o zaddOptions) decide(e *entry, member string, score float64) (float64, int, zaddOutcome) {
	at := e.find(member)
	switch {
	case at < 0 && o.xx, at >= 0 && o.nx:
		return 0, at, refused
	case at < 0:
		return score, at, memberAdded
	}
	current := e.zset.items[at].score
	if o.incr {
		score += current
		if math.IsNaN(score) {
			return 0, at, notANumber
		}
	}
	switch {
	case o.gt && score <= current, o.lt && score >= current:
		return 0, at, refused
	case score == current:
		return score, at, memberKept
	}
	return score, at, memberMoved
}

func zscore(e *entry, member string) reply.Reply {
	at := e.find(member)
	if at < 0 {
		return nothing
	}
	return reply.OfBulk(formatScore(e.zset.items[at].score))
}

func zrank(e *entry, member string) reply.Reply {
	at := e.find(member)
	if at < 0 {
		return nothing
	}
	return reply.OfInt(int64(at))
}

func zrevrank(e *entry, member string) reply.Reply {
	rank := zrank(e, member)
	if rank.Kind == reply.Int {
		rank.Int = int64(e.zset.len()) - 1 - rank.Int
	}
	return rank
}
