package draft

import (
	"regexp"
	"slices"
	"strings"

	"lockstep/luaexec/syntax"
)

// role is what one of ARGV is for.
type role uint8

const (
	unknown   role = iota
	token          // who takes the lock
	lease          // in milliseconds
	leaseS         // in seconds
	now            // in milliseconds
	nowS           // in seconds
	nowWholeS      // in whole seconds
	deadline       // an instant, in milliseconds
	deadlineS      // an instant, in seconds
	cutoff         // the instant before which what is old has ended, in milliseconds
	limit          // how many may have it
	number         // some number
	message        // what is published
	channel        // where to
	keyName        // the name of the lock's key, which the script stores
	drawn          // a number that the script would draw
	fixed          // a text that the script compares it with, or a command
	none           // 0: a switch that is off, no burst
	answered       // what the script that takes the lock has answered
	answered1      // the first of that, in a list
	answered2      // the second
)

// The lease that a draft takes, which its work does not outlast, in milliseconds.
const leaseMS = 10_000

// rows tell of each role what a program passes, what is passed when the scripts are tried (empty: the client's name), and
// what the page calls it.
var rows = [...]struct{ lua, tried, en, zh string }{
	unknown:   {"1", "1", "value", "值"},
	token:     {"me", "", "owner", "持有者"},
	lease:     {"10000", "10000", "lease, ms", "租期，毫秒"},
	leaseS:    {"10", "10", "lease, s", "租期，秒"},
	now:       {"stamp()", "1700000000000", "the client's time, ms", "客户端时间，毫秒"},
	nowS:      {`string.format("%.3f", now() / 1000)`, "1700000000.000", "the client's time, s", "客户端时间，秒"},
	nowWholeS: {"math.floor(now() / 1000)", "1700000000", "the client's time, s", "客户端时间，秒"},
	deadline:  {"stamp(10000)", "1700000010000", "deadline, ms", "到期时刻，毫秒"},
	deadlineS: {"math.floor(now() / 1000) + 10", "1700000010", "deadline, s", "到期时刻，秒"},
	cutoff:    {"now() - 10000", "1699999990000", "the end of what is too old, ms", "过期的分界时刻，毫秒"},
	limit:     {"1", "1", "how many may hold it", "最多几个持有者"},
	number:    {"1", "1", "number", "数值"},
	message:   {`"released"`, "released", "message", "消息"},
	channel:   {`"lock:channel"`, "lock:channel", "channel", "频道"},
	keyName:   {`"lock"`, lockKey, "the lock's key", "锁的 key"},
	drawn:     {"string.byte(me)", "", "random number", "随机数"}, // another one of each client
	fixed:     {"", "", "option", "选项"},                        // candidate.fixed
	none:      {"0", "0", "none", "无"},
	answered:  {"reply", "", "what the lock answered", "加锁的返回值"},
	answered1: {"reply[1]", "", "what the lock answered", "加锁的返回值"},
	answered2: {"reply[2]", "", "what the lock answered", "加锁的返回值"},
}

// roles guesses the role of each ARGV of a script. The first evidence counts: a comparison, the span of an EXPIRE, another
// command, a sum with a span, the name in the script, a sum with an instant, other arithmetic. A text that an ARGV is compared with overrides them.
// The last two passes correct roles by those of other arguments.
func (r *reading) roles() []role {
	all := make([]role, r.args)
	set := func(u use, is role) {
		if u.arg && (is != unknown && all[u.n-1] == unknown || is == nowWholeS && all[u.n-1] == nowS) {
			all[u.n-1] = is
		}
	}
	counted := r.counted()
	for _, e := range r.tree.Exprs {
		if e.Kind == syntax.Operation && e.Op.IsComparison() && len(e.Args) == 2 {
			for i, a := range e.Args {
				for _, u := range r.uses(a) {
					is := r.compared(e.Op, e.Args[1-i], u)
					switch {
					case is == limit:
						is = r.limitOrInstant(u)
					case is == token && counted[u.place]: // the capacity that a bucket was made for
						is = unknown
					}
					set(u, is)
				}
			}
		}
	}
	r.spans(set)
	ownTime := slices.ContainsFunc(r.calls, func(c call) bool { return c.name == "time" })
	for _, c := range r.calls {
		for i, a := range c.args {
			parts := r.uses(a)
			for _, u := range parts {
				is := r.inCall(c, i, u)
				if is == token && counted[u.place] {
					is = unknown
				}
				added := ownTime || slices.ContainsFunc(parts, func(o use) bool { return o.arg && o.n != u.n && all[o.n-1] == now })
				switch { // what is added to an instant
				case added && is == now:
					is = lease
				case added && is == nowS:
					is = leaseS
				}
				set(u, is)
			}
		}
	}
	r.addedTo(all)
	for p, name := range r.named {
		is := byName(name)
		if is == token && counted[p] {
			is = number
		}
		set(use{place: p}, is)
	}
	r.ofClock(set)
	r.afterInstants(all, set)
	for p := range counted {
		set(use{place: p}, number)
	}
	for _, e := range r.tree.Exprs { // a client passes no time where the server's own is asked otherwise
		if ownTime && e.Kind == syntax.Operation && e.Op == syntax.TokOr && e.Args[0].Bare().Kind == syntax.Call && e.Args[1].Bare().Kind != syntax.NumberValue {
			if p, ok := direct(e.Args[0]); ok && p.arg && byName(r.named[p]).isNow() {
				r.fixed[p.n] = ""
			}
		}
	}
	for n := range r.fixed {
		all[n-1] = fixed
	}
	r.inSeconds(all)
	r.asWritten(all)
	r.untilCompared(all)
	r.cutOff(all)
	return all
}

