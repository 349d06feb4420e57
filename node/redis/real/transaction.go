package real

import (
	"context"
	"crypto/rand"
	_ "embed"
	"strconv"

	"lockstep/engine"
)

//go:embed thaw.lua
var thawScript string

//go:embed freeze.lua
var freezeScript string

// transact sends one step: thaw, op, freeze.
func (n *Node) transact(ctx context.Context, c call, again bool) (outcome, *Error) {
	mark := rand.Text()
	t, killed, problem := n.send(ctx, [][]string{n.thaw(again), c.args, n.freeze(c, mark)})
	if problem != nil {
		return outcome{}, n.markLost(problem)
	}
	for i, r := range t.queued {
		if !r.IsError() {
			continue
		}
		if i == 0 { // without MULTI the rest ran by itself
			return outcome{}, n.markLost(n.server.unexpected(r.Str))
		}
		if e := n.server.refused(r.Str); e != nil && !(i == 2 && n.concernsLesson(e)) {
			return outcome{}, e // nothing ran
		}
		if i == 2 {
			return outcome{reply: n.plainReply(r)}, nil
		}
		return outcome{}, n.server.unexpected(r.Str)
	}
	if t.ran == nil {
		return outcome{}, n.markLost(n.server.unexpected(t.refused.Str))
	}
	out, err := n.read(t.ran, c, mark)
	out.killed = killed && out.reply.IsError()
	return out, err
}

// thaw is the call that gives each key the time that it has left.
func (n *Node) thaw(again bool) []string {
	names := n.names()
	args := append([]string{"EVAL", thawScript, strconv.Itoa(len(names))}, names...)
	for _, name := range names {
		switch h, ok := n.keys[name]; {
		case !ok:
			args = append(args, "0")
		case h.key.Deadline == engine.NoDeadline:
			args = append(args, "-1")
		default:
			args = append(args, milliseconds(h.key.Deadline-n.now))
		}
	}
	when := ""
	switch {
	case n.server.timeStands:
		when = "still"
	case again:
		when = "edge"
	}
	return append(args, when, n.counted(), milliseconds(safetyTTL))
}

// counted names the key that carries DBSIZE through a step on a shared server,
// where others have keys too.
func (n *Node) counted() string {
	if n.prefix == "" {
		return ""
	}
	return n.reservedName("dbsize")
}

// freeze is the call that reads the keys and puts the safety TTL on them. Its
// report begins with the mark, which no script has seen.
func (n *Node) freeze(c call, mark string) []string {
	names := append(n.names(), c.keys...)
	args := append([]string{"EVAL", freezeScript, strconv.Itoa(len(names))}, names...)
	moves := ""
	if !n.server.timeStands {
		moves = "moves"
	}
	return append(args, n.pattern(), strconv.Itoa(len(n.keys)), n.counted(), moves, milliseconds(safetyTTL), mark)
}
