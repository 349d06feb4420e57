package redis

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"lockstep/engine"
	"lockstep/luaexec"
	"lockstep/luaexec/luaprobe"
	"lockstep/node/redis/keyspace"
)

// Look runs a script so that it tells of each line, on any node: the probed text
// runs in place of the plain one, and what it answers is taken apart again. A
// script that cannot be probed runs as it is, and its inside stays unknown.
func Look(ctx context.Context, node engine.Node, op engine.Op, before engine.NodeView, now engine.Instant) (engine.Result, *engine.Inside, error) {
	probe, err := probes.Of(op.Script.Source, func(source string) (*luaprobe.Probe, error) {
		return luaprobe.Rewrite(source, writes())
	})
	if err != nil {
		res, err := node.Exec(ctx, op)
		return res, nil, err
	}
	op.Script = &engine.Script{Name: op.Script.Name, Source: probe.Text, Written: op.Script.Source}
	res, err := node.Exec(ctx, op)
	if err != nil {
		return res, nil, err
	}
	report, err := probe.Decode(res.Reply)
	if err != nil {
		return res, nil, fmt.Errorf("look inside script %s: %w", op.Script.Name, err)
	}
	res.Reply = report.Reply
	inside := &engine.Inside{Shown: probe.Shown, Before: before.Keys, Lines: []engine.Line{}, Total: report.Total}
	keys := before.Keys
	for _, line := range report.Lines {
		keys = withSeen(keys, line.Seen, now)
		line.Keys = keys
		inside.Lines = append(inside.Lines, line.Line)
	}
	return res, inside, nil
}

var probes luaexec.Cache[*luaprobe.Probe]

// writes says which arguments of the commands that change keys are keys.
var writes = sync.OnceValue(func() map[string]luaprobe.Keys {
	m := map[string]luaprobe.Keys{}
	for name, spec := range keyspace.Writes {
		m[name] = luaprobe.Keys(spec)
	}
	return m
})

// withSeen is the keys of a node once some of them were seen anew.
func withSeen(keys []engine.Key, seen []luaprobe.KeyView, now engine.Instant) []engine.Key {
	if len(seen) == 0 {
		return keys
	}
	keys = slices.Clone(keys)
	for _, v := range seen {
		i, found := slices.BinarySearchFunc(keys, v.Key, func(k engine.Key, name string) int { return strings.Compare(k.Name, name) })
		switch {
		case v.PTTL == -2 && found:
			keys = slices.Delete(keys, i, i+1)
		case v.PTTL == -2:
		case found:
			keys[i] = seenKey(v, now)
		default:
			keys = slices.Insert(keys, i, seenKey(v, now))
		}
	}
	return keys
}

func seenKey(v luaprobe.KeyView, now engine.Instant) engine.Key {
	k := engine.Key{Name: v.Key, Type: engine.KeyType(v.Type), Deadline: engine.NoDeadline}
	if v.PTTL >= 0 {
		k.Deadline = now + time.Duration(v.PTTL)*time.Millisecond
	}
	Fill(&k, v.Elems)
	if v.Cut {
		k.Items = append(k.Items, engine.Item{Name: "…"})
	}
	return k
}

// Fill gives a key the value that a server tells with these texts: fields and values, or members and scores, in turn.
func Fill(k *engine.Key, texts []string) {
	switch k.Type {
	case engine.StringKey:
		k.Text = strings.Join(texts, "")
	case engine.HashKey, engine.ZSetKey:
		for pair := range slices.Chunk(texts[:len(texts)&^1], 2) {
			k.Items = append(k.Items, engine.Item{Name: pair[0], Value: score(k.Type, pair[1])})
		}
	case engine.SetKey:
		for _, text := range texts {
			k.Items = append(k.Items, engine.Item{Name: text})
		}
	default:
		for _, text := range texts {
			k.Items = append(k.Items, engine.Item{Value: text})
		}
	}
	if k.Type == engine.SetKey || k.Type == engine.HashKey { // a server lists a sorted set by score, then member
		slices.SortFunc(k.Items, func(a, b engine.Item) int { return strings.Compare(a.Name, b.Name) })
	}
}

func score(kind engine.KeyType, text string) string {
	f, err := strconv.ParseFloat(text, 64)
	if kind != engine.ZSetKey || err != nil {
		return text
	}
	return engine.FormatScore(f)
}
