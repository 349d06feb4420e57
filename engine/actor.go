package engine

import (
	"strings"

	"lockstep/engine/reply"
)

// Actor is one thread of a client process, or a task that it spawned. It is a
// deterministic function of the outcomes that it was given: the same outcomes
// in the same order give the same requests.
type Actor interface {
	// Next resumes the actor with the outcome of its last request and returns
	// its next one. The outcome of the very first call carries only the clock.
	// What goes wrong inside the actor is a Done with a Failure, never a panic.
	Next(Outcome) Request
}

// Digester is an Actor that a search can tell apart: it and the tasks that it spawned
// have one digest, which is that of each of them.
type Digester interface {
	Actor
	// Digest is of all that decides what the actor and its tasks will ask for, given what
	// they will observe.
	Digest() [16]byte
	// ClockReads counts how often they have looked at Outcome.Now so far: whoever has not
	// does the same at any instant.
	ClockReads() int
}

// Beginner is a Digester that stands for several clients, which take turns and have one digest with how far they are.
type Beginner interface {
	Digester
	// Begins tells whether the next request is the first one of a client, and all that have begun have ended.
	Begins() bool
}

// Root is the actor that a task belongs to, however deep it was spawned: A of
// A:watchdog. An actor is its own.
func Root(actor string) string {
	root, _, _ := strings.Cut(actor, ":")
	return root
}

// Outcome is what an actor observes of its last request.
type Outcome struct {
	Now      Instant     // the client's clock as it observes the outcome
	Reply    reply.Reply // of an Exec
	Message  string      // of a Receive that did not time out
	TimedOut bool        // of a Receive
}
