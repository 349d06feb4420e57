package web

import (
	"context"
	"fmt"
	"time"
)

// How long things may take, in real time: links and edits carry code of anybody's.
const (
	replayLimit  = 2 * time.Second  // all steps up to where a learner stands, once more
	commandLimit = 12 * time.Second // one command of a learner, and what it waits for
	pageLimit    = 12 * time.Second // the steps of a page's address
	turnLimit    = 2 * time.Second  // for a page to wait until it is its turn
)

// timeoutError is something that took longer than it may.
type timeoutError struct {
	what  text
	limit time.Duration
}

var (
	replayTimeout  = &timeoutError{text{"replaying the earlier steps takes longer than the limit of %g s: go back, or undo edits", "重放之前的步骤超过了 %g 秒的时限：请后退，或还原修改"}, replayLimit}
	commandTimeout = &timeoutError{text{"it took longer than %g s", "用时超过 %g 秒"}, commandLimit}
)

func (e *timeoutError) Error() string { return fmt.Sprintf(e.what.en, e.limit.Seconds()) }

// Zh is the error in Chinese.
func (e *timeoutError) Zh() string { return fmt.Sprintf(e.what.zh, e.limit.Seconds()) }

// withTimeout ends contexts after a limit, with the error as the cause.
func (e *timeoutError) withTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, e.limit, e)
}
