package engine

import (
	"fmt"
	"slices"
	"time"

	"lockstep/engine/fact"
	"lockstep/engine/reply"
)

// Trace is a run: where it began and what happened, step by step.
type Trace struct {
	Start Snapshot
	Notes []Note // what actors did on their own before the first step, in order
	Steps []Step
}

// Cut is the trace up to and with n steps. An append to either trace leaves the other as it is.
func (t *Trace) Cut(n int) Trace {
	return Trace{Start: t.Start, Notes: slices.Clip(t.Notes), Steps: t.Steps[:n:n]}
}

// At is the snapshot after n steps; 0 is the start.
func (t *Trace) At(n int) *Snapshot {
	if n == 0 {
		return &t.Start
	}
	return &t.Steps[n-1].After
}

// Step is one choice and its effects. It holds all that drawing it needs: nobody reads its neighbours.
type Step struct {
	N      int // 1 is the first
	Choice Choice
	From   Instant // the clock before
	At     Instant // the clock after

	Process   string       // of the actor that ran, or the target of a fault
	Request   Request      // performed by the actor, stamps filled in; nil for ticks and faults
	Taken     bool         // the request was sent in an earlier step, and only its reply is taken
	Reply     *reply.Reply // of a request to a node; nil: there is none yet
	NoReply   NoReply      // the reason of a nil Reply
	Inside    *Inside      // lines of a script, if Scenario.Look followed it
	Message   string       // of a Receive
	Lost      string       // the message that a Drop lost
	Expired   []Expiry
	Changes   []Change
	Delivered []Delivery
	Missed    []Delivery  // messages that a cut link lost
	Replicas  []Replica   // nodes whose leader, distance from it or connection to it changed
	Answered  []Answer    // requests of earlier steps that nodes replied to
	Notes     []Note      // what actors did on their own, in order
	Moves     []Move      // of the actors that the step resumed, in order
	Ran       []Ran       // the first lines that they ran; empty unless Scenario.Watch asks for the step
	ranBytes  int         // size of Ran
	bytes     int         // size of the rest, without Inside
	Broken    []Violation // the invariants that this step broke

	After Snapshot
}

// Change is one key before and after a step.
type Change struct {
	Node string `json:"node"`
	Key  string `json:"key"`
	Old  *Key   `json:"old"` // nil: it did not exist
	New  *Key   `json:"new"` // nil: it no longer exists
}

// ExpiryOf is the expiry behind a change; false: the change is no expiry.
func (s *Step) ExpiryOf(c Change) (Expiry, bool) {
	i := slices.IndexFunc(s.Expired, func(e Expiry) bool { return e.Node == c.Node && e.Key == c.Key })
	if i < 0 || c.New != nil {
		return Expiry{}, false
	}
	return s.Expired[i], true
}

// changed appends the differences between two lists of keys. Both must be ordered by name.
func changed(cs []Change, node string, old, now []Key) []Change {
	for len(old) > 0 || len(now) > 0 {
		switch {
		case len(now) == 0 || len(old) > 0 && old[0].Name < now[0].Name:
			cs = append(cs, Change{Node: node, Key: old[0].Name, Old: &old[0]})
			old = old[1:]
		case len(old) == 0 || now[0].Name < old[0].Name:
			cs = append(cs, Change{Node: node, Key: now[0].Name, New: &now[0]})
			now = now[1:]
		default:
			if !old[0].Equal(now[0]) {
				cs = append(cs, Change{Node: node, Key: now[0].Name, Old: &old[0], New: &now[0]})
			}
			old, now = old[1:], now[1:]
		}
	}
	return cs
}

// Replica is a node's leader and its distance from it.
type Replica struct {
	Node   string `json:"node"`
	Leader string `json:"leader,omitempty"` // empty: it leads
	Behind int    `json:"behind"`           // writes on their way to it
	Lost   bool   `json:"lost,omitempty"`   // it lost its leader, or the leader lost it
}

// String is the replica as a sentence.
func (r Replica) String() string {
	switch {
	case r.Leader == "":
		return r.Node + " leads"
	case r.Lost:
		return r.Node + " and " + r.Leader + " have lost each other"
	case r.Behind == 0:
		return r.Node + " has all that " + r.Leader + " wrote"
	}
	return fmt.Sprintf("%s is behind %s by %d", r.Node, r.Leader, r.Behind)
}

// NoReply is why a request has no reply yet, or never gets one.
type NoReply string

// Reasons for a missing reply.
const (
	RequestLost NoReply = "request-lost" // on a cut link: the node never sees it
	ReplyLost   NoReply = "reply-lost"   // on a cut link: the node has done it
	NodePaused  NoReply = "node-paused"  // the node does it when it goes on
	InNode      NoReply = "in-node"      // the request waits there for what others do
)

// NoteKind is something that an actor does on its own, within a step.
type NoteKind string

