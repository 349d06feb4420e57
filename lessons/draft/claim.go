package draft

import (
	"context"
	"slices"
	"strings"

	"lockstep/engine/fact"
	"lockstep/engine/reply"
)

// The section of a claim, in place of lockKey, and what its keys are called by.
const (
	claimSection = "job"
	claimKeys    = "jobs"
)

// findsNothing tells whether a script said to everybody that there is nothing, as the claim of a job does while there is none.
func (t tried) findsNothing() bool {
	var empty func(r reply.Reply) bool
	empty = func(r reply.Reply) bool {
		if r.Kind == reply.Array {
			return !slices.ContainsFunc(r.Elems, func(e reply.Reply) bool { return !empty(e) })
		}
		return r.Kind == reply.Nil || r.Kind == reply.Bulk && r.Str == ""
	}
	return t.take != nil && t.give == nil && t.problem == nil && empty(t.first) && empty(t.second)
}

// claims are servers that have a job, each where a command of the script looks for one.
func (c *candidate) claims() []start {
	var all []start
	for _, call := range c.calls {
		if len(call.args) == 0 {
			continue
		}
		sorted := false
		switch call.name {
		case "lpop", "rpop", "rpoplpush", "lmove", "lrange", "lindex":
		case "zpopmin", "zrange", "zrangebyscore":
			sorted = true
		default:
			continue
		}
		for _, u := range c.uses(call.args[0]) {
			if !u.arg && u.alone {
				all = append(all, start{jobs: c.names[u.n-1], sorted: sorted})
			}
		}
	}
	return all
}

// claim makes the lesson one of a queue with one job: whoever is given it works on it.
func (d *drafted) claim(ctx context.Context) (err error) {
	if d.jobs == "" {
		return nil
	}
	renamed := func(key string) string { return claimKeys + strings.TrimPrefix(key, lockKey) }
	for i, name := range d.take.names {
		d.take.names[i] = renamed(name)
	}
	d.jobs, d.extend = renamed(d.jobs), nil
	d.doubt(fact.Of("draft-claims", d.take.Name, d.jobs))
	d.answers, err = ask(ctx, d.take, nil, d.start) // which may name the keys
	return err
}

// section is what one client alone may be in.
func (d *drafted) section() string {
	if d.jobs != "" {
		return claimSection
	}
	return lockKey
}
