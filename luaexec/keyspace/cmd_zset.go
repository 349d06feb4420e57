package keyspace

import (
	"math"
	"strings"

	"lockstep/engine/reply"
)

var zsetCommands = []Command{
	{"zadd", -4, Write, oneKey, zadd},
	{"zcard", 2, ReadOnly, oneKey, zcard},
	{"zcount", 4, ReadOnly, oneKey, zcount},
	{"zincrby", 4, Write, oneKey, zincrby},
	{"zrange", -4, ReadOnly, oneKey, zrange},
	{"zrangebylex", -4, ReadOnly, oneKey, zrangebylex},
	{"zrangebyscore", -4, ReadOnly, oneKey, zrangebyscore},
	{"zrank", 3, ReadOnly, oneKey, zrank},
	{"zrem", -3, Write, oneKey, zrem},
	{"zremrangebyrank", 4, Write, oneKey, zremrangebyrank},
	{"zremrangebyscore", 4, Write, oneKey, zremrangebyscore},
	{"zrevrange", -4, ReadOnly, oneKey, zrevrange},
	{"zrevrangebylex", -4, ReadOnly, oneKey, zrevrangebylex},
	{"zrevrangebyscore", -4, ReadOnly, oneKey, zrevrangebyscore},
	{"zrevrank", 3, ReadOnly, oneKey, zrevrank},
	{"zscore", 3, ReadOnly, oneKey, zscore},
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
	e = k.editOrCreate(key, e, zsetType)
	var added, updated int64
	for i := 0; i < len(pairs); i += 2 {
		score, _ := parseFloat(pairs[i])
		score, outcome := o.put(e.zset, pairs[i+1], score)
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

// zaddOutcome is what became of one member.
type zaddOutcome uint8

const (
	refused zaddOutcome = iota // by an option
	memberAdded
	memberMoved
	memberKept // it had that score
	notANumber
)

// put adds one member, or gives it another score, as far as the options allow,
// and returns its score.
func (o zaddOptions) put(z *zset, member string, score float64) (float64, zaddOutcome) {
	i := z.find(member)
	if i < 0 {
		if o.xx {
			return 0, refused
		}
		z.add(member, score)
		return score, memberAdded
	}
	if o.nx {
		return 0, refused
	}
	current := z.items[i].score
	if o.incr {
		score += current
		if math.IsNaN(score) {
			return 0, notANumber
		}
	}
	switch {
	case o.gt && score <= current, o.lt && score >= current:
		return 0, refused
	case score == current:
		return score, memberKept
	}
	z.rescore(i, score)
	return score, memberMoved
}

func zrem(k *Keyspace, args []string) reply.Reply {
	e, ok := k.findAs(args[1], zsetType)
	switch {
	case !ok:
		return errWrongType
	case e == nil:
		return reply.OfInt(0)
	}
	var removed int64
	for _, member := range args[2:] {
		i := e.zset.find(member)
		if i < 0 {
			continue
		}
		if removed == 0 {
			e = k.edit(args[1], e)
		}
		e.zset.removeRange(i, i+1)
		removed++
	}
	k.removeIfEmpty(args[1], e)
	return reply.OfInt(removed)
}

func zcard(k *Keyspace, args []string) reply.Reply {
	e, ok := k.findAs(args[1], zsetType)
	switch {
	case !ok:
		return errWrongType
	case e == nil:
		return reply.OfInt(0)
	}
	return reply.OfInt(int64(e.zset.len()))
}

func zscore(k *Keyspace, args []string) reply.Reply {
	e, ok := k.findAs(args[1], zsetType)
	switch {
	case !ok:
		return errWrongType
	case e == nil:
		return reply.Reply{}
	}
	i := e.zset.find(args[2])
	if i < 0 {
		return reply.Reply{}
	}
	return reply.OfBulk(formatScore(e.zset.items[i].score))
}

func zrank(k *Keyspace, args []string) reply.Reply    { return k.rank(args, false) }
func zrevrank(k *Keyspace, args []string) reply.Reply { return k.rank(args, true) }

func (k *Keyspace) rank(args []string, fromEnd bool) reply.Reply {
	e, ok := k.findAs(args[1], zsetType)
	switch {
	case !ok:
		return errWrongType
	case e == nil:
		return reply.Reply{}
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
