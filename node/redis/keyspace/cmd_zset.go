package keyspace

import (
	"math"
	"strings"

	"lockstep/engine/reply"
)

var zsetCommands = []Command{
	{"zadd", -4, Write | DenyOOM, oneKey, zadd, "Add members with scores to a sorted set, or change their scores"},
	{"zcard", 2, ReadOnly, oneKey, size(zsetType), "Number of members of a sorted set"},
	{"zcount", 4, ReadOnly, oneKey, zcount, "Number of members with a score in a range"},
	{"zincrby", 4, Write | DenyOOM, oneKey, zincrby, "Add to the score of a member"},
	{"zlexcount", 4, ReadOnly, oneKey, zlexcount, "Count the members in a lexicographical range"},
	{"zmscore", -3, ReadOnly, oneKey, zmscore, "Scores of several members"},
	{"zrange", -4, ReadOnly, oneKey, zrange, "List a range of a sorted set by rank, score or member"},
	{"zrangebylex", -4, ReadOnly, oneKey, zrangebylex, "List the members in a lexicographical range"},
	{"zrangebyscore", -4, ReadOnly, oneKey, zrangebyscore, "List members with a score in a range"},
	{"zrank", 3, ReadOnly, oneKey, zrank, "Rank of a member, counted from the lowest score"},
	{"zrem", -3, Write, oneKey, takes(zsetType), "Delete members of a sorted set"},
	{"zremrangebylex", 4, Write, oneKey, zremrangebylex, "Delete the members in a lexicographical range"},
	{"zremrangebyrank", 4, Write, oneKey, zremrangebyrank, "Delete the members in a range of ranks"},
	{"zremrangebyscore", 4, Write, oneKey, zremrangebyscore, "Delete the members with a score in a range"},
	{"zrevrange", -4, ReadOnly, oneKey, zrevrange, "List a range of a sorted set from the highest score"},
	{"zrevrangebylex", -4, ReadOnly, oneKey, zrevrangebylex, "List the members in a lexicographical range, backwards"},
	{"zrevrangebyscore", -4, ReadOnly, oneKey, zrevrangebyscore, "List members with a score in a range, from the highest"},
	{"zrevrank", 3, ReadOnly, oneKey, zrevrank, "Rank of a member, counted from the highest score"},
	{"zscan", -3, ReadOnly | Slow, oneKey, zscan, "Iterate over a sorted set"},
	{"zscore", 3, ReadOnly, oneKey, on(zsetType, nothing, zscore), "Score of a member"},
}

// zaddOptions are the options of ZADD.
type zaddOptions struct{ nx, xx, gt, lt, ch, incr bool }

// parseZaddOptions reads the options and returns the scores and members after them.
func parseZaddOptions(args []string) (o zaddOptions, rest []string) {
	for i, opt := range args {
		switch {
		case strings.EqualFold(opt, "nx"):
			o.nx = true
		case strings.EqualFold(opt, "xx"):
			o.xx = true
		case strings.EqualFold(opt, "gt"):
			o.gt = true
		case strings.EqualFold(opt, "lt"):
			o.lt = true
		case strings.EqualFold(opt, "ch"):
			o.ch = true
		case strings.EqualFold(opt, "incr"):
			o.incr = true
		default:
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
		return errZaddNXXX
	case o.gt && o.nx, o.lt && o.nx, o.gt && o.lt:
		return errZaddGTLTNX
	case o.incr && len(pairs) > 2:
		return errZaddIncrPairs
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
			return errScoreNaN
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

// zaddOutcome is what ZADD does with one member.
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
	at := -1
	if e != nil {
		at = e.zset.find(member)
	}
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

func zscore(_ *Keyspace, e *entry, args []string) reply.Reply {
	i := e.zset.find(args[2])
	if i < 0 {
		return reply.Reply{}
	}
	return reply.OfBulk(formatScore(e.zset.items[i].score))
}

func zrank(k *Keyspace, args []string) reply.Reply    { return k.rank(args, false) }
func zrevrank(k *Keyspace, args []string) reply.Reply { return k.rank(args, true) }

func (k *Keyspace) rank(args []string, fromEnd bool) reply.Reply {
	e, none := k.value(args[1], zsetType, reply.Reply{})
	if e == nil {
		return none
	}
	i := e.zset.find(args[2])
	switch {
	case i < 0:
		return reply.Reply{}
	case fromEnd:
		i = e.zset.len() - 1 - i
	}
	return reply.OfInt(int64(i))
}

func zmscore(k *Keyspace, args []string) reply.Reply {
	e, ok := k.findAs(args[1], zsetType)
	if !ok {
		return errWrongType
	}
	scores := make([]reply.Reply, len(args)-2)
	for i, member := range args[2:] {
		if e == nil {
			break
		}
		if at := e.zset.find(member); at >= 0 {
			scores[i] = reply.OfBulk(formatScore(e.zset.items[at].score))
		}
	}
	return reply.OfArray(scores...)
}
