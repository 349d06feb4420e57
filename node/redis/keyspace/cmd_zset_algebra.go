package keyspace

import (
	"math"
	"slices"
	"strings"

	"lockstep/engine/reply"
)

var zsetAlgebraCommands = []Command{
	{"zdiff", -3, ReadOnly | Slow, numberedKeys(1), zdiff, "List the members of the first sorted set that no other has"},
	{"zdiffstore", -4, Write | DenyOOM | Slow, storeNumberedKeys, zdiffstore, "Store the members of the first sorted set that no other has"},
	{"zinter", -3, ReadOnly | Slow, numberedKeys(1), zinter, "List the members that all sorted sets have"},
	{"zintercard", -3, ReadOnly | Slow, numberedKeys(1), zintercard, "Number of members that all sorted sets have"},
	{"zinterstore", -4, Write | DenyOOM | Slow, storeNumberedKeys, zinterstore, "Store the members that all sorted sets have"},
	{"zunion", -3, ReadOnly | Slow, numberedKeys(1), zunion, "List the members that any sorted set has"},
	{"zunionstore", -4, Write | DenyOOM | Slow, storeNumberedKeys, zunionstore, "Store the members that any sorted set has"},
}

// algebra is a parsed command that makes one zset of several.
type algebra struct {
	combine    func(inputs []*zset, merge func(a, b float64) float64) *zset
	differs    bool // ZDIFF: neither WEIGHTS nor AGGREGATE
	stores     bool // otherwise it answers with the members
	weights    []float64
	merge      func(a, b float64) float64
	withScores bool
}

func zunion(k *Keyspace, args []string) reply.Reply {
	return k.zalgebra(args, 1, algebra{combine: zunite})
}

func zinter(k *Keyspace, args []string) reply.Reply {
	return k.zalgebra(args, 1, algebra{combine: zintersect})
}

func zdiff(k *Keyspace, args []string) reply.Reply {
	return k.zalgebra(args, 1, algebra{combine: zsubtract, differs: true})
}

func zunionstore(k *Keyspace, args []string) reply.Reply {
	return k.zalgebra(args, 2, algebra{combine: zunite, stores: true})
}

func zinterstore(k *Keyspace, args []string) reply.Reply {
	return k.zalgebra(args, 2, algebra{combine: zintersect, stores: true})
}

func zdiffstore(k *Keyspace, args []string) reply.Reply {
	return k.zalgebra(args, 2, algebra{combine: zsubtract, differs: true, stores: true})
}

// zsetInputs reads the keys of a command that has their number in args[at], and
// what is after them.
func (k *Keyspace) zsetInputs(args []string, at int) (inputs []*zset, rest []string, failed reply.Reply) {
	n, ok := parseInt(args[at])
	switch {
	case !ok:
		return nil, nil, errNotInt
	case n < 1:
		return nil, nil, reply.OfError("ERR at least 1 input key is needed for '" + strings.ToLower(args[0]) + "' command")
	case n > int64(len(args)-at-1):
		return nil, nil, errSyntax
	}
	end := at + 1 + int(n)
	inputs, failed = k.zsetsOf(args[at+1 : end])
	return inputs, args[end:], failed
}

// zalgebra answers a command that makes one zset of several.
func (k *Keyspace) zalgebra(args []string, at int, q algebra) reply.Reply {
	inputs, rest, failed := k.zsetInputs(args, at)
	if failed.IsError() {
		return failed
	}
	if failed := q.parseOptions(rest, len(inputs)); failed.IsError() {
		return failed
	}
	result := q.combine(q.weigh(inputs), q.merge)
	if q.stores {
		return k.storeZset(args[1], result)
	}
	all := rangeQuery{withScores: q.withScores, bounds: bounds{start: 0, stop: -1}}
	return all.answer(result)
}

// zsetsOf are the sorted sets of keys; a plain set is one whose scores are 1.
func (k *Keyspace) zsetsOf(keys []string) ([]*zset, reply.Reply) {
	inputs := make([]*zset, len(keys))
	for i, key := range keys {
		e := k.find(key)
		switch {
		case e == nil:
			inputs[i] = new(zset)
		case e.kind == zsetType:
			inputs[i] = e.zset
		case e.kind == setType:
			inputs[i] = new(zset)
			for _, member := range slices.Sorted(slices.Values(e.set.names())) {
				inputs[i].add(member, 1)
			}
		default:
			return nil, errWrongType
		}
	}
	return inputs, reply.Reply{}
}

