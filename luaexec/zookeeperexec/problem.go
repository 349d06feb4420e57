package zookeeperexec

import "lockstep/engine/fact"

// Error says what happened on a server and what to do about it. Every call of a node but
// Reset fails after it.
type Error struct {
	What fact.Fact // its code tells one kind of trouble from another

	where string // the program
}

// Fact implements what fact.Words tell.
func (e *Error) Fact() fact.Fact { return fact.Of("at-server", e.where, e.What) }

func (e *Error) Error() string { return e.Fact().Error() }

func (e *Error) Unwrap() error { return e.What }

func (s *Server) problem(what fact.Fact) *Error { return &Error{What: what, where: s.where} }
