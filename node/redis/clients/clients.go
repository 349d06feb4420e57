// Package clients is what is told of the real clients of a Redis: attach finds it out, and a page shows it.
package clients

import "lockstep/engine"

// Claim is who has a lock, or waits for it.
type Claim struct {
	Lock, Actor string
	Waits       bool
	Since       engine.Instant
	Found       bool // it was held then, nobody knows for how long
}

// Warning is a broken rule, until somebody has read it. The same one again counts.
type Warning struct {
	ID     int
	Lock   string
	Client string // who broke it
	Breach engine.Violation
	Times  int
	Step   int            // the number of the last step that broke it
	At     engine.Instant // when that was
}

// Rule says which requests are held back until they are let go. What is empty is any.
type Rule struct {
	ID      int
	Key     string // of one of its keys; a pattern as KEYS takes it
	Command string // its name
	Script  string // the first letters of its SHA1
	Client  string // the name of its lane; a pattern
	Times   int    // how often it has held a request
}

// Held is a request that waits to be let go.
type Held struct {
	Connection int64
	Actor      string
	Request    engine.Request
	Since      engine.Instant
}

// Script is a script that a client has sent.
type Script struct {
	SHA  string
	Does error  // as a fact; nil: its client is not known
	Line string // its first one that says something
}
