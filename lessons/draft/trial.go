package draft

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/reply"
	"lockstep/luaexec/syntax"
	"lockstep/node/redis"
)

// trial runs the scripts on a server, which is embedded and always answers.
type trial struct {
	node  *redis.Node
	told  map[string]reply.Reply // clients by scripts that take the lock
	since time.Duration          // its beginning
}

func (t trial) run(ctx context.Context, c *candidate, client string) reply.Reply {
	result, _ := t.node.Exec(ctx, t.op(c, client))
	if c != nil && c.part == takes {
		t.told[client] = result.Reply
	}
	return ofOwn(result.Reply, client)
}

// exec is a command of nobody's.
func (t trial) exec(ctx context.Context, args ...string) reply.Reply {
	result, _ := t.node.Exec(ctx, engine.Op{Args: args})
	return result.Reply
}

// advance lets time pass; clients that call then read their clocks then.
func (t *trial) advance(ctx context.Context, to time.Duration) {
	_, _ = t.node.AdvanceTo(ctx, to)
	t.since = to
}

// op is what a client sends.
func (t trial) op(c *candidate, client string) engine.Op {
	if c == nil {
		return engine.Op{Args: []string{"SET", lockKey, client, "NX", "PX", strconv.Itoa(leaseMS)}}
	}
	op := engine.Op{Script: &engine.Script{Name: c.Name, Source: c.Source}, Keys: slices.Clone(c.keysAt(t.since))}
	for n, is := range c.values {
		op.Keys[n-1] = shifted(is, cmp.Or(rows[is].tried, client), t.since)
	}
	for i, is := range c.roles {
		if is >= answered {
			op.Args = append(op.Args, t.answer(client, int(is-answered)))
			continue
		}
		op.Args = append(op.Args, shifted(c.roles[i], c.value(i, client), t.since))
	}
	return op
}

// answer is what a client was told, or the n-th of it, as a program passes it on.
func (t trial) answer(client string, n int) string {
	r := t.told[client]
	if n > 0 && n <= len(r.Elems) {
		r = r.Elems[n-1]
	}
	if r.Kind == reply.Int {
		return strconv.FormatInt(r.Int, 10)
	}
	return r.Str
}

// own replaces the name of the client in its replies, as programs call it. Otherwise a script that returns the caller's
// name to everybody would seem to refuse the second client.
const own = "me"

// It may stand among other things, as in A@@10000, but not within a word.
func ofOwn(r reply.Reply, client string) reply.Reply {
	r.Str = word(client).ReplaceAllString(r.Str, own)
	r.Elems = slices.Clone(r.Elems)
	for i := range r.Elems {
		r.Elems[i] = ofOwn(r.Elems[i], client)
	}
	return r
}

func word(client string) *regexp.Regexp { return regexp.MustCompile(`\b` + client + `\b`) }

// value is what a client passes for one of ARGV when the scripts are tried.
func (c *candidate) value(i int, client string) string {
	if c.roles[i] == fixed {
		return c.fixed[i+1]
	}
	if c.roles[i] == drawn {
		return strconv.Itoa(int(client[0]))
	}
	return cmp.Or(rows[c.roles[i]].tried, client)
}

// ask makes the calls of answers on a fresh server: take by A and by B and, with a script give, give by A and take by B.
// Without a script take the lock is taken by SET NX. The error is a fact if a script fails.
func ask(ctx context.Context, take, give *candidate, at start) (a answers, err error) {
	t := begin(ctx, at)
	type call struct {
		c      *candidate
		client string
		to     *reply.Reply
	}
	calls := []call{{take, "A", &a.first}, {take, "B", &a.second}}
	if give != nil {
		calls = append(calls, call{give, "A", new(reply.Reply)}, call{take, "B", &a.later})
	}
	for i, s := range calls {
		*s.to = t.run(ctx, s.c, s.client)
		if s.c != nil && strings.HasPrefix(s.to.Str, "REFUSED math.random on") {
			return a, fact.Of("draft-random", s.c.File, s.c.Line, s.c.Name)
		}
		if s.to.IsError() && s.c != nil && (i != 1 || strings.Contains(s.to.Str, "user_script:")) { // the second may be refused by an error of the script's own
			if what := s.c.decoded(); what != "" {
				return a, fact.Of("draft-decodes", s.c.File, s.c.Line, s.c.Name, what)
			}
			if name := undefined.FindStringSubmatch(s.to.Str); name != nil {
				return a, fact.Of("draft-defined-elsewhere", s.c.File, s.c.Line, s.c.Name, name[1])
			}
			if name := s.c.global(); name != "" && strings.Contains(s.to.Str, "readonly table") {
				return a, fact.Of("draft-global", s.c.File, s.c.Line, s.c.Name, name)
			}
			return a, fact.Of("draft-failed", s.c.File, s.c.Line, s.c.Name, hashed.ReplaceAllString(s.to.Str, ""))
		}
	}
	a.released = give != nil
	return a, nil
}

// global is a variable that the script assigns and does not declare; empty: there is none.
func (c *candidate) global() string {
	for _, s := range c.tree.Statements {
		for _, t := range s.Targets {
			if t.Kind == syntax.Variable && t.Local == nil {
				return t.Text
			}
		}
	}
	return ""
}

// undefined matches the error of Redis about a name that a script does not define, with the name.
var undefined = regexp.MustCompile(`nonexistent global variable '(\w+)'`)

// hashed matches what Redis appends to an error of a script: its hash and the line.
var hashed = regexp.MustCompile(` script: [0-9a-f]{40}, on @user_script:[0-9]+\.$`)

// begin is a trial on a fresh server.
func begin(ctx context.Context, at start) trial {
	t := trial{node: redis.NewNode(), told: map[string]reply.Reply{}}
	for _, g := range at {
		t.exec(ctx, g.command()...)
	}
	return t
}

// held is a trial on a fresh server in which A has called the script take.
func (t tried) held(ctx context.Context) trial {
	on := begin(ctx, t.start)
	on.run(ctx, t.take, "A")
	if t.refused {
		on.run(ctx, t.take, "B")
	}
	return on
}

// endsAlone looks at a lock whose keys have no TTL: whether it is free in the end all the same, since the scripts compare
// instants, or never.
func (d *drafted) endsAlone(ctx context.Context) {
	on := d.held(ctx)
	if _, has := on.node.NextDue(); has {
		return
	}
	r := d.callAfter(ctx, longest)
	granted := d.looksGranted(r)
	d.recovered = !granted && !r.IsError() && d.differs(r)
	d.noTTL = granted && !r.IsError() || d.recovered
	d.forGood = !d.noTTL
}