// isReplyOf tells whether an expression is the reply to a command.
func (r *reading) isReplyOf(e *syntax.Expr, name string) bool {
	return slices.ContainsFunc(r.calls, func(c call) bool { return c.name == name && r.isReply(e, c.expr) })
}

// counted are the places that the script takes for numbers: it converts them, or calculates with them.
func (r *reading) counted() map[place]bool {
	all := map[place]bool{}
	for _, e := range r.tree.Exprs {
		converts := e.Kind == syntax.Call && e.Object.Kind == syntax.Variable && e.Object.Text == "tonumber" && len(e.Args) == 1
		calculates := e.Kind == syntax.Operation && strings.ContainsRune("+-*/%^", rune(e.Op)) && len(e.Args) == 2
		if !converts && !calculates {
			continue
		}
		for _, a := range e.Args {
			if a.Bare().Kind == syntax.Variable || a.Bare().Kind == syntax.Index {
				for _, u := range r.uses(a) {
					if u.alone {
						all[u.place] = true
					}
				}
			}
		}
	}
	return all
}

// inCall is the role of u, a part of the argument i of the command c; unknown if the command does not tell.
func (r *reading) inCall(c call, i int, u use) role {
	span := func(seconds bool) role {
		if u.scaled { // how long a bucket takes to fill
			return unknown
		}
		if u.thousandth || seconds && !u.thousands {
			return leaseS
		}
		return lease
	}
	before := ""
	if i > 0 && c.args[i-1].Kind == syntax.StringValue {
		before = strings.ToLower(c.args[i-1].Text)
	}
	switch before {
	case "px", "ex":
		return span(before == "ex")
	case "pxat":
		return deadline
	case "exat":
		return deadlineS
	}
	switch c.name {
	case "set", "setnx", "getset", "sadd", "srem", "sismember", "lpush", "rpush", "zrem", "zscore", "zrank", "hexists", "hget", "hdel", "hsetnx", "delifeq":
		if i == 1 && strings.HasPrefix(c.name, "set") && r.countsDown(c.args[0]) {
			return limit
		}
		if i == 1 || i > 1 && before == "ifeq" {
			return token
		}
	case "hset", "hmset", "hincrby", "hincrbyfloat":
		switch {
		case i == 1:
			return token
		case c.name[1] == 'i':
			return number
		case u.alone && i == 2:
			return byName(r.constant(c.args[1]))
		}
	case "lrem":
		return at(i, 2, token)
	case "zadd":
		return r.inZadd(c, i, u)
	case "zremrangebyscore", "zcount", "zrangebyscore":
		if i == 1 || i == 2 {
			return ofInstant(u)
		}
	case "expire", "pexpire":
		return at(i, 1, span(c.name == "expire"))
	case "setex", "psetex":
		return at(i, 1, span(c.name == "setex")) | at(i, 2, token)
	case "expireat":
		return at(i, 1, r.ofDeadline(c.args[i], deadlineS, nowWholeS))
	case "pexpireat":
		return at(i, 1, r.ofDeadline(c.args[i], deadline, now))
	case "incrby", "decrby":
		return at(i, 1, number)
	case "publish", "spublish":
		return at(i, 0, channel) | at(i, 1, message)
	}
	return unknown
}

// countsDown tells whether the script takes from a key what it set there.
func (r *reading) countsDown(key *syntax.Expr) bool {
	set := r.uses(key)
	return slices.ContainsFunc(r.calls, func(c call) bool {
		return (c.name == "decr" || c.name == "decrby") && len(c.args) > 0 && slices.Equal(set, r.uses(c.args[0]))
	})
}