// Acts of actors on their own, with the content of Text in brackets.
const (
	NoteWoke    NoteKind = "woke"    // its sleep ended [label]
	NoteTimeout NoteKind = "timeout" // its Receive timed out [channel]
	NoteNoReply NoteKind = "noreply" // it gave up on a reply [node]
	NoteEnter   NoteKind = "enter"   // [section]
	NoteReenter NoteKind = "reenter" // one that it is inside already [section]
	NoteLeave   NoteKind = "leave"   // [section]
	NoteStay    NoteKind = "stay"    // it left once, and entered more often [section]
	NoteRefused NoteKind = "refused" // [section]
	NoteWant    NoteKind = "want"    // [section]
	NoteUnwant  NoteKind = "unwant"  // [section]
	NoteSay     NoteKind = "say"     // [text]
	NoteSpawn   NoteKind = "spawn"   // [task]

	NoteRemember NoteKind = "remember" // what the process keeps [name = text], or keeps no longer [name]

	NoteCancel NoteKind = "cancel" // [task]
	NoteDone   NoteKind = "done"
	NoteFailed NoteKind = "failed" // [why]
)

// Note is one act of an actor on its own.
type Note struct {
	Actor string        `json:"actor"`
	Kind  NoteKind      `json:"kind"`
	Text  string        `json:"text,omitempty"`
	At    Instant       `json:"-"` // within a move of the clock, which passes many instants
	Span  time.Duration `json:"-"` // of a NoteWoke: how long it slept; 0 when it stood still meanwhile
	Times int           `json:"-"` // of a NoteRefused: how often, if a recorder has counted; 0: once

	Failure fact.Fact `json:"-"` // of a NoteFailed, whose Text is its English
}

// Violation is a broken invariant. Equal facts mean the same breach: World reports it once while it stands.
type Violation struct {
	Invariant string
	Detail    fact.Fact
	Looked    []Place // the places that a lesson's own rule read
}

// Place is a key of a node; without a name, the node itself, or an actor; without a node, a critical section.
type Place struct {
	Node string `json:"node,omitempty"`
	Key  string `json:"key,omitempty"`
}

// String is the violation in English.
func (v Violation) String() string { return v.Invariant + ": " + v.Detail.Error() }

// Names are the actors whom the breach is about, and whatever else its fact names; s is the world after its step.
func (v Violation) Names(s *Snapshot) (actors, others []string) {
	for _, arg := range v.Detail.Args {
		names, _ := arg.(fact.Names)
		if name, one := arg.(string); one {
			names = fact.Names{name}
		}
		for _, name := range names {
			if _, is := s.Actor(name); is {
				actors = append(actors, name)
			} else {
				others = append(others, name)
			}
		}
	}
	return actors, others
}

// Snapshot is the whole world between two steps.
type Snapshot struct {
	Now     Instant
	Actors  []ActorState
	Nodes   []NodeView
	Held    []Holding  // critical sections and who is inside, ordered by section
	Wanted  []Holding  // sections and who waits for them, longest first
	Mail    []Delivery // messages that wait in their processes, oldest first
	Cuts    []Link     // every message on them is lost
	Options []Option   // choices, with a reason for each that may not be made now
}

// Node finds a node's view by name.
func (s *Snapshot) Node(name string) (NodeView, bool) {
	for _, n := range s.Nodes {
		if n.Node == name {
			return n, true
		}
	}
	return NodeView{}, false
}

// Exists tells whether any node has the key.
func (s *Snapshot) Exists(key string) bool {
	return slices.ContainsFunc(s.Nodes, func(v NodeView) bool {
		_, ok := v.Key(key)
		return ok
	})
}

// Actor finds an actor by name.
func (s *Snapshot) Actor(name string) (ActorState, bool) {
	for _, a := range s.Actors {
		if a.Name == name {
			return a, true
		}
	}
	return ActorState{}, false
}

// Link is the way from one end to the other: from a process to a node, back, or from a
// node to a replica.
type Link struct{ From, To string }

// Holding is a critical section with its actors: those inside (Held) or those that wait for it (Wanted).
type Holding struct {
	Section string
	Actors  []string
}

// Status is what an actor is doing between two steps.
type Status string

// States of an actor.
const (
	Ready      Status = "ready"      // its request may be performed, or the reply to it taken
	Waiting    Status = "waiting"    // for a message or the end of a task
	Blocked    Status = "blocked"    // its request waits in a node
	Unanswered Status = "unanswered" // its request, or the reply to it, does not come
	Sleeping   Status = "sleeping"   // for the clock
	Paused     Status = "paused"
	Crashed    Status = "crashed"
	Finished   Status = "finished"
	Failed     Status = "failed"
)

// ActorState is one actor between two steps.
type ActorState struct {
	Name     string
	Process  string
	Task     bool // spawned by another actor
	Status   Status
	Next     Request // pending; nil when it has ended
	Until    Instant // of Waiting, Unanswered, Blocked and Sleeping, or NoDeadline
	InNode   bool    // its request waits in a node, by whose time Until comes
	Answered bool    // the reply to its request has arrived and is not taken yet
	Inside   []string
	Wants    []string
	Failure  fact.Fact
	Clock    time.Duration // how far its process's clock is ahead of the world's; below 0: behind

	Position *Position // nil: its program has ended, the actor is not Positioned, or nobody asked
}
