package web

import (
	"context"
	"time"

	"lockstep/engine/fact"
)

// How long things may take, in real time: links and edits carry code of anybody's.
const (
	replayLimit  = 2 * time.Second  // all steps up to where a learner stands, once more
	startLimit   = 6 * time.Second  // a real server, before a lesson begins on the embedded engine in its place
	commandLimit = 12 * time.Second // one command of a learner, and what it waits for
	pageLimit    = 12 * time.Second // the steps of a page's address
	turnLimit    = 2 * time.Second  // for a page to wait until it is its turn
)

// timeout is a limit with the error of what exceeds it.
type timeout struct {
	limit time.Duration
	error error
}

var (
	replayTimeout  = timeout{replayLimit, fact.Of("replay-too-long", replayLimit.Seconds())}
	startTimeout   = timeout{startLimit, fact.Of("started-too-late", startLimit.Seconds())}
	commandTimeout = timeout{commandLimit, fact.Of("took-too-long", commandLimit.Seconds())}
)

// withTimeout ends contexts after the limit, with the error as the cause.
func (t timeout) withTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, t.limit, t.error)
}
