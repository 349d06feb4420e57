package draft

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/luaexec/syntax"
	"lockstep/node/redis"
)

// given is something that a server has at first.
type given struct {
	key, kind string // kind: string, hash, list, set or zset
	value     string
	other     string // of a set: what the second client looks for, if it is something else; of a hash: the field
}

// start is what a server has at first.
type start []given

// withPermits is a server on which the key of the lock is 1.
var withPermits = start{{key: lockKey, kind: "string", value: "1"}}

// permits tells whether the scripts are a semaphore, whose key is 1 at first.
func (t tried) permits() bool { return slices.Equal(t.start, withPermits) && !t.sells() }

// sells tells whether the script takes from a stock, to which no script gives anything back.
func (t tried) sells() bool {
	return len(t.start) > 0 && t.jobs() == "" && t.give == nil && t.take.takesSome()
}

// jobs is the key that has the job; empty: there is none.
func (s start) jobs() string {
	for _, g := range s {
		if g.kind == "list" || g.kind == "zset" {
			return g.key
		}
	}
	return ""
}

func (g given) command() []string {
	switch g.kind {
	case "list":
		return []string{"RPUSH", g.key, g.value}
	case "zset":
		return []string{"ZADD", g.key, "1", g.value}
	case "set":
		return []string{"SADD", g.key, g.value, cmp.Or(g.other, g.value)}
	case "hash":
		return []string{"HSET", g.key, g.other, g.value}
	}
	return []string{"SET", g.key, g.value}
}

// yaml is what is given as a lesson has it.
func (g given) yaml() string {
	value := g.value
	if value != job {
		value = strconv.Quote(value)
	}
	switch g.kind {
	case "list":
		value = "[" + value + "]"
	case "set":
		value = "[" + value
		if g.other != "" {
			value += ", " + strconv.Quote(g.other)
		}
		value += "]"
	case "zset":
		value = "{" + value + ": 1}"
	case "hash":
		value = "{" + strconv.Quote(g.other) + ": " + value + "}"
	}
	return strconv.Quote(g.key) + ": {type: " + g.kind + ", value: " + value + "}"
}

// yaml is what a server has at first as a lesson has it.
func (s start) yaml() string {
	all := make([]string, len(s))
	for i, g := range s {
		all[i] = g.yaml()
	}
	return "given: {" + strings.Join(all, ", ") + "}"
}

// The one job that is there at first.
const job = "job-1"

// job is what a queue of the script has in it: for a script that decodes it, JSON with the fields that it looks at.
func (c *candidate) job() string {
	if !strings.Contains(c.Source, "cjson.decode") {
		return job
	}
	fields := []string{fmt.Sprintf(`"id":%q`, job)}
	for _, e := range c.tree.Exprs {
		if e.Kind != syntax.Index || e.Key.Kind != syntax.StringValue || e.Object.Kind != syntax.Variable || libraries[e.Object.Text] {
			continue
		}
		if field := fmt.Sprintf(`%q:"1"`, e.Key.Text); e.Key.Text != "id" && !slices.Contains(fields, field) {
			fields = append(fields, field)
		}
	}
	return "{" + strings.Join(fields, ",") + "}"
}

// libraries are what fields of scripts that are no data belong to.
var libraries = words("redis server cjson cmsgpack string table math bit struct os")

// wants are what a script looked for on a server and did not find: jobs of queues, and numbers of which it takes some.
func (c *candidate) wants(ctx context.Context, at start) []given {
	t := begin(ctx, at)
	_, inside, err := redis.Look(ctx, t.node, t.op(c, "A"), engine.NodeView{}, 0)
	if err != nil || inside == nil {
		return nil
	}
	var all []given
	for _, line := range inside.Lines {
		if line.Call == nil || line.Call.Failed || len(line.Call.Args) < 2 {
			continue
		}
		args := make([]string, len(line.Call.Args))
		for i, a := range line.Call.Args {
			if args[i], err = strconv.Unquote(a); err != nil {
				args[i] = a
			}
		}
		g := c.wanted(args, line.Call.Reply)
		if g.key != "" && !slices.ContainsFunc(slices.Concat(at, all), func(o given) bool { return o.key == g.key }) {
			all = append(all, g)
		}
	}
	return all
}

// wanted is what a command was to find; without a key: nothing, or it found it.
func (c *candidate) wanted(args []string, answer string) given {
	name := strings.ToLower(args[0])
	if below := strings.HasPrefix(name, "decr") && strings.HasPrefix(answer, "-"); !below && answer != "nil" && answer != "[]" && answer != "0" {
		return given{}
	}
	switch name {
	case "get", "exists", "decr", "decrby":
		if c.takesSome() {
			return given{key: args[1], kind: "string", value: "1"}
		}
	case "hget", "hexists":
		if c.takesSome() && len(args) > 2 && args[2] != "A" { // a field of its own
			return given{key: args[1], kind: "hash", value: "1", other: args[2]}
		}
	case "sismember":
		if c.takesSome() && len(args) > 2 {
			g := given{key: args[1], kind: "set", value: args[2]}
			if g.value == "A" {
				g.other = "B"
			}
			return g
		}
	case "lpop", "rpop", "rpoplpush", "lmove", "lrange", "lindex", "llen":
		return given{key: args[1], kind: "list", value: c.job()}
	case "zpopmin", "zpopmax", "zrange", "zrangebyscore", "zrevrange", "zrevrangebyscore":
		return given{key: args[1], kind: "zset", value: c.job()}
	}
	return given{}
}

// takesSome tells whether a script takes from a number, as what sells from a stock does, or away what it answers.
func (c *candidate) takesSome() bool {
	return c.consumes() || slices.ContainsFunc(c.calls, func(call call) bool {
		return call.name == "decr" || call.name == "decrby" || strings.Contains(call.name, "incrby") && c.counts(call, "-")
	})
}

// consumes tells whether a script deletes the text that it answers, as what is good for one use.
func (r *reading) consumes() bool {
	answers := func(c call) bool {
		return c.name == "get" && slices.ContainsFunc(r.tree.Statements, func(s *syntax.Statement) bool {
			return len(s.Names)+len(s.Targets) == 0 && len(s.Values) == 1 && s.Values[0].Bare().Kind == syntax.Variable && r.isReply(s.Values[0], c.expr)
		})
	}
	return slices.ContainsFunc(r.calls, answers) && slices.ContainsFunc(r.calls, takesAway) && !slices.ContainsFunc(r.calls, r.makes)
}

// supplied looks at servers that have what a script wants, one thing more each, until one does; at most three things.
func supplied(ctx context.Context, c *candidate, look func(start) bool) bool {
	const things, tries = 3, 12
	left := tries
	for level := []start{{}}; len(level) > 0 && len(level[0]) < things; {
		var next []start
		for _, at := range level {
			for _, g := range c.wants(ctx, at) {
				with := append(slices.Clone(at), g)
				if left--; left < 0 {
					return false
				}
				if look(with) {
					return true
				}
				next = append(next, with)
			}
		}
		level = next
	}
	return false
}
