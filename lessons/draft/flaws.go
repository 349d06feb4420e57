package draft

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/reply"
	"lockstep/luaexec/syntax"
)

// freesAnothers tells whether a client can give back a lock that another one has: afterwards its key is gone, or the client
// can take it. It is tried rather than searched for: no rule about who is inside tells such a release from the owner's,
// late after a pause.
func freesAnothers(ctx context.Context, take, give *candidate, key string, refusal reply.Reply) bool {
	t := tried{take: take}.held(ctx)
	before := t.exec(ctx, "EXISTS", key)
	t.run(ctx, give, "B")
	if t.exec(ctx, "EXISTS", key).Int < before.Int {
		return true
	}
	got := t.run(ctx, take, "B")
	return !got.IsError() && !got.Equal(refusal)
}

// nested is what is wrong with a lock that counts how often its holder has taken it, when it is taken twice: it must be given
// back as often. It is empty where nothing is, or the lock does not count.
func (t tried) nested(ctx context.Context) []fact.Fact {
	counts := func(c *candidate) bool {
		return slices.ContainsFunc(c.calls, func(c call) bool { return strings.Contains(c.name, "incr") || strings.Contains(c.name, "decr") })
	}
	if t.take == nil || len(t.start) > 0 || !counts(t.take) || !counts(t.give) {
		return nil
	}
	on := t.held(ctx)
	taken := func(client string) bool {
		r := on.run(ctx, t.take, client)
		return !r.IsError() && !r.Equal(t.second)
	}
	given := func() bool { // whether B gets it then
		before := on.exec(ctx, "KEYS", "*").Elems
		on.run(ctx, t.give, "A")
		made := on.exec(ctx, "KEYS", "*").Elems
		got := taken("B")
		for _, key := range made { // what a release leaves is for that request alone, as Redisson's unlock latch: the next one has another name
			if !slices.ContainsFunc(before, key.Equal) {
				on.exec(ctx, "DEL", key.Str)
			}
		}
		return got
	}
	switch {
	case !taken("A"):
	case given():
		return []fact.Fact{fact.Of("draft-frees-nested", t.take.Name, t.give.Name)}
	case !given():
		return []fact.Fact{fact.Of("draft-keeps-nested", t.take.Name, t.give.Name)}
	}
	return nil
}

// stuck is why a lock that is given back is nobody's and stays taken: for whom it refused and who never came back, or by what a
// lease has left behind that ended by itself. It looks a day later.
func (t tried) stuck(ctx context.Context) []fact.Fact {
	var all []fact.Fact
	refused := func(on trial, client string) bool { return t.refuses(on.run(ctx, t.take, client)) }
	on := t.held(ctx)
	if refused(on, "B") {
		on.run(ctx, t.give, "A")
		if on.advance(ctx, longest); refused(on, "C") {
			all = append(all, fact.Of("draft-keeps-place", t.take.Name))
		}
	}
	on = t.held(ctx)
	if on.advance(ctx, longest); !refused(on, "B") {
		if on.run(ctx, t.give, "B"); refused(on, "C") {
			all = append(all, fact.Of("draft-leaves-behind", t.give.Name, t.take.Name))
		}
	}
	return all
}

// numbers are commands that answer one.
var numbers = words("exists sismember hexists setnx msetnx hsetnx sadd srem del unlink hdel zrem expire pexpire persist scard zcard llen hlen")

// alwaysYes is a command whose number a condition of the script takes for a yes or no, though 0 is true in Lua; empty: none.
func (r *reading) alwaysYes() (name string) {
	var look func(*syntax.Expr) bool
	look = func(e *syntax.Expr) bool {
		if e = e.Bare(); e.Kind == syntax.Operation && (e.Op == syntax.TokNot || e.Op == syntax.TokAnd || e.Op == syntax.TokOr) {
			return slices.ContainsFunc(e.Args, look)
		}
		i := slices.IndexFunc(r.calls, func(c call) bool {
			return numbers[c.name] && (e == c.expr || e.Kind == syntax.Variable && len(r.assigned[e.Text]) == 1 && r.isReply(e, c.expr))
		})
		if i >= 0 {
			name = strings.ToUpper(r.calls[i].name)
		}
		return i >= 0
	}
	parts := map[int]bool{} // tokens at which an expression begins that is looked at: its parts come before it
	for _, e := range slices.Backward(r.tree.Exprs) {
		before := r.tree.Tokens[max(0, e.Token-1)].Kind
		if !parts[e.Token] && (before == syntax.TokIf || before == syntax.TokElseif) && look(e) {
			return name
		}
		parts[e.Token] = true
	}
	return ""
}

