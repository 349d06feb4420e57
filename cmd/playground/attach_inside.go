package main

import (
	"context"
	"slices"
	"strings"
	"sync"

	"lockstep/attach"
	"lockstep/engine"
	"lockstep/node/redis"
	"lockstep/node/redis/keyspace"
	"lockstep/web/player"
)

// insides tells what scripts of real clients did, line by line. Pages ask several times a
// second about the same step, so the last answer is kept.
type insides struct {
	mu   sync.Mutex
	step int // the number of the last one; 0: none
	last *engine.Inside
}

// of runs the script of a step once more, on what it found. It is nil when that is not known.
func (i *insides) of(r *attach.Recorder, number int, step *engine.Step) *engine.Inside {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.step != number {
		i.step, i.last = number, nil
		if before, ok := r.Found(number); ok {
			inside := player.Inside(context.Background(), redis.NewNode(), &before, step)
			if exec, ran := step.Request.(engine.Exec); ran && inside != nil && !strays(inside, exec.Op.Keys) {
				i.last = inside
			}
		}
	}
	return i.last
}

// strays tells whether a script used keys that it was not given: nobody knows what it found there.
func strays(in *engine.Inside, given []string) bool {
	return slices.ContainsFunc(in.Lines, func(l engine.Line) bool {
		if l.Call == nil {
			return false
		}
		args := make([]string, len(l.Call.Args))
		for i, a := range l.Call.Args {
			args[i] = strings.Trim(a, `"`)
		}
		command, unknown := keyspace.Find(args)
		return !unknown.IsError() && slices.ContainsFunc(command.KeyPositions(args), func(k int) bool { return !slices.Contains(given, args[k]) })
	})
}
