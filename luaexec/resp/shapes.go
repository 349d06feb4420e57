package resp

import (
	"strings"

	"lockstep/engine/reply"
	"lockstep/luaexec/keyspace"
)

// shape writes the reply of a command that Redis does not answer with what a
// plain reply.Reply says: RESP3 has maps, sets and doubles, and RESP2 has two
// kinds of nothing.
type shape func(b []byte, proto int, args []string, r reply.Reply) []byte

// shapes are the commands that have one. What a script returns has none: it has
// been made a Lua value on the way.
var shapes = map[string]shape{
	"bzmpop":           keyAndScores,
	"bzpopmax":         popped,
	"bzpopmin":         popped,
	"command":          commandTable,
	"hgetall":          pairs('%'),
	"hrandfield":       pairsOfFields,
	"lpop":             poppedItems,
	"rpop":             poppedItems,
	"sdiff":            set,
	"sinter":           set,
	"smembers":         set,
	"spop":             set,
	"sunion":           set,
	"zadd":             double,
	"zdiff":            scoredIfAsked,
	"zincrby":          double,
	"zinter":           scoredIfAsked,
	"zmpop":            keyAndScores,
	"zmscore":          doubles,
	"zpopmax":          poppedScores,
	"zpopmin":          poppedScores,
	"zrandmember":      scoredIfAsked,
	"zrange":           scoredIfAsked,
	"zrangebyscore":    scoredIfAsked,
	"zrevrange":        scoredIfAsked,
	"zrevrangebyscore": scoredIfAsked,
	"zscore":           double,
	"zunion":           scoredIfAsked,
	"xread":            streams,
}

// replyShaped answers with the reply of a command.
func (c *conn) replyShaped(k call, r reply.Reply) {
	c.answer(func(b []byte) []byte {
		if r.Kind == reply.Nil || r.Kind == reply.Bulk || r.Kind == reply.Array {
			if write := shapes[k.data.Name()]; write != nil {
				return write(b, c.proto, k.args, r)
			}
			if r.Kind == reply.Nil && k.data.Is(keyspace.NilArray) {
				return appendNilArray(b, c.proto)
			}
		}
		return appendReply(b, c.proto, r)
	})
}

func orNilArray(b []byte, proto int, _ []string, r reply.Reply) []byte {
	if r.Kind == reply.Nil {
		return appendNilArray(b, proto)
	}
	return appendReply(b, proto, r)
}

// poppedItems is nothing in the shape of what would be there: an array if a
// count was given.
func poppedItems(b []byte, proto int, args []string, r reply.Reply) []byte {
	if len(args) > 2 {
		return orNilArray(b, proto, args, r)
	}
	return appendReply(b, proto, r)
}

func double(b []byte, proto int, _ []string, r reply.Reply) []byte {
	if r.Kind == reply.Bulk {
		return appendDouble(b, proto, r.Str)
	}
	return appendReply(b, proto, r)
}

func doubles(b []byte, proto int, args []string, r reply.Reply) []byte {
	b = appendHeader(b, '*', int64(len(r.Elems)))
	for _, e := range r.Elems {
		b = double(b, proto, args, e)
	}
	return b
}

// pairs is a flat array whose elements belong together by two.
func pairs(kind byte) shape {
	return func(b []byte, proto int, _ []string, r reply.Reply) []byte {
		if proto == resp2 || r.Kind != reply.Array {
			return appendReply(b, proto, r)
		}
		b = appendHeader(b, kind, int64(len(r.Elems)/2))
		for _, e := range r.Elems {
			b = appendReply(b, proto, e)
		}
		return b
	}
}

func set(b []byte, proto int, _ []string, r reply.Reply) []byte {
	if r.Kind != reply.Array {
		return appendReply(b, proto, r)
	}
	b = appendSet(b, proto, len(r.Elems))
	for _, e := range r.Elems {
		b = appendReply(b, proto, e)
	}
	return b
}

// scores writes members with their scores, which RESP3 has by two.
func scores(b []byte, proto int, elems []reply.Reply) []byte {
	if proto == resp2 {
		return appendReply(b, proto, reply.OfArray(elems...))
	}
	b = appendHeader(b, '*', int64(len(elems)/2))
	for i := 0; i+1 < len(elems); i += 2 {
		b = appendHeader(b, '*', 2)
		b = appendReply(b, proto, elems[i])
		b = appendDouble(b, proto, elems[i+1].Str)
	}
	return b
}

