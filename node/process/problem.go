package process

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lockstep/engine/fact"
)

// Error says what happened on a server and what to do about it. Every call of a node on that
// server fails after it, until the node is reset.
type Error struct {
	What  fact.Fact // its code tells one kind of trouble from another
	Where string    // the program
}

// Fact implements what fact.Words tell.
func (e *Error) Fact() fact.Fact { return fact.Of("at-server", e.Where, e.What) }

func (e *Error) Error() string { return e.Fact().Error() }

func (e *Error) Unwrap() error { return e.What }

// Difference is what a server did, and the embedded one beside it did not.
type Difference struct{ Got, Want string }

func (d *Difference) Error() string { return fmt.Sprintf("%s, and not %s", d.Got, d.Want) }

// crashLimit is how long a server that cut a line may take to end, in real time.
const crashLimit = time.Second

// Trouble tells why a server does not do as it should, after an error of the line to it: it
// has ended, or it does not answer. The process is nil where none was started.
func Trouble(ctx context.Context, p *Process, version string, err error) fact.Fact {
	if d, ok := errors.AsType[*Difference](err); ok {
		return fact.Of("server-differs", version, d.Got, d.Want)
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
