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

var (
	withReplayTimeout  = endingAfter(replayLimit, fact.Of("replay-too-long", replayLimit.Seconds()))
	withStartTimeout   = endingAfter(startLimit, fact.Of("started-too-late", startLimit.Seconds()))
	withCommandTimeout = endingAfter(commandLimit, fact.Of("took-too-long", commandLimit.Seconds()))
)

// endingAfter ends contexts after a limit, with the cause.
func endingAfter(limit time.Duration, cause error) func(context.Context) (context.Context, context.CancelFunc) {
	return func(ctx context.Context) (context.Context, context.CancelFunc) {
		return context.WithTimeoutCause(ctx, limit, cause)
	}
}