// at is the role of an argument if it stands in the wanted place, and else unknown, which is 0: roles of several places
// are joined by |.
func at(i, wanted int, is role) role {
	if i == wanted {
		return is
	}
	return unknown
}

// inZadd is inCall for ZADD: scores and members take turns, behind the key and words such as NX.
func (r *reading) inZadd(c call, i int, u use) role {
	first := slices.IndexFunc(c.args[min(1, len(c.args)):], func(e *syntax.Expr) bool { return e.Kind != syntax.StringValue }) + 1
	switch {
	case i == 0 || first == 0:
		return unknown
	case (i-first)%2 == 1:
		return token
	}
	return ofInstant(u)
}

// isReply tells whether an expression is the reply of a call, perhaps as a number, or in a variable.
func (r *reading) isReply(e, call *syntax.Expr) bool {
	e = orElse(e)
	if e == call {
		return true
	}
	if e.Kind == syntax.Call && e.Object.Kind == syntax.Variable && len(e.Args) == 1 { // tonumber
		return r.isReply(e.Args[0], call)
	}
	return e.Kind == syntax.Variable && slices.ContainsFunc(r.assigned[e.Text], func(v *syntax.Expr) bool {
		v = orElse(v)
		return v == call || v.Kind == syntax.Call && len(v.Args) == 1 && orElse(v.Args[0]) == call
	})
}

// compared is the role of u by the other operand of a comparison: the reply of a command, or an element of it. A text as the
// other operand tells no role, but is kept in fixed, as the value to pass.
func (r *reading) compared(op syntax.Kind, with *syntax.Expr, u use) role {
	of := with.Bare()
	if of.Kind == syntax.StringValue && u.arg && u.alone && op == syntax.TokEqual && r.fixed[u.n] == "" {
		r.fixed[u.n] = of.Text
		return unknown
	}
	equal := op == syntax.TokEqual || op == syntax.TokUnequal
	for _, c := range r.calls {
		isList := c.name == "mget" || c.name == "hmget" || c.name == "lrange" // of texts: ZRANGE may answer scores
		if equal && isList && r.isReply(r.listOf(of), c.expr) {
			return token
		}
		if !r.isReply(of, c.expr) {
			continue
		}
		switch c.name {
		case "get", "hget", "lindex", "getdel":
			if equal {
				return token
			}
			return limit
		case "zscore":
			return now
		case "scard", "zcard", "llen", "hlen", "zcount", "incr", "incrby", "hincrby":
			return limit
		}
	}
	return unknown
}

// listOf is what an expression is an element of, by its index or in a loop; else the expression.
func (r *reading) listOf(e *syntax.Expr) *syntax.Expr {
	if e.Kind == syntax.Variable && len(r.assigned[e.Text]) == 1 {
		e = r.assigned[e.Text][0].Bare()
	}
	switch {
	case e.Kind == syntax.Index:
		return e.Object
	case e.Kind == syntax.Call && len(e.Args) == 1: // ipairs
		return e.Args[0]
	}
	return e
}

var names = []struct {
	pattern *regexp.Regexp
	is      role
}{
	{regexp.MustCompile(`limit_?time|time_?limit`), lease},
	{regexp.MustCompile(`chan`), channel},
	{regexp.MustCompile(`mess|msg`), message},
	{regexp.MustCompile(`now.*sec|sec.*now|epoch.?sec`), nowS},
	{regexp.MustCompile(`^now|[^a-z]now|timestamp|current.?time|(^|_)u?ts(_?ms)?$|^time$`), now},
	{regexp.MustCompile(`(fill\w*|updated|refreshed)_(at|ts)$|last_(re)?fill`), now},
	{regexp.MustCompile(`(expire\w*|ends)_(at|on)$|_until$|deadline`), deadline},
	{regexp.MustCompile(`(ttl|expir|lease|timeout|duration|period|window|interval).*(_s|sec(ond)?s?)$`), leaseS},
	{regexp.MustCompile(`ttl|expir|lease|timeout|duration|period|window|interval|milli_?s|px$`), lease},
	{regexp.MustCompile(`limit|max|capacity|permits|size|slots|concurren|burst`), limit},
	{regexp.MustCompile(`count|amount|increment|cost|rate|requested|number|fill`), number},
	{regexp.MustCompile(`token|owner|uuid|client|ident|thread|value|^val$|random|nonce|job|jid|worker|holder|secret|name|key|^id$|.id$`), token},
}

func byName(name string) role {
	name = strings.ToLower(humps.ReplaceAllString(name, "${1}_$2"))
	for _, n := range names {
		if n.pattern.MatchString(name) {
			return n.is
		}
	}
	return unknown
}
