package portable

import (
	"cmp"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/reply"
	"lockstep/node/redis/keyspace"
)

// Ordered is the reply to a command of a program, sorted where each server has an
// order of its own: numbers by what they are, other texts by their bytes.
func Ordered(args []string, r reply.Reply) reply.Reply {
	if r.Kind != reply.Array || len(r.Elems) < 2 {
		return r
	}
	switch name := strings.ToLower(args[0]); name {
	case "keys", "smembers":
	case "pubsub":
		if !strings.EqualFold(args[1], "channels") && !strings.EqualFold(args[1], "shardchannels") {
			return r
		}
	default:
		return r
	}
	r.Elems = slices.Clone(r.Elems)
	less := func(a, b reply.Reply) int { return cmp.Compare(a.Str, b.Str) }
	if !slices.ContainsFunc(r.Elems, isNoNumber) {
		less = func(a, b reply.Reply) int {
			x, _ := keyspace.ParseInt(a.Str)
			y, _ := keyspace.ParseInt(b.Str)
			return cmp.Compare(x, y)
		}
	}
	slices.SortStableFunc(r.Elems, less)
	return r
}

func isNoNumber(r reply.Reply) bool {
	_, is := keyspace.ParseInt(r.Str)
	return !is
}

// listsHash are the commands that list a hash in the order in which its fields came,
// as long as it is small.
var listsHash = map[string]bool{"hgetall": true, "hkeys": true, "hvals": true}

// What servers keep in the order in which it came, with the least that they are set up
// for as they are shipped.
const (
	smallHash = 128 // fields
	smallText = 64  // bytes of a field or a value
)

// longHash refuses to list a hash that is not small.
func longHash(name string, line int, hashes []engine.Key, meant func(engine.Key) bool) []Refusal {
	for _, k := range hashes {
		long := len(k.Items) > smallHash || slices.ContainsFunc(k.Items, func(it engine.Item) bool {
			return len(it.Name) > smallText || len(it.Value) > smallText
		})
		if long && meant(k) {
			return []Refusal{{
				What: strings.ToUpper(name), Line: line,
				Why: fact.Of("refused-long-hash", k.Name, smallHash, smallText),
			}}
		}
	}
	return nil
}