// hoards tells whether a script counts the members of an order by time, and removes none whose time is over.
func (c *candidate) hoards() bool {
	called := func(names string) bool {
		return slices.ContainsFunc(c.calls, func(call call) bool { return words(names)[call.name] })
	}
	timed := slices.ContainsFunc(c.calls, func(call call) bool {
		return call.name == "zadd" && len(call.args) > 2 && slices.ContainsFunc(c.uses(call.args[1]), func(u use) bool {
			return u.arg && (c.roles[u.n-1].isNow() || c.roles[u.n-1] == deadline || c.roles[u.n-1] == deadlineS)
		})
	})
	return timed && called("zcard") && !called("zremrangebyscore zremrangebyrank zrangebyscore zcount zpopmin zrange zrem")
}

// countsInstants tells whether a limiter gives members of an order their scores for names: what is added twice at one
// instant is one member. No two calls have one microsecond.
func (d *drafted) countsInstants(ctx context.Context) bool {
	const microseconds = 1e15 // since 1970
	on := d.held(ctx)
	return slices.ContainsFunc(on.exec(ctx, "KEYS", "*").Elems, func(key reply.Reply) bool {
		first := on.exec(ctx, "ZRANGE", key.Str, "0", "0", "WITHSCORES").Elems
		if len(first) != 2 {
			return false
		}
		member, isNumber := numberOf(first[0])
		score, _ := numberOf(first[1])
		return isNumber && member == score && isInstant(first[1]) && score < microseconds
	})
}

// savesUp tells whether a limiter lets two pass at once when nobody has called for long.
func (d *drafted) savesUp(ctx context.Context) bool {
	on := d.held(ctx)
	on.advance(ctx, 10*d.span)
	return d.looksGranted(on.run(ctx, d.take, "B")) && d.looksGranted(on.run(ctx, d.take, "C"))
}

// extendsAnothers tells whether a client that does not have the lock can extend the lease of the one that has it. Members of
// a set have leases of their own, which the key outlives.
func (d *drafted) extendsAnothers(ctx context.Context) bool {
	on := d.held(ctx)
	on.advance(ctx, time.Second)
	before := on.exec(ctx, "PTTL", d.section()).Int
	if before <= 0 || on.exec(ctx, "TYPE", d.section()).Str == "zset" {
		return false
	}
	on.run(ctx, d.extend, "B")
	return on.exec(ctx, "PTTL", d.section()).Int > before
}

// patience is how long a lease must last that no client's work outlasts: it works for 3s, and may be late by 2s.
const patience = 5 * time.Second

// endsDuringWork adds the doubt about a lease of the scripts' own that is shorter than the work that a draft makes up.
func (d *drafted) endsDuringWork(ctx context.Context) {
	on := d.held(ctx)
	for _, c := range []*candidate{d.take, d.extend} {
		if c == nil {
			continue
		}
		if c == d.extend {
			on.run(ctx, c, "A")
		}
		left := time.Duration(on.exec(ctx, "PTTL", d.section()).Int) * time.Millisecond
		if 0 < left && left < patience {
			d.doubt(fact.Of("draft-ends-during-work", c.Name, engine.FormatSpan(left)))
		}
	}
}

// notGiven is why a script gives back no lock that SET makes, where none takes one; nil: it does. What deletes whatever is
// there is a release only if it is called so, or chosen.
func (t tried) notGiven(ctx context.Context, chosen bool) error {
	if !t.frees() {
		return fact.Of("draft-gives-nothing", t.give.File, t.give.Line, t.give.Name)
	}
	if chosen || namedFrees.MatchString(t.give.Name) || !freesAnothers(ctx, nil, t.give, lockKey, t.second) {
		return nil
	}
	return fact.Of("draft-no-lock", fact.Names{t.give.Name})
}

var namedFrees = regexp.MustCompile(`lock|releas|free|relinquish|resign|leave`)
