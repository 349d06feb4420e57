package draft

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"lockstep/engine/fact"
	"lockstep/engine/reply"
	"lockstep/luaexec/syntax"
)

// freesAnothers tells whether a client that does not have the lock can give it back, so that its key is gone or the client can
// take it: tried, because no rule about who is inside tells such a release from a right one after a pause.
func freesAnothers(ctx context.Context, take, give *candidate, key string, refusal reply.Reply) (bool, error) {
	t, err := tried{take: take}.held(ctx)
	if err != nil {
		return false, err
	}
	before, err := t.exec(ctx, "EXISTS", key)
	if err != nil {
		return false, err
	}
	if _, err := t.run(ctx, give, "B"); err != nil {
		return false, err
	}
	if after, err := t.exec(ctx, "EXISTS", key); err != nil || after.Int < before.Int {
		return err == nil, err
	}
	got, err := t.run(ctx, take, "B")
	return !got.IsError() && !got.Equal(refusal), err
}

// nested is what is wrong with a lock that counts how often its holder has taken it, when it is taken twice: it must be given
// back as often. It is empty where nothing is, or the lock does not count.
func (t tried) nested(ctx context.Context) ([]fact.Fact, error) {
	counts := func(c *candidate) bool {
		return slices.ContainsFunc(c.calls, func(c call) bool { return strings.Contains(c.name, "incr") || strings.Contains(c.name, "decr") })
	}
	if t.take == nil || len(t.start) > 0 || !counts(t.take) || !counts(t.give) {
		return nil, nil
	}
	on, err := t.held(ctx)
	if err != nil {
		return nil, err
	}
	taken := func(client string) (bool, error) {
		r, err := on.run(ctx, t.take, client)
		return !r.IsError() && !r.Equal(t.second), err
	}
	given := func() (bool, error) { // whether B gets it then
		if _, err := on.run(ctx, t.give, "A"); err != nil {
			return false, err
		}
		return taken("B")
	}
	if again, err := taken("A"); err != nil || !again {
		return nil, err
	}
	if free, err := given(); err != nil || free {
		return []fact.Fact{fact.Of("draft-frees-nested", t.take.Name, t.give.Name)}, err
	}
	if free, err := given(); err != nil || !free {
		return []fact.Fact{fact.Of("draft-keeps-nested", t.take.Name, t.give.Name)}, err
	}
	return nil, nil
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

// extendsAnothers tells whether a client that does not have the lock can extend the lease of the one that has it. Members of
// a set have leases of their own, which the key outlives.
func (d *drafted) extendsAnothers(ctx context.Context) (bool, error) {
	on, err := d.held(ctx)
	if err != nil {
		return false, err
	}
	const later = time.Second
	if _, err := on.node.AdvanceTo(ctx, later); err != nil {
		return false, err
	}
	on.since = later
	if is, err := on.exec(ctx, "TYPE", d.section()); err != nil || is.Str == "zset" {
		return false, err
	}
	before, err := on.exec(ctx, "PTTL", d.section())
	if err != nil || before.Int <= 0 {
		return false, err
	}
	if _, err := on.run(ctx, d.extend, "B"); err != nil {
		return false, err
	}
	after, err := on.exec(ctx, "PTTL", d.section())
	return after.Int > before.Int, err
}

// notGiven is why a script gives back no lock that SET makes, where none takes one; nil: it does. What deletes whatever is
// there is a release only if it is called so, or chosen.
func (t tried) notGiven(ctx context.Context, chosen bool) error {
	if !t.frees() {
		return fact.Of("draft-gives-nothing", t.give.File, t.give.Line, t.give.Name)
	}
	if chosen || namedFrees.MatchString(t.give.Name) {
		return nil
	}
	if frees, err := freesAnothers(ctx, nil, t.give, lockKey, t.second); err != nil || !frees {
		return err
	}
	return fact.Of("draft-no-lock", fact.Names{t.give.Name})
}

var namedFrees = regexp.MustCompile(`lock|releas|free|relinquish|resign|leave`)
