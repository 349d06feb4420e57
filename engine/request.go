package engine

import (
	"time"

	"lockstep/engine/fact"
)

// Request is what an actor wants next. Exec, Subscribe, Unsubscribe,
// AwaitReplicas and Receive are for the scheduler to grant, one step each; Sleep ends by the clock alone,
// and Await with another thread; the others are the actor's own business and are granted at once.
type Request interface{ request() }

// Exec sends a script or a command to a node.
type Exec struct {
	Node     string
	ToLeader bool // it goes to the node that leads Node's group when it is sent, as a sentinel tells it
	Op       Op
	Stamps   []Stamp

	// Transaction is what the request is instead of its Op, which then only tells of it.
	Transaction *Transaction

	// Timeout is when the client gives up on a reply; 0: when all clients do. Not on a
	// request that waits in the node: that one knows for how long.
	Timeout time.Duration
}

// Transaction is a part of an optimistic transaction with a node: keys are watched until
// the actor commits, and what it commits is done at once, unless one of them has changed.
type Transaction struct {
	Watch  []string // keys to watch from now on
	Forget bool     // all of the node are watched no longer
	Commit bool     // Ops are done, or the reply is nil; either way nothing is watched any more
	Ops    []Op
}

// Stamp is an argument that the client fills with its own clock at the moment
// it sends, in milliseconds since the Unix epoch.
type Stamp struct {
	Arg    int           // index in Op.Args
	Offset time.Duration // added to the clock
}

// Subscribe makes the actor's process listen to a channel.
type Subscribe struct{ Node, Channel string }

// Unsubscribe takes the actor's subscription back; the process goes on
// listening while another of its actors is subscribed.
type Unsubscribe struct{ Node, Channel string }

// AwaitReplicas waits until the actor's last write has reached so many replicas of a
// node. Its reply is how many there are, enough or not.
type AwaitReplicas struct {
	Node     string
	ToLeader bool // as in Exec
	Replicas int
	Timeout  time.Duration // below 0: no bound
}

// Receive waits for the next message on a channel that the process listens to.
// A message wakes one receiver of the process, and ForAll each of those that wait for it.
type Receive struct {
	Node, Channel string
	Timeout       time.Duration // below 0: no bound
	ForAll        string        // the text of messages that are for all who wait; empty: there are none
}

// Sleep waits for the clock.
type Sleep struct {
	For   time.Duration
	Label string // what the time is spent on, for people: "work"
}

// Enter and Leave mark a critical section. Entering twice needs leaving twice.
type Enter struct{ Section string }

// Leave ends one Enter.
type Leave struct{ Section string }

// Refused marks that the actor takes its last reply for a no: it did not get a
// section, or has lost it. Nobody else can tell, since replies mean what clients
// make of them.
type Refused struct{ Section string }

// Want marks that the actor waits for a section that it was refused; Enter or
// giving up (Unwant) ends that.
type Want struct{ Section string }

// Unwant gives up a Want.
type Unwant struct{ Section string }

// Say notes a sentence in the trace.
type Say struct{ Text string }

// Spawn starts a task in the same process, named actor:name.
type Spawn struct {
	Name  string
	Actor Actor
}

// Cancel ends a spawned task of the same actor; one that has ended is not an error.
type Cancel struct{ Name string }

// Await waits until a task of the same actor has ended. Its reply is an error if the task
// broke off.
type Await struct{ Name string }

// Remember keeps a text in the memory of the actor's process, which all its threads share and
// a crash loses. Nothing is kept of an empty text.
type Remember struct{ Name, Text string }

// Recall asks for it. Its reply is nil when there is none.
type Recall struct{ Name string }

// Done ends the actor.
type Done struct {
	Failure fact.Fact // why, when the program broke off; zero when it ended well
}

// NodeOf is the node that a request goes to, or that a message is awaited from; empty: there is none.
func NodeOf(r Request) string {
	switch r := r.(type) {
	case Exec:
		return r.Node
	case Subscribe:
		return r.Node
	case Unsubscribe:
		return r.Node
	case Receive:
		return r.Node
	case AwaitReplicas:
		return r.Node
	}
	return ""
}

func (Exec) request()          {}
func (Subscribe) request()     {}
func (Unsubscribe) request()   {}
func (AwaitReplicas) request() {}
func (Receive) request()       {}
func (Sleep) request()         {}
func (Enter) request()         {}
func (Leave) request()         {}
func (Refused) request()       {}
func (Want) request()          {}
func (Unwant) request()        {}
func (Say) request()           {}
func (Spawn) request()         {}
func (Cancel) request()        {}
func (Await) request()         {}
func (Remember) request()      {}
func (Recall) request()        {}
func (Done) request()          {}
