package zookeeper

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"time"

	"lockstep/engine"
)

// DefaultTimeout is how long a session lasts without pings when nobody says it.
const DefaultTimeout = 10 * time.Second

// Node is an embedded ZooKeeper. It is for one goroutine at a time; its forks are independent of it. Each process has
// a session, from its first request on. What is asked without a process belongs to none.
type Node struct {
	state
	events []engine.Delivery // that nobody was told of yet: none between calls
}

// state is all that a client could ever notice of a node. Invariant: nothing in it is an address, or
// two equal states would have two digests, and a search would not see that it has come back.
type state struct {
	timeout time.Duration
	now     engine.Instant
	tree    tree
	clients []client // ordered by process
	watches watches
}

var _ engine.Forker = (*Node)(nil)

// NewNode is an empty tree at instant 0. A session that is silent for the timeout expires; 0 is DefaultTimeout.
func NewNode(timeout time.Duration) *Node {
	return &Node{state: state{timeout: cmp.Or(timeout, DefaultTimeout), tree: tree{znodes: []znode{{path: "/"}}}}}
}

// Exec does one request: create path data [ephemeral] [sequential], delete path [version],
// set path data [version], get, exists or children path [watch]. An event that the request
// itself causes is delivered with its reply, and so before it is read.
func (n *Node) Exec(_ context.Context, op engine.Op) (engine.Result, error) {
	r := n.perform(op)
	return engine.Result{Reply: r, Effects: engine.Effects{Delivered: n.takeEvents()}}, nil
}

// Fault notes that the pings of a process stop or come again.
func (n *Node) Fault(_ context.Context, process string, kind engine.ChoiceKind) (engine.Effects, error) {
	n.fault(process, kind)
	return engine.Effects{Delivered: n.takeEvents()}, nil
}

// AdvanceTo moves the clock, and ends the sessions that have been silent for too long.
func (n *Node) AdvanceTo(_ context.Context, now engine.Instant) (engine.Effects, error) {
	var effects engine.Effects
	for c := n.next(); c != nil && c.until <= now; c = n.next() {
		effects.Expired = append(effects.Expired, n.expire(c)...)
	}
	n.now = now
	effects.Delivered = n.takeEvents()
	return effects, nil
}

// NextDue is when the next session expires.
func (n *Node) NextDue() (engine.Instant, bool) {
	if c := n.next(); c != nil {
		return c.until, true
	}
	return 0, false
}

// View is the tree without its root, the watches and the sessions. The znodes of a silent session have its deadline.
func (n *Node) View(context.Context) (engine.NodeView, error) {
	view := engine.NodeView{Keys: []engine.Key{}}
	for _, z := range n.tree.znodes[1:] {
		k := engine.Key{Name: z.path, Type: engine.ZnodeKey, Deadline: engine.NoDeadline, Items: []engine.Item{
			{Name: "data", Value: z.data},
			{Name: "czxid", Value: strconv.FormatInt(z.czxid, 10)},
			{Name: "version", Value: strconv.Itoa(z.version)},
		}}
		if z.owner != "" {
			k.Items = append(k.Items, engine.Item{Name: "owner", Value: z.owner})
			k.Deadline = n.client(z.owner).until
		}
		view.Keys = append(view.Keys, k)
	}
	for _, w := range n.watches {
		view.Subscriptions = append(view.Subscriptions, engine.Subscription{Channel: w.path, Process: w.process, Children: w.children})
	}
	for _, c := range n.clients {
		if c.open {
			view.Sessions = append(view.Sessions, engine.Session{Process: c.process, Until: c.until, Expired: c.expired})
		}
	}
	return view, nil
}

// Reset makes the node as NewNode does.
func (n *Node) Reset(context.Context) error {
	*n = *NewNode(n.timeout)
	return nil
}

// Fork is an independent copy.
func (n *Node) Fork() engine.Node {
	fork := *n
	fork.tree.znodes = slices.Clone(n.tree.znodes)
	fork.clients = slices.Clone(n.clients)
	fork.watches = slices.Clone(n.watches)
	fork.events = slices.Clone(n.events)
	return &fork
}

// Shift moves the clock, and with it the end of each silent session.
func (n *Node) Shift(by time.Duration) {
	n.now += by
	for i := range n.clients {
		if n.clients[i].until != engine.NoDeadline {
			n.clients[i].until += by
		}
	}
}

// Digest tells nodes apart by their states.
func (n *Node) Digest() uint64 {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%#v", n.state)
	return h.Sum64()
}
