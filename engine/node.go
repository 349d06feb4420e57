package engine

import (
	"cmp"
	"context"

	"lockstep/engine/reply"
)

// Node is one Redis server, embedded or real, under the world's virtual clock.
//
// A Go error from any method means that the step did not happen: the server is
// gone, or too slow to be believed. What Redis itself answers, an error reply
// included, is a Result.
type Node interface {
	// Exec runs one command or one script, atomically.
	Exec(ctx context.Context, op Op) (Result, error)
	// Subscribe and Unsubscribe change which channels a process listens to on
	// this node. Both are idempotent.
	Subscribe(ctx context.Context, process, channel string) error
	Unsubscribe(ctx context.Context, process, channel string) error
	// Disconnect ends every subscription of a process, as its death does.
	Disconnect(ctx context.Context, process string) error
	// AdvanceTo moves the node's clock, never back, and reports the keys whose
	// deadline was at or before now, by deadline and then by name.
	AdvanceTo(ctx context.Context, now Instant) ([]Expiry, error)
	// NextExpiry is the earliest deadline of any key, if one has a deadline.
	NextExpiry() (Instant, bool)
	// View is everything that the node holds now.
	View(ctx context.Context) (NodeView, error)
	// Reset empties the node, ends all subscriptions and sets its clock to 0.
	Reset(ctx context.Context) error
}

// Forker is a Node that lives in memory: it can be copied and told apart by a
// digest of its clock, keys, deadlines and subscriptions.
type Forker interface {
	Node
	Fork() Node
	Digest() uint64
}

// Script is a server-side script.
type Script struct {
	Name    string
	Source  string
	Written string // as its author wrote it, if Source was made of that to tell more; else empty
}

// AsWritten is the script as its author wrote it.
func (s *Script) AsWritten() string { return cmp.Or(s.Written, s.Source) }

// Op is what a client sends to a node: a script call or a plain command.
type Op struct {
	Script *Script  // nil for a plain command
	Keys   []string // KEYS of a script; empty for a plain command
	Args   []string // ARGV of a script; name and arguments of a plain command
}

// Result is what came of an Op.
type Result struct {
	Reply reply.Reply
	// Delivered lists the messages that reached a subscriber, ordered by
	// process and then by publication. A message that nobody hears is lost.
	Delivered []Delivery
}

// Delivery is one message that reached one subscribed process.
type Delivery struct {
	Node    string // filled in by the world
	Process string
	Channel string
	Payload string
}

// Expiry is a key that reached its deadline.
type Expiry struct {
	Node string // filled in by the world
	Key  string
	At   Instant
}
