package draft

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"lockstep/engine/fact"
)

// lookAtKeys finds the key that is the lock: where lockKey is not there, the one without which the second client gets the lock,
// or else the shortest that is made of it. An address in a key is doubted.
func (d *drafted) lookAtKeys(ctx context.Context) error {
	if d.take == nil {
		return nil
	}
	on, err := d.held(ctx)
	if err != nil {
		return err
	}
	all, err := on.exec(ctx, "KEYS", "*")
	if err != nil {
		return err
	}
	var keys []string
	for _, key := range all.Elems {
		has, err := on.exec(ctx, "GET", key.Str)
		if err != nil {
			return err
		}
		if address.MatchString(has.Str) {
			d.doubt(fact.Of("draft-address", d.take.Name, key.Str))
		}
		if strings.Contains(key.Str, lockKey) {
			keys = append(keys, key.Str)
		}
	}
	if len(keys) == 0 || slices.Contains(keys, lockKey) {
		return nil
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	d.made = keys[0]
	for _, key := range keys {
		on, err := d.held(ctx)
		if err != nil {
			return err
		}
		if _, err := on.exec(ctx, "DEL", key); err != nil {
			return err
		}
		r, err := on.run(ctx, d.take, "B")
		if err != nil {
			return err
		}
		if !r.IsError() && !r.Equal(d.second) {
			d.made = key
			break
		}
	}
	return nil
}

// address is what a table or a function is as a text.
var address = regexp.MustCompile(`^(table|function): 0x`)

// permitsMade is a list that a script makes and nobody's name is in, as a semaphore does before its clients take from it by
// BLPOP; empty: it makes none.
func (t tried) permitsMade(ctx context.Context) (string, error) {
	if t.take == nil || t.give != nil || len(t.start) > 0 || !t.excludes() || slices.Contains(t.take.roles, token) {
		return "", nil
	}
	on, err := t.held(ctx)
	if err != nil {
		return "", err
	}
	for _, key := range t.take.names {
		is, err := on.exec(ctx, "TYPE", key)
		if err != nil || is.Str == "list" {
			return key, err
		}
	}
	return "", nil
}
