package engine

import (
	"cmp"
	"context"
	"crypto/sha1" //nolint:gosec // is how Redis names scripts
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"lockstep/engine/reply"
)

// ErrSlow is what errors.Is finds in a node's error about a step that took too long to be exact: it was undone,
// and the schedule is worth replaying once.
var ErrSlow = errors.New("the step took too long")

// Node is one server of any kind, embedded or real, under the world's virtual clock. It
// holds data, and requests that wait for it; it knows no other node, no link and no fault
// of its own: all of that is the world's.
//
// A Go error from any method means that the step did not happen: the server is
// gone, or too slow to be believed. What the server itself answers, an error reply
// included, is a Result.
type Node interface {
	// Exec runs one command or one script, atomically, or has it wait.
	Exec(ctx context.Context, op Op) (Result, error)
	// Fault tells the node what happened to a process: it crashed, was paused or resumed,
	// lost its connection since one way of it is cut (Cut), or can connect again (Heal).
	Fault(ctx context.Context, process string, kind ChoiceKind) (Effects, error)
	// AdvanceTo moves the node's clock and does what was due at or before now. Only a
	// fault of its clock moves it back.
	AdvanceTo(ctx context.Context, now Instant) (Effects, error)
	// NextDue is the earliest instant at which something happens by itself: a key
	// expires, a request has waited for long enough.
	NextDue() (Instant, bool)
	// View is everything that the node holds now.
	View(ctx context.Context) (NodeView, error)
	// Reset empties the node, ends all subscriptions and waits, and sets its clock to 0.
	Reset(ctx context.Context) error
}

// Channels is a Node that processes can listen to. What any other Node delivers, processes
// have asked for with a request.
type Channels interface {
	// Subscribe and Unsubscribe change which channels a process listens to on
	// this node. Both are idempotent.
	Subscribe(ctx context.Context, process, channel string) error
	Unsubscribe(ctx context.Context, process, channel string) error
}

// Connected is a Node to which each actor has a connection of its own, as databases are.
type Connected interface {
	// Disconnect ends the connection of an actor whose program has ended.
	Disconnect(ctx context.Context, actor string) (Effects, error)
}

// Copier is a Node whose data can be copied and put back: it can be saved, have
// replicas, and be one.
type Copier interface {
	// Copy is all data of the node, with deadlines. It is never changed afterwards.
	Copy(ctx context.Context) (Data, error)
	// Load replaces the node's data. Its clock, subscriptions and waits stay.
	Load(ctx context.Context, data Data) error
	// Follow tells the node that it takes its data from another one from now on: what waits
	// in it is answered.
	Follow(ctx context.Context) (Effects, error)
}

// Queuer is a Node that looks at all operations of a transaction before it does any.
type Queuer interface {
	// Abort is what the node answers when it does none of them; ok tells whether it does none.
	Abort(ctx context.Context, ops []Op) (r reply.Reply, ok bool, err error)
	// RefuseWatch is what the node answers to a WATCH that it does not do; ok tells whether that is so.
	RefuseWatch(from Client, keys []string) (r reply.Reply, ok bool)
}

// Crasher is a Node that crashes as its server would. Nothing is asked of it until a Reset
// starts it again; any other Node is Reset at once.
type Crasher interface {
	Crash(ctx context.Context) error
}

// Data is what only the kind of node that made it can read.
type Data any

// Forker is a Node that lives in memory: it can be copied and told apart by a
// digest of its clock, keys, deadlines, subscriptions and waits. No method of it returns an error.
type Forker interface {
	Node
	Fork() Node
	Digest() uint64
	// Shift moves the clock, and with it every deadline and every wait: what the node holds
	// lasts as long as before. What it answers must not depend on what its clock shows, unless
	// the result is Dated.
	Shift(by time.Duration)
}

// Script is a server-side script.
type Script struct {
	Name    string
	Source  string
	Written string // as its author wrote it, if Source was made of that to tell more; else empty
}

// SHA1 is what Redis calls the script with a source.
func SHA1(source string) string {
	sum := sha1.Sum([]byte(source)) //nolint:gosec // see above
	return hex.EncodeToString(sum[:])
}

// AsWritten is the script as its author wrote it.
func (s *Script) AsWritten() string { return cmp.Or(s.Written, s.Source) }

// Op is what a client sends to a node: a script call or a plain command.
type Op struct {
	From     Client   // who sends it; filled in by the world
	ReadOnly bool     // the node takes no writes, since it follows another one; filled in by the world
	TooFew   bool     // it is ReadOnly, though it leads, since it hears too few replicas
	Shared   string   // the connection of the process on which it is sent; empty: the actor's own, where actors have one
	Asking   bool     // sent with ASKING: a cluster's node is to take it, though its slot is still on the way there
	More     bool     // of a transaction, and not its last one: who waits in the node is answered only when all of it is done
	Script   *Script  // nil for a plain command
	Keys     []string // KEYS of a script; empty for a plain command
	Args     []string // ARGV of a script; name and arguments of a plain command
}

// IsStatement tells whether an op is one text that is a sentence by itself, as those of SQL are.
func (o Op) IsStatement() bool {
	return o.Script == nil && len(o.Args) == 1 && strings.ContainsAny(o.Args[0], " \n")
}

// Client is who sends an Op. A database gives each actor a connection, ZooKeeper each
// process a session, and Redis asks only whose request waits.
type Client struct{ Actor, Process string }

// Result is what came of an Op.
type Result struct {
	Reply reply.Reply
	Waits bool // the request waits in the node, and has no Reply yet
	Dated bool // what it did depends on the instant that the node's clock shows
	Rests bool // it depends on how long a key still lasts
	Effects
}

// Effects is what a node did besides replying.
type Effects struct {
	// Delivered lists the messages that reached a subscriber, ordered by
	// process and then by publication. A message that nobody hears is lost.
	Delivered []Delivery
	// Expired lists the keys whose deadline was reached, by deadline and then by name.
	Expired []Expiry
	// Answered lists the requests that had waited and are answered now, in that order.
	Answered []Answer
}

// Delivery is one message that reached one subscribed process.
type Delivery struct {
	Node    string `json:"node"` // filled in by the world
	Process string `json:"process"`
	Channel string `json:"channel"`
	Payload string `json:"payload"`
	Copy    bool   `json:"copy,omitempty"` // of the message before it, for another receiver of the process
}

// Expiry is a key that reached its deadline.
type Expiry struct {
	Node string // filled in by the world
	Key  string
	At   Instant
}

// Answer is the reply to a request that had waited.
type Answer struct {
	Node  string      `json:"node"` // filled in by the world
	Actor string      `json:"actor"`
	Reply reply.Reply `json:"reply"`
}
