package real

import (
	"context"
	"errors"
	"net"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
)

// Error says what happened on a server and what to do about it.
type Error struct {
	What fact.Fact // its code tells one kind of trouble from another
	// NeedsReset tells that the node no longer knows what the server holds:
	// every call but Reset fails from now on.
	NeedsReset bool

	where string // the server, without its password
}

// Fact implements what a fact.Language tells.
func (e *Error) Fact() fact.Fact { return fact.Of("at-server", e.where, e.What) }

func (e *Error) Error() string { return e.Fact().Error() }

// Is tells whether target is an Error about the same kind of trouble, or engine.ErrSlow.
func (e *Error) Is(target error) bool {
	if target == engine.ErrSlow {
		return e.What.Code == "clock-moved"
	}
	t, ok := target.(*Error)
	return ok && t.What.Code == e.What.Code
}

func (e *Error) Unwrap() error { return e.What }

func (s *Server) problem(what fact.Fact) *Error { return &Error{What: what, where: s.where} }

// unreachable is the problem behind a connection error.
func (s *Server) unreachable(err error) *Error {
	if known, ok := errors.AsType[*Error](err); ok {
		return known
	}
	if e := s.refused(serverText(err)); e != nil {
		return e
	}
	var timeout net.Error
	switch {
	case errors.Is(err, context.Canceled):
		return s.problem(fact.Of("step-canceled", err))
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, context.DeadlineExceeded):
		s.hangs.Store(true)
		return s.problem(fact.Of("no-answer", err))
	}
	return s.problem(fact.Of("not-connected", err))
}

// serverText is the reply of the server inside an error of its client.
func serverText(err error) string {
	text := err.Error()
	for _, wrap := range []string{"failed to authenticate: ", "failed to initialize connection options: "} {
		text = strings.TrimPrefix(text, wrap)
	}
	return text
}
