package draft

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"lockstep/engine/fact"
)

// lookAtKeys finds the key that is the lock: where lockKey is not there, the one without which the second client gets the lock,
// or else the shortest that is made of it. An address in a key is doubted.
func (d *drafted) lookAtKeys(ctx context.Context) {
	if d.take == nil {
		return
	}
	on := d.held(ctx)
	if due, ends := on.node.NextDue(); ends && due%(100*time.Millisecond) != 0 { // the usual steps
		d.steps = time.Millisecond
	}
	all := on.exec(ctx, "KEYS", "*")
	var keys []string
	for _, key := range all.Elems {
		has := on.exec(ctx, "GET", key.Str)
		if address.MatchString(has.Str) {
			d.doubt(fact.Of("draft-address", d.take.Name, key.Str))
		}
		if strings.Contains(key.Str, lockKey) {
			keys = append(keys, key.Str)
		}
	}
	if len(keys) == 0 || slices.Contains(keys, lockKey) {
		return
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	d.made = keys[0]
	for _, key := range keys {
		on := d.held(ctx)
		on.exec(ctx, "DEL", key)
		r := on.run(ctx, d.take, "B")
		if !r.IsError() && !r.Equal(d.second) {
			d.made = key
			break
		}
	}
}

// address is what a table or a function is as a text.
var address = regexp.MustCompile(`^(table|function): 0x`)

// permitsMade is a list that a script makes and nobody's name is in, as a semaphore does before its clients take from it by
// BLPOP; empty: it makes none.
func (t tried) permitsMade(ctx context.Context) string {
	if t.take == nil || t.give != nil || len(t.start) > 0 || !t.excludes() || slices.Contains(t.take.roles, token) {
		return ""
	}
	on := t.held(ctx)
	for _, key := range t.take.names {
		if on.exec(ctx, "TYPE", key).Str == "list" {
			return key
		}
	}
	return ""
}
