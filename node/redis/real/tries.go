package real

import (
	"context"
	"regexp"
	"time"

	"lockstep/engine"
)

// tries are those of one step. On servers where time moves inside EXEC a step is
// believed when it began and ended within one millisecond of the server's clock:
// then every TTL in it is exact, those that a script reads and computes with
// included. Else it is undone and tried again.
type tries struct {
	made    int
	fastest time.Duration
}

// maxTries are made of a step that chance may have kept from being exact.
const maxTries = 50

// enough counts a try that was not exact, and tells whether to give up: it took long, or the fastest
// of several took more than a millisecond, so that the script is slow and no chance helps.
func (t *tries) enough(took time.Duration) bool {
	if t.made == 0 || took < t.fastest {
		t.fastest = took
	}
	t.made++
	return took > scriptLimit/4 || t.made >= 5 && t.fastest > time.Millisecond || t.made >= maxTries
}

// timeWords are those with which a call reads or sets when a key ends.
var timeWords = regexp.MustCompile(`(?i)ttl|expire|setex|\b(px|ex)(at)?\b`)

// timeless tells whether a step would be the same had no time passed in it: its call neither reads nor
// sets a deadline, and every deadline is one from before.
func (n *Node) timeless(c call, out outcome) bool {
	for _, arg := range c.args {
		if arg == c.source {
			arg = c.written
		}
		if timeWords.MatchString(n.plain(arg)) {
			return false
		}
	}
	for _, f := range out.keys {
		if _, known := n.kept(f, out); f.pttl >= 0 && !known {
			return false
		}
	}
	return true
}

// kept is the deadline that a key had before and has still, if the time that has passed
// in the step explains what is left of it.
func (n *Node) kept(f found, out outcome) (engine.Instant, bool) {
	before, ok := n.keys[f.name]
	if !ok || before.key.Deadline == engine.NoDeadline {
		return 0, false
	}
	lag := before.key.Deadline - n.now - time.Duration(f.pttl)*time.Millisecond
	return before.key.Deadline, lag >= 0 && lag <= out.took
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
		return n.markLost(err)
	}
	var commands [][]string
	for _, name := range n.names() {
		if h, ok := n.keys[name]; ok {
			commands = append(commands, []string{"RESTORE", name, milliseconds(safetyTTL), h.dump, "REPLACE"})
		}
	}
	if len(commands) == 0 {
		return nil
	}
	if err := n.asOwner(ctx, commands); err != nil {
		return n.markLost(err)
	}
	return nil
}
