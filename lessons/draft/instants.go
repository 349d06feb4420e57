package draft

import (
	"regexp"
	"slices"
	"strings"

	"lockstep/luaexec/syntax"
)

func (r role) isNow() bool { return r == now || r == nowS || r == nowWholeS }

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

// afterInstants sets the roles of spans that are added to an instant: a client's time, or the server's.
func (r *reading) afterInstants(all []role, set func(use, role)) {
	for _, e := range r.tree.Exprs {
		if e.Kind != syntax.Operation || e.Op != '+' {
			continue
		}
		for i, a := range e.Args {
			is := r.ofTime(e.Args[1-i], map[string]bool{})
			for _, u := range r.uses(e.Args[1-i]) {
				switch {
				case !u.arg || !u.alone:
				case all[u.n-1] == now:
					is = lease
				case all[u.n-1].isNow():
					is = leaseS
				}
			}
			span := r.uses(a)
			if len(span) != 1 || is == unknown || span[0].scaled {
				continue
			}
			if span[0].thousandth {
				is = leaseS
			}
			set(span[0], is)
		}
	}
}

// ofTime is the role of a span in the unit of an instant that is made of the reply of TIME; unknown: the expression is none.
// It looks through each variable once: they may be made of each other.
func (r *reading) ofTime(e *syntax.Expr, seen map[string]bool) (is role) {
	e = e.Bare()
	parts := e.Args
	switch {
	case e.Kind == syntax.Call && isCaller(e.Object, nil) || e.Kind == syntax.Variable && seen[e.Text]:
		return unknown
	case e.Kind == syntax.Index && r.isReplyOf(e.Object, "time"):
		return leaseS
	case e.Kind == syntax.Variable:
		seen[e.Text] = true
		parts = r.assigned[e.Text]
	case e.Kind == syntax.Operation && e.Op != '+' && !slices.ContainsFunc(parts, r.isNumber): // a span between two, or a rate
		return unknown
	}
	for _, part := range parts {
		if of := r.ofTime(part, seen); is == unknown || of == lease {
			is = of
		}
	}
	if is == leaseS && e.Kind == syntax.Operation && e.Op == '*' && slices.ContainsFunc(parts, thousand) {
		return lease
	}
	return is
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

// ofDeadline is the role of an argument in the instant at which a key expires: alone, if the instant is made of no other
// argument, and else part.
func (r *reading) ofDeadline(e *syntax.Expr, alone, part role) role {
	if len(r.uses(e)) == 1 {
		return alone
	}
	return part
}

// ofInstant is the role of a part of a score. Scores of locks are instants, so a part that is subtracted is a span.
func ofInstant(u use) role {
	if u.taken {
		return lease
	}
	return now
}
