// Package recording writes what clients have sent to servers as a lesson, in which actors
// send the same at the same times.
package recording

import (
	"time"

	"lockstep/engine"
)

// Recording is what happened, in order.
type Recording struct {
	Title   string
	Summary Text
	Servers []string     // the first is the one that programs need not name
	Given   []engine.Key // of the first server, at the start; deadlines count from there
	Events  []Event
	Ending  string // what is said at the end, as code; empty: nothing
}

// Text is said in both languages, as Markdown.
type Text struct{ En, Zh string }

// Event is one thing that happened.
type Event struct {
	At     time.Duration // since the beginning; never before the event before it
	Kind   Kind
	Actor  string
	Server string // of Request, Restart

	Commands [][]string    // of Request: one, or a pipeline
	Sent     time.Duration // of Request: when the actor was ready to have it performed
	Failed   bool          // of Request: a reply is an error
	Section  string        // of Enter and Leave
	Say      Text          // is told before it
}

// Kind is what an event is about.
type Kind uint8

// The kinds of events.
const (
	Request  Kind = iota // a server performs what the actor has sent
	Answered             // the actor gets the reply to a request that waited in the server
	Enter                // the actor enters a critical section
	Leave
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
	return append([]File{{"lesson.yaml", w.yaml()}}, w.scripts...)
}
