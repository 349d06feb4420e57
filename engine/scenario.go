package engine

import "time"

// Epoch is the Unix time, in milliseconds, that clients read at Instant 0.
const Epoch int64 = 1_700_000_000_000

// Scenario is everything that a run starts from. The same scenario and the same
// schedule give the same trace.
type Scenario struct {
	Actors     []ActorSpec // at least one, in the order in which they are shown
	Nodes      []NodeSpec  // at least one
	Faults     []Choice    // those that the learner may choose; each brings what ends it
	Invariants []Invariant
	Resolution time.Duration       // every move of the clock is a multiple of it
	Timeout    time.Duration       // when clients give up on a reply; 0: DefaultTimeout
	Positions  bool                // actors are asked where they stand after each step
	Watch      func(step int) bool // whose lines are followed: of scripts by Look, of actors if there are Positions; nil: of none
	Look       Look                // nil: nobody looks inside scripts

	// Reserve is asked before a run holds so many bytes more. Its error ends the step.
	// Nil: only the engine's own bounds hold.
	Reserve func(bytes int) error
}

// ActorSpec is one thread of a client.
type ActorSpec struct {
	Name    string
	Process string
	New     func() Actor
}

// NodeSpec is one server.
type NodeSpec struct {
	Name      string
	Node      Node
	ReplicaOf string // the node that it follows; empty: it takes writes
	Min       MinReplicas
	Given     []Op // what it has done before the start, so that keys are there
}

// Invariant is a rule that must hold after every step.
type Invariant interface {
	Name() string
	// Check lists what breaks the rule in the step's After, or in the step
	// itself. The same breach must be told by the same fact, so that it is reported
	// once, by the step that caused it. An error means that the rule
	// itself could not be evaluated.
	Check(before *Snapshot, step *Step) ([]Violation, error)
}

// EpochMillis is what a client's clock reads at an instant, in milliseconds.
func EpochMillis(now Instant) int64 { return Epoch + int64(now/time.Millisecond) }
