package recording

import (
	"time"

	"lockstep/engine"
)

// Recording is what happened, in order.
type Recording struct {
	Test    string       // whose schedule it is; empty: of clients that were attached
	Servers []string     // the first is the one that programs need not name
	Given   []engine.Key // of the first server, at the start; deadlines count from there
	Events  []Event
	Scripts map[string]string // what scripts are called, by their SHA1s; others have numbers
	Ending  string            // what is said at the end, as code; empty: nothing
	Broken  *Rule             // by the last request; nil: no such rule
}

// Event is one thing that happened.
type Event struct {
	At     time.Duration // since the beginning; never before the event before it
	Kind   Kind
	Actor  string
	Server string // of Request, Restart

	Commands [][]string    // of Request: one, or a pipeline
	Sent     time.Duration // of Request: when the actor was ready to have it performed
	Failed   bool          // of Request: a reply is an error
	Lost     bool          // of Request: the connection broke before the reply was there
	Section  string        // of Enter and Leave
	Shared   bool          // of Enter and Leave: others that share the section may be in it, too
	Unseen   bool          // of Pause: the actor has a reply that it has not seen
}

// Kind is what an event is about.
type Kind uint8

// The kinds of events.
const (
	Request  Kind = iota // a server performs what the actor has sent
	Answered             // the actor gets the reply to a request that waited in the server
	Enter                // the actor enters a critical section
	Leave
	Mark  // the actor is from now on what the broken rule is about
	Pause // the actor stands still
	Resume
	Crash   // the actor dies
	Restart // a server starts again, empty
)

// File is one of the lesson's, beside its lesson.yaml.
type File struct{ Name, Text string }

// Files are those of the lesson.
func (r *Recording) Files() []File {
	w := newWriter(r)
	for i := range r.Events {
		w.event(&r.Events[i])
	}
	for _, p := range w.actors {
		p.stay()
	}
	w.end()
	return append([]File{{"lesson.yaml", w.yaml()}}, w.scripts...)
}
