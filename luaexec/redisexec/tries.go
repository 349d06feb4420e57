package redisexec

import (
	"context"
	_ "embed"
	"time"
)

//go:embed restore.lua
var restoreScript string

// tries are those of one step. On servers where time moves inside EXEC a step is
// believed when it began and ended within one millisecond of the server's clock:
// then every TTL in it is exact, those that a script reads and computes with
// included. Else it is undone and tried again.
type tries struct {
	made    int
	tooSlow int
	fastest time.Duration
}

// enough counts a try and tells whether it has to do: after two that took longer
// than the resolution, or one that took very long, or when none of several came near
// a millisecond, because then it is the script that takes long and not chance.
func (t *tries) enough(took, resolution time.Duration) bool {
	if t.made == 0 || took < t.fastest {
		t.fastest = took
	}
	t.made++
	if took > resolution {
		t.tooSlow++
	}
	return t.tooSlow >= 2 || took > max(resolution, scriptLimit/4) || t.made >= 5 && t.fastest > time.Millisecond || t.made >= 50
}

// restore puts back on the server what a try has changed.
func (n *Node) restore(ctx context.Context, out outcome) *Error {
	names := n.names()
	for _, f := range out.keys {
		if _, ok := n.keys[f.name]; !ok {
			names = append(names, f.name)
		}
	}
	args := []any{"EVAL", restoreScript, len(names)}
	for _, name := range names {
		args = append(args, name)
	}
	for _, name := range names {
		args = append(args, n.keys[name].dump)
	}
	r, err := ask(ctx, n.clients.owner, append(args, milliseconds(safetyTTL))...)
	if err != nil {
		return n.lose(n.gone(err))
	}
	if r.IsError() {
		return n.lose(n.server.complaint(r.Str))
	}
	return nil
}
