package keyspace

import (
	"slices"
	"strings"

	"lockstep/engine/reply"
)

// InRESP3 is the reply to a command, made from what Call answered, as RESP3 has
// it: with maps, sets, doubles and pairs where RESP2 has flat arrays and texts.
func (c *Command) InRESP3(args []string, r reply.Reply) reply.Reply {
	if r.Kind != reply.Bulk && r.Kind != reply.Array {
		return r
	}
	if convert := inRESP3[c.name]; convert != nil {
		return convert(args, r)
	}
	return r
}

var inRESP3 map[string]func(args []string, r reply.Reply) reply.Reply

// The table refers to COMMAND, which refers to all rows, so it is built after them.
func init() {
	inRESP3 = map[string]func(args []string, r reply.Reply) reply.Reply{
		"bzmpop":           keyAndScores,
		"bzpopmax":         popped,
		"bzpopmin":         popped,
		"command":          commandTable,
		"hgetall":          as(reply.Map),
		"smembers":         as(reply.Set),
		"spop":             as(reply.Set),
		"xread":            streamMap,
		"zadd":             asDouble,
		"zincrby":          asDouble,
		"zmpop":            keyAndScores,
		"zmscore":          doubles,
		"zpopmax":          poppedScores,
		"zpopmin":          poppedScores,
		"zrange":           scoredIfAsked,
		"zrangebyscore":    scoredIfAsked,
		"zrevrange":        scoredIfAsked,
		"zrevrangebyscore": scoredIfAsked,
		"zscore":           asDouble,
	}
}

func asDouble(_ []string, r reply.Reply) reply.Reply {
	if r.Kind == reply.Bulk {
		return reply.OfDouble(r.Str)
	}
	return r
}

func doubles(args []string, r reply.Reply) reply.Reply {
	return each(r, func(e reply.Reply) reply.Reply { return asDouble(args, e) })
}

// each is an array with something else in place of each element.
func each(r reply.Reply, instead func(reply.Reply) reply.Reply) reply.Reply {
	elems := make([]reply.Reply, len(r.Elems))
	for i, e := range r.Elems {
		elems[i] = instead(e)
	}
	r.Elems = elems
	return r
}

// as makes an array a map or a set.
func as(kind reply.Kind) func([]string, reply.Reply) reply.Reply {
	return func(_ []string, r reply.Reply) reply.Reply {
		if r.Kind == reply.Array {
			r.Kind = kind
		}
		return r
	}
}

// scores are pairs of members and scores.
func scores(r reply.Reply) reply.Reply {
	pairs := make([]reply.Reply, len(r.Elems)/2)
	for i := range pairs {
		pairs[i] = reply.OfArray(r.Elems[2*i], reply.OfDouble(r.Elems[2*i+1].Str))
	}
	return reply.OfArray(pairs...)
}

func scoredIfAsked(args []string, r reply.Reply) reply.Reply {
	asked := slices.ContainsFunc(args[2:], func(arg string) bool { return strings.EqualFold(arg, "withscores") })
	if r.Kind == reply.Array && asked {
		return scores(r)
	}
	return r
}

// poppedScores is one pair, or an array of pairs if a count was given.
func poppedScores(args []string, r reply.Reply) reply.Reply {
	switch {
	case len(args) > 2:
		return scores(r)
	case len(r.Elems) == 2:
		return reply.OfArray(r.Elems[0], reply.OfDouble(r.Elems[1].Str))
	}
	return r
}

// popped is key, member and score.
func popped(_ []string, r reply.Reply) reply.Reply {
	if len(r.Elems) != 3 {
		return r
	}
	return reply.OfArray(r.Elems[0], r.Elems[1], reply.OfDouble(r.Elems[2].Str))
}

func keyAndScores(_ []string, r reply.Reply) reply.Reply {
	if len(r.Elems) != 2 {
		return r
	}
	return reply.OfArray(r.Elems[0], each(r.Elems[1], func(pair reply.Reply) reply.Reply {
		return reply.OfArray(pair.Elems[0], reply.OfDouble(pair.Elems[1].Str))
	}))
}

func streamMap(_ []string, r reply.Reply) reply.Reply {
	var elems []reply.Reply
	for _, e := range r.Elems {
		elems = append(elems, e.Elems...)
	}
	return reply.OfMap(elems...)
}

// commandTable is the reply to COMMAND: rows have sets where order means nothing, and docs are a map of maps.
func commandTable(args []string, r reply.Reply) reply.Reply {
	subcommand := "info"
	if len(args) > 1 {
		subcommand = strings.ToLower(args[1])
	}
	asMap := func(e reply.Reply) reply.Reply { return as(reply.Map)(args, e) }
	asSet := func(e reply.Reply) reply.Reply { return as(reply.Set)(args, e) }
	switch subcommand {
	case "docs":
		return asMap(each(r, asMap))
	case "info":
		return each(r, func(row reply.Reply) reply.Reply { return each(row, asSet) })
	}
	return r
}
