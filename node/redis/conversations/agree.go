package conversations

import (
	"cmp"
	"slices"
	"strings"

	"lockstep/engine/reply"
)

// maxListed is the number of fields up to which a hash of Redis shows the order in
// which they came.
const maxListed = 512

// Agree compares what two servers answer to a command. Where the order of a reply
// is arbitrary, it need not be the same; where a real clock shows, a few seconds
// may lie between them; and of what was drawn at random only the kind must be.
func Agree(args []string, got, want reply.Reply) bool {
	if got.Kind != want.Kind || got.IsError() {
		return got.Equal(want)
	}
	switch strings.ToLower(args[0]) {
	case "pttl", "pexpiretime":
		return near(got, want, 5000)
	case "ttl", "expiretime":
		return near(got, want, 5)
	case "time":
		return len(got.Elems) == len(want.Elems)
	case "spop":
		return got.Kind == reply.Bulk || sorted(got).Equal(sorted(want))
	case "keys", "smembers":
		return sorted(got).Equal(sorted(want))
	case "scan", "sscan", "zscan", "hscan":
		return agreeOnScan(args, got, want)
	case "hgetall", "hkeys", "hvals":
		if len(want.Elems) > maxListed {
			return sorted(got).Equal(sorted(want))
		}
	}
	return got.Equal(want)
}

// near compares times, or the codes that say that there is none.
func near(got, want reply.Reply, most int64) bool {
	if got.Int < 0 || want.Int < 0 {
		return got.Int == want.Int
	}
	return max(got.Int-want.Int, want.Int-got.Int) <= most
}

// agreeOnScan knows that a short scan is over at once, and that the cursors of a
// long one are its server's.
func agreeOnScan(args []string, got, want reply.Reply) bool {
	if len(want.Elems) != 2 || len(got.Elems) != 2 {
		return got.Equal(want)
	}
	begins, goesOn := len(args) > 1 && args[1] == "0", got.Elems[0].Str != "0" || want.Elems[0].Str != "0"
	if goesOn || strings.EqualFold(args[0], "scan") && !begins {
		return true
	}
	return got.Elems[0].Equal(want.Elems[0]) && sorted(got.Elems[1]).Equal(sorted(want.Elems[1]))
}

// sorted is an array in the order of its elements.
func sorted(r reply.Reply) reply.Reply {
	r.Elems = slices.SortedFunc(slices.Values(r.Elems), func(a, b reply.Reply) int {
		return cmp.Compare(a.String(), b.String())
	})
	return r
}
