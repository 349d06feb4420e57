package beside

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lockstep/engine/fact"
	"lockstep/engine/reply"
	"lockstep/node/process"
)

// Error says what happened on a server and what to do about it. Every call of a node on that
// server fails after it, until the node is reset.
type Error struct {
	What  fact.Fact // its code tells one kind of trouble from another
	Where string    // the program
}

// Fact implements what a fact.Language tells.
func (e *Error) Fact() fact.Fact { return fact.Of("at-server", e.Where, e.What) }

func (e *Error) Error() string { return e.Fact().Error() }

func (e *Error) Unwrap() error { return e.What }

// difference is what a server did, and the embedded node beside it did not.
type difference struct{ got, want string }

func (d *difference) Error() string { return fmt.Sprintf("%s, and not %s", d.got, d.want) }

func differs(err error) bool {
	_, ok := errors.AsType[*difference](err)
	return ok
}

// Same is nil when a server did what the embedded node did.
func Same(got, want string) error {
	if got == want {
		return nil
	}
	return &difference{got, want}
}

// SameReply is nil when a server answered as the embedded node did.
func SameReply(got, want reply.Reply) error {
	if got.Equal(want) {
		return nil
	}
	return &difference{got.String(), want.String()}
}

// crashLimit is how long a server that cut a line may take to end, in real time.
const crashLimit = time.Second

// trouble tells why a server does not do as it should, after an error of the line to it: it
// has ended, or it does not answer. The process is nil where none was started.
func trouble(ctx context.Context, p *process.Process, version string, err error) fact.Fact {
	if d, ok := errors.AsType[*difference](err); ok {
		return fact.Of("server-differs", version, d.got, d.want)
	}
	if p == nil {
		return fact.Of("no-answer", fmt.Sprint(err))
	}
	select {
	case <-p.Done():
		if p.OutOfMemory() {
			return fact.Of("server-memory", version)
		}
		return fact.Of("server-ended", version, p.State())
	case <-time.After(crashLimit):
	}
	if ctx.Err() != nil {
		return fact.Of("step-canceled", context.Cause(ctx))
	}
	return fact.Of("no-answer", fmt.Sprint(err))
}