func (q *algebra) parseOptions(options []string, keys int) (failed reply.Reply) {
	q.merge = addScores
	for len(options) > 0 {
		switch opt := options[0]; {
		case !q.differs && strings.EqualFold(opt, "weights") && len(options) > keys:
			q.weights = q.weights[:0]
			for _, text := range options[1 : keys+1] {
				weight, ok := parseFloat(text)
				if !ok {
					return reply.OfError("ERR weight value is not a float")
				}
				q.weights = append(q.weights, weight)
			}
			options = options[keys+1:]
		case !q.differs && strings.EqualFold(opt, "aggregate") && len(options) > 1:
			switch how := options[1]; {
			case strings.EqualFold(how, "sum"):
				q.merge = addScores
			case strings.EqualFold(how, "min"):
				q.merge = math.Min
			case strings.EqualFold(how, "max"):
				q.merge = math.Max
			default:
				return errSyntax
			}
			options = options[2:]
		case !q.stores && strings.EqualFold(opt, "withscores"):
			q.withScores = true
			options = options[1:]
		default:
			return errSyntax
		}
	}
	return reply.Reply{}
}

// addScores is a sum, where opposite infinities make 0.
func addScores(a, b float64) float64 { return orZero(a + b) }

func orZero(f float64) float64 {
	if math.IsNaN(f) {
		return 0
	}
	return f
}

// weigh multiplies the scores.
func (q *algebra) weigh(inputs []*zset) []*zset {
	if q.weights == nil {
		return inputs
	}
	weighed := make([]*zset, len(inputs))
	for i, z := range inputs {
		weighed[i] = z.clone()
		for j := range weighed[i].items {
			it := &weighed[i].items[j]
			it.score = orZero(it.score * q.weights[i])
		}
		weighed[i].sort()
	}
	return weighed
}

func zunite(inputs []*zset, merge func(a, b float64) float64) *zset {
	scores := map[string]float64{}
	var names []string
	for _, z := range inputs {
		for _, it := range z.items {
			score, seen := scores[it.member]
			if !seen {
				names = append(names, it.member)
				scores[it.member] = it.score
				continue
			}
			scores[it.member] = merge(score, it.score)
		}
	}
	result := new(zset)
	for _, name := range names {
		result.append(name, scores[name])
	}
	result.sort()
	return result
}

func zintersect(inputs []*zset, merge func(a, b float64) float64) *zset {
	return zintersectUpTo(inputs, merge, 0)
}

// zintersectUpTo ends when it has found limit members; 0 means no limit.
func zintersectUpTo(inputs []*zset, merge func(a, b float64) float64, limit int64) *zset {
	result := new(zset)
members:
	for _, it := range inputs[0].items {
		score := it.score
		for _, other := range inputs[1:] {
			at := other.find(it.member)
			if at < 0 {
				continue members
			}
			score = merge(score, other.items[at].score)
		}
		result.append(it.member, score)
		if limit > 0 && int64(result.len()) == limit {
			break
		}
	}
	result.sort()
	return result
}

func zsubtract(inputs []*zset, _ func(a, b float64) float64) *zset {
	result := new(zset)
	for _, it := range inputs[0].items {
		elsewhere := slices.ContainsFunc(inputs[1:], func(z *zset) bool { return z.find(it.member) >= 0 })
		if !elsewhere {
			result.append(it.member, it.score)
		}
	}
	result.sort()
	return result
}

func (k *Keyspace) storeZset(key string, z *zset) reply.Reply {
	if z.len() == 0 {
		k.drop(key)
		return reply.OfInt(0)
	}
	for i := range z.items {
		if z.items[i].score == 0 {
			z.items[i].score = 0 // without a sign, as short sorted sets keep it
		}
	}
	k.replace(key, zsetType).zset = z
	return reply.OfInt(int64(z.len()))
}

func zintercard(k *Keyspace, args []string) reply.Reply {
	inputs, rest, failed := k.zsetInputs(args, 1)
	if failed.IsError() {
		return failed
	}
	limit := int64(0)
	for ; len(rest) > 0; rest = rest[2:] {
		if !strings.EqualFold(rest[0], "limit") || len(rest) == 1 {
			return errSyntax
		}
		var ok bool
		if limit, ok = parseInt(rest[1]); !ok || limit < 0 {
			return errNegativeLimit
		}
	}
	return reply.OfInt(int64(zintersectUpTo(inputs, addScores, limit).len()))
}
