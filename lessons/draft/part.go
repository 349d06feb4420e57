package draft

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"lockstep/luaexec/syntax"
)

// part is what a script does for a lock.
type part uint8

const (
	other   part = iota
	takes        // the lock
	gives        // it back
	extends      // its lease
	reads        // and writes nothing
)

var (
	namedGives   = regexp.MustCompile(`unlock|unset|releas|relinquish|remov|delete|(^|-)(free|leave|return|del|drop|done|finish|exit|reset|force)($|-|ed|s)`)
	namedExtends = regexp.MustCompile(`extend|renew|refresh|reacquire|prolong|heartbeat`)
	mayExtend    = regexp.MustCompile(`touch|keep|expire|postpone|update`) // what also makes something is more than that

	shared = regexp.MustCompile(`(^|-)(read|shared|r-?(un)?lock)`)
	alone  = regexp.MustCompile(`(^|-)(write|exclusive|w-?(un)?lock)`)
)

// part is what a script does: what its name says, unless that cannot be; else by the commands that it calls.
func (r *reading) part(name string) part {
	makes, removes, renews := slices.ContainsFunc(r.calls, r.makes), slices.ContainsFunc(r.calls, r.removes), slices.ContainsFunc(r.calls, r.renews)
	switch {
	case !makes && !removes && !renews:
		return reads
	case namedGives.MatchString(name):
		return gives
	case namedExtends.MatchString(name) && (makes || renews), mayExtend.MatchString(name) && renews && !makes:
		return extends
	case makes, removes && callsItself.MatchString(name) && !slices.ContainsFunc(r.calls, takesAway):
		return takes
	case removes:
		return gives
	}
	return extends
}

func (r *reading) makes(c call) bool {
	switch c.name {
	case "set", "setnx", "msetnx", "mset", "setex", "psetex", "hset", "hmset", "hsetnx", "sadd", "zadd", "lpush", "rpush", "incr", "getset":
		return true
	case "incrby", "hincrby", "incrbyfloat", "hincrbyfloat":
		return !r.counts(c, "-")
	}
	return false
}

func (r *reading) removes(c call) bool {
	switch c.name {
	case "del", "unlink", "hdel", "srem", "zrem", "lrem", "lpop", "rpop", "decr", "decrby", "delifeq", "delex", "getdel":
		return true
	case "incrby", "hincrby", "incrbyfloat", "hincrbyfloat":
		return r.counts(c, "-")
	}
	return false
}

// takesAway tells whether a command takes away what somebody has, not one of what is left.
func takesAway(c call) bool { return c.name == "del" || c.name == "unlink" }

func (r *reading) renews(c call) bool {
	return c.name == "expire" || c.name == "pexpire" || c.name == "expireat" || c.name == "pexpireat" ||
		c.name == "set" && slices.ContainsFunc(c.args, func(e *syntax.Expr) bool { return strings.EqualFold(e.Text, "xx") })
}

// counts tells whether a number that is added begins with a sign.
func (r *reading) counts(c call, sign string) bool {
	last := c.args[len(c.args)-1]
	return last.Kind == syntax.Operation && len(last.Args) == 1 || strings.HasPrefix(last.Text, sign)
}

// pairs are the scripts that could take the lock with those that could give it back, those that go together best first.
// nil stands for none that gives it back, and for a plain SET where no script takes the lock: beside one that does, though
// it refuses nobody, SET would be judged in its place.
func pairs(all []*candidate) [][2]*candidate {
	var found [][2]*candidate
	takers := of(all, takes)
	if len(takers) == 0 {
		takers = append(takers, nil)
	}
	for _, take := range takers {
		givers := of(all, gives)
		slices.SortStableFunc(givers, func(a, b *candidate) int { return fits(take, b) - fits(take, a) })
		for _, give := range givers {
			if take != nil && opposed(take.Name, give.Name) {
				continue
			}
			found = append(found, [2]*candidate{take, give})
		}
		if take != nil {
			found = append(found, [2]*candidate{take, nil})
		}
	}
	return found
}

// opposed tells whether one name is of a lock for reading and the other of one for writing.
func opposed(a, b string) bool {
	return shared.MatchString(a) && alone.MatchString(b) || alone.MatchString(a) && shared.MatchString(b)
}

// calledStock tells whether a script or one of its keys is called a stock, from which something is sold: what is put back
// when an order is cancelled does not make it a semaphore.
func (c *candidate) calledStock() bool {
	return namedStock.MatchString(c.Name) || slices.ContainsFunc(slices.Collect(maps.Values(c.named)), namedStock.MatchString)
}

var namedStock = regexp.MustCompile(`(?i)stock|inventor|coupon|voucher|ticket|seat|seckill`)

func of(all []*candidate, wanted part) []*candidate {
	return slices.DeleteFunc(slices.Clone(all), func(c *candidate) bool { return c.part != wanted })
}

// fits tells how well a script goes with the one that takes the lock: by the words of their names, by the types of their
// values, and whether it looks at who asks.
func fits(take, c *candidate) int {
	n := 0
	if strings.Contains(c.Name, "force") || strings.Contains(c.Name, "all") {
		n -= 4
	}
	if slices.Contains(c.roles, token) {
		n += 3
	}
	if take == nil {
		return n
	}
	for word := range strings.SplitSeq(take.Name, "-") {
		if (len(word) > 2 || digits.MatchString(word)) && strings.Contains(c.Name, word) { // a number: of the second lock in one text
			n += 2
		}
	}
	if sameType(take, c) {
		n += 3
	}
	return n
}

// sameType tells whether two scripts use the same type of value.
func sameType(a, b *candidate) bool {
	for _, family := range []string{"h", "z", "s"} {
		is := func(c call) bool { return strings.HasPrefix(c.name, family) && !strings.HasPrefix(c.name, "set") }
		if slices.ContainsFunc(a.calls, is) && slices.ContainsFunc(b.calls, is) {
			return true
		}
	}
	return !slices.ContainsFunc(slices.Concat(a.calls, b.calls), func(c call) bool { return c.name[0] == 'h' || c.name[0] == 'z' })
}