func asksFor(args []string, option string) bool {
	for _, arg := range args[2:] {
		if strings.EqualFold(arg, option) {
			return true
		}
	}
	return false
}

func scoredIfAsked(b []byte, proto int, args []string, r reply.Reply) []byte {
	if r.Kind == reply.Array && asksFor(args, "withscores") {
		return scores(b, proto, r.Elems)
	}
	return appendReply(b, proto, r)
}

// poppedScores is one pair, or an array of pairs if a count was given.
func poppedScores(b []byte, proto int, args []string, r reply.Reply) []byte {
	switch {
	case len(args) > 2:
		return scores(b, proto, r.Elems)
	case len(r.Elems) == 2:
		b = appendReply(appendHeader(b, '*', 2), proto, r.Elems[0])
		return appendDouble(b, proto, r.Elems[1].Str)
	}
	return appendReply(b, proto, r)
}

// popped is key, member and score.
func popped(b []byte, proto int, _ []string, r reply.Reply) []byte {
	if len(r.Elems) != 3 {
		return appendNilArray(b, proto)
	}
	b = appendHeader(b, '*', 3)
	b = appendReply(appendReply(b, proto, r.Elems[0]), proto, r.Elems[1])
	return appendDouble(b, proto, r.Elems[2].Str)
}

// keyAndScores is a key and an array of pairs, which RESP2 has by two as well.
func keyAndScores(b []byte, proto int, _ []string, r reply.Reply) []byte {
	if len(r.Elems) != 2 {
		return appendNilArray(b, proto)
	}
	b = appendReply(appendHeader(b, '*', 2), proto, r.Elems[0])
	b = appendHeader(b, '*', int64(len(r.Elems[1].Elems)))
	for _, pair := range r.Elems[1].Elems {
		b = appendHeader(b, '*', 2)
		b = appendReply(b, proto, pair.Elems[0])
		b = appendDouble(b, proto, pair.Elems[1].Str)
	}
	return b
}

func pairsOfFields(b []byte, proto int, args []string, r reply.Reply) []byte {
	if proto == resp2 || r.Kind != reply.Array || !asksFor(args, "withvalues") {
		return appendReply(b, proto, r)
	}
	b = appendHeader(b, '*', int64(len(r.Elems)/2))
	for i := 0; i+1 < len(r.Elems); i += 2 {
		b = appendReply(b, proto, reply.OfArray(r.Elems[i], r.Elems[i+1]))
	}
	return b
}

// streams is a map from streams to their records.
func streams(b []byte, proto int, _ []string, r reply.Reply) []byte {
	if r.Kind != reply.Array || proto == resp2 {
		return orNilArray(b, proto, nil, r)
	}
	b = appendHeader(b, '%', int64(len(r.Elems)))
	for _, e := range r.Elems {
		for _, part := range e.Elems {
			b = appendReply(b, proto, part)
		}
	}
	return b
}

// commandTable is what COMMAND says of commands: a row has sets where order means
// nothing, and their docs are a map of maps.
func commandTable(b []byte, proto int, args []string, r reply.Reply) []byte {
	subcommand := "info"
	if len(args) > 1 {
		subcommand = lower(args[1])
	}
	switch {
	case proto == resp2 || subcommand != "info" && subcommand != "docs":
		return appendReply(b, proto, r)
	case subcommand == "docs":
		b = appendMap(b, proto, len(r.Elems)/2)
		for i := 0; i+1 < len(r.Elems); i += 2 {
			b = pairs('%')(appendReply(b, proto, r.Elems[i]), proto, args, r.Elems[i+1])
		}
		return b
	}
	b = appendHeader(b, '*', int64(len(r.Elems)))
	for _, row := range r.Elems {
		if row.Kind != reply.Array {
			b = appendReply(b, proto, row)
			continue
		}
		b = appendHeader(b, '*', int64(len(row.Elems)))
		for _, e := range row.Elems {
			b = set(b, proto, args, e)
		}
	}
	return b
}
