package redisexec

import (
	"context"
	"time"
)

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

// undo puts back on the server what a try has changed, and forgets what it has
// published.
func (n *Node) undo(ctx context.Context, out outcome) *Error {
	if _, err := n.collect(ctx); err != nil {
		return err
	}
	return n.restore(ctx, out)
}

// restore gives the keys back what they held. A key that is deleted is deleted as the
// session's own user; RESTORE, with what the server itself has written, needs the owner.
func (n *Node) restore(ctx context.Context, out outcome) *Error {
	var gone []string
	for _, f := range out.keys {
		if _, ok := n.keys[f.name]; !ok {
			gone = append(gone, f.name)
		}
	}
	if err := n.remove(ctx, gone); err != nil {
		return n.lose(err)
	}
	var commands [][]any
	for _, name := range n.names() {
		if h, ok := n.keys[name]; ok {
			commands = append(commands, []any{"RESTORE", name, milliseconds(safetyTTL), h.dump, "REPLACE"})
		}
	}
	if len(commands) == 0 {
		return nil
	}
	replies, err := askAll(ctx, n.clients.owner, commands)
	if err != nil {
		return n.lose(n.gone(err))
	}
	for _, r := range replies {
		if r.IsError() {
			return n.lose(n.server.complaint(r.Str))
		}
	}
	return nil
}
