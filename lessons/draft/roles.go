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
)

// The lease that a draft takes, which its work does not outlast, in milliseconds.
const leaseMS = 10_000

func (r role) isNow() bool { return r == now || r == nowS || r == nowWholeS }

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
}

// roles guesses the role of each ARGV of a script. The first evidence counts: a comparison, the span of an EXPIRE, another
// command, a sum with a span, the name in the script, other arithmetic. A text that an ARGV is compared with overrides them.
// The last two passes correct roles by those of other arguments.
func (r *reading) roles() []role {
	all := make([]role, r.args)
	set := func(u use, is role) {
		if u.arg && (is != unknown && all[u.n-1] == unknown || is == nowWholeS && all[u.n-1] == nowS) {
			all[u.n-1] = is
		}
	}
	for _, e := range r.tree.Exprs {
		if e.Kind == syntax.Operation && e.Op.IsComparison() && len(e.Args) == 2 {
			for i, a := range e.Args {
				for _, u := range r.uses(a) {
					is := r.compared(e.Op, e.Args[1-i], u)
					if is == limit {
						is = r.limitOrInstant(u)
					}
					set(u, is)
				}
			}
		}
	}
	r.spans(set)
	ownTime := slices.ContainsFunc(r.calls, func(c call) bool { return c.name == "time" })
	counted := r.counted()
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

// cutOff tells two instants of one script apart: what is removed by its score ended before the present if the score is when
// it was added, and before another argument if the score is when it ends.
func (r *reading) cutOff(all []role) {
	instant := func(c call, name string, i int) int { // the argument that is one
		if c.name != name || len(c.args) <= i {
			return 0
		}
		if uses := r.uses(c.args[i]); len(uses) == 1 && uses[0].arg && (uses[0].alone || r.exclusive(c.args[i])) && all[uses[0].n-1] == now {
			return uses[0].n
		}
		return 0
	}
	bound, score := 0, 0
	for _, c := range r.calls {
		bound = max(bound, instant(c, "zremrangebyscore", 2))
		score = max(score, instant(c, "zadd", 1))
	}
	switch {
	case score == 0 || bound == score:
	case namedDeadline.MatchString(r.named[place{true, score}]):
		all[score-1] = deadline
	case bound > 0:
		all[bound-1] = cutoff
	}
}

// exclusive tells whether an expression is a bound that is not in the range itself: "(" before a number.
func (r *reading) exclusive(e *syntax.Expr) bool {
	e = e.Bare()
	return e.Kind == syntax.Operation && len(e.Args) == 2 && r.constant(e.Args[0]) == "("
}

var namedDeadline = regexp.MustCompile(`(?i)expir|deadline|until|ends`)

// ofClock sets the role of the seconds of a time that is passed as TIME answers it, with microseconds beside it.
func (r *reading) ofClock(set func(use, role)) {
	var seconds place
	micros := false
	for p, name := range r.named {
		switch name = strings.ToLower(name); {
		case strings.HasPrefix(name, "sec"):
			seconds = p
		case strings.HasPrefix(name, "micro"):
			micros = true
		}
	}
	if micros && seconds.arg {
		set(use{place: seconds}, nowWholeS)
	}
}

// spans sets the roles of the spans of EXPIRE and PEXPIRE, before other commands: the command tells the unit, and a sum
// with an instant, in which the same argument may stand as well, does not.
func (r *reading) spans(set func(use, role)) {
	for _, c := range r.calls {
		if c.name != "expire" && c.name != "pexpire" || len(c.args) < 2 {
			continue
		}
		for _, u := range r.uses(c.args[1]) {
			set(u, r.inCall(c, 1, u))
		}
	}
}

// addedTo gives the role nowS to the first operand of a sum with a span in seconds, if that operand has neither a role nor
// a name yet.
func (r *reading) addedTo(all []role) {
	for _, e := range r.tree.Exprs {
		if e.Kind != syntax.Operation || e.Op != '+' {
			continue
		}
		to, isTo := direct(e.Args[0])
		span, isSpan := direct(e.Args[1])
		if isTo && isSpan && to.arg && span.arg && all[span.n-1] == leaseS && all[to.n-1] == unknown && r.named[to] == "" {
			all[to.n-1] = nowS
		}
	}
}

// untilCompared gives the role deadline to what a script stores in a text that it compares with the client's time: a lock
// whose value says when it ends.
func (r *reading) untilCompared(all []role) {
	for _, e := range r.tree.Exprs {
		if e.Kind != syntax.Operation || !e.Op.IsComparison() || e.Op == syntax.TokEqual || e.Op == syntax.TokUnequal {
			continue
		}
		for i, a := range e.Args {
			of := r.uses(e.Args[1-i])
			if len(of) != 1 || !of[0].arg || all[of[0].n-1] != now || !r.isReplyOf(a, "get") {
				continue
			}
			for _, c := range r.calls {
				if p, ok := direct(c.args[min(1, len(c.args)-1)]); ok && p.arg && (c.name == "set" || c.name == "setnx" || c.name == "getset") {
					all[p.n-1] = deadline
				}
			}
		}
	}
}

// isReplyOf tells whether an expression is the reply to a command.
func (r *reading) isReplyOf(e *syntax.Expr, name string) bool {
	return slices.ContainsFunc(r.calls, func(c call) bool { return c.name == name && r.isReply(e, c.expr) })
}

// asWritten turns a limit into an instant if it is compared with a field of a hash to which the script writes an instant.
func (r *reading) asWritten(all []role) {
	instants := map[string]role{} // by the field
	for _, c := range r.calls {
		for i := 1; i+1 < len(c.args) && (c.name == "hset" || c.name == "hmset"); i += 2 {
			p, ok := direct(c.args[i+1])
			if ok && p.arg && (all[p.n-1] == now || all[p.n-1] == nowS) {
				instants[r.constant(c.args[i])] = all[p.n-1]
			}
		}
	}
	for _, e := range r.tree.Exprs {
		if e.Kind != syntax.Operation || !e.Op.IsComparison() {
			continue
		}
		p, ok := direct(e.Args[0])
		for _, c := range r.calls {
			if ok && p.arg && all[p.n-1] == limit && c.name == "hget" && len(c.args) == 2 && r.isReply(e.Args[1], c.expr) && instants[r.constant(c.args[1])] != unknown {
				all[p.n-1] = instants[r.constant(c.args[1])]
			}
		}
	}
}

// limitOrInstant is the role of an argument that is compared with a number in Redis: an instant if its name says so, and
// else a limit. A span is left unknown, for a command to tell its unit.
func (r *reading) limitOrInstant(u use) role {
	switch is := byName(r.named[u.place]); {
	case is == now || is == nowS:
		return is
	case is == lease || is == leaseS || u.taken:
		return unknown
	}
	return limit
}

// inSeconds turns now into nowS beside a span in seconds: in a sum, a difference or a comparison.
func (r *reading) inSeconds(all []role) {
	for _, e := range r.tree.Exprs {
		if e.Kind != syntax.Operation || e.Op != '+' && e.Op != '-' && !e.Op.IsComparison() {
			continue
		}
		parts := slices.DeleteFunc(r.uses(e), func(u use) bool { return !u.arg || u.thousandth || u.thousands })
		if !slices.ContainsFunc(parts, func(u use) bool { return all[u.n-1] == leaseS }) {
			continue
		}
		for _, u := range parts {
			if all[u.n-1] == now {
				all[u.n-1] = nowS
			}
		}
	}
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

// ofDeadline is the role of an argument in the instant at which a key expires: alone, if the instant is made of no other
// argument, and else part.
func (r *reading) ofDeadline(e *syntax.Expr, alone, part role) role {
	if len(r.uses(e)) == 1 {
		return alone
	}
	return part
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

// ofInstant is the role of a part of a score. Scores of locks are instants, so a part that is subtracted is a span.
func ofInstant(u use) role {
	if u.taken {
		return lease
	}
	return now
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

// compared is the role of u by the other operand of a comparison: the reply of a command. A text as the other operand
// tells no role, but is kept in fixed, as the value to pass.
func (r *reading) compared(op syntax.Kind, with *syntax.Expr, u use) role {
	of := with.Bare()
	if of.Kind == syntax.StringValue && u.arg && u.alone && op == syntax.TokEqual && r.fixed[u.n] == "" {
		r.fixed[u.n] = of.Text
		return unknown
	}
	for _, c := range r.calls {
		if !r.isReply(of, c.expr) {
			continue
		}
		switch c.name {
		case "get", "hget", "lindex", "getdel":
			if op == syntax.TokEqual || op == syntax.TokUnequal {
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

var names = []struct {
	pattern *regexp.Regexp
	is      role
}{
	{regexp.MustCompile(`limit_?time|time_?limit`), lease},
	{regexp.MustCompile(`chan`), channel},
	{regexp.MustCompile(`mess|msg`), message},
	{regexp.MustCompile(`now.*sec|sec.*now|epoch.?sec`), nowS},
	{regexp.MustCompile(`^now|[^a-z]now|timestamp|current.?time|^ts$|^time$`), now},
	{regexp.MustCompile(`(fill\w*|updated|refreshed)_(at|ts)$|last_(re)?fill`), now},
	{regexp.MustCompile(`(expire\w*|ends)_(at|on)$|_until$|deadline`), deadline},
	{regexp.MustCompile(`(ttl|expir|lease|timeout|duration|period|window|interval).*(_s|sec(ond)?s?)$`), leaseS},
	{regexp.MustCompile(`ttl|expir|lease|timeout|duration|period|window|interval|millis|px$`), lease},
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
