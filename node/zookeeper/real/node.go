package real

import (
	"cmp"
	"context"
	"slices"
	"time"

	"lockstep/engine"
	"lockstep/node/beside"
	"lockstep/node/zookeeper"
)

// Node is an engine.Node on a ZooKeeper of its own. The embedded one beside it refuses what a
// client never sends, and knows when sessions end by the virtual clock, and who watches what.
type Node struct {
	*beside.Node[*zookeeper.Node]

	address string
	control *connection       // of nobody in the run
	base    int64             // the zxid that is 0 in the run
	clients []*client         // ordered by process
	heard   []engine.Delivery // that nobody was told of yet
}

var _ engine.Node = (*Node)(nil)

// Node makes a node. A session that is silent for the timeout expires; 0 is zookeeper.DefaultTimeout.
func (s *Server) Node(timeout time.Duration) *Node {
	n := new(Node)
	n.Node = beside.New(&s.Owner, beside.Hooks[*zookeeper.Node]{
		New:   func() *zookeeper.Node { return zookeeper.NewNode(timeout) },
		Begin: n.begin, Clear: n.clear, HangUp: n.hangUp, Follow: n.follow, Same: n.same,
	})
	return n
}

// Exec implements engine.Node.
func (n *Node) Exec(ctx context.Context, op engine.Op) (engine.Result, error) {
	return n.Move(ctx, func(ctx context.Context) (engine.Result, error) {
		want, err := n.Beside.Exec(ctx, op)
		r, sent := zookeeper.Sent(op)
		if err != nil || !sent {
			return want, err
		}
		n.Changed = true
		got, err := n.ask(ctx, op.From.Process, r)
		if err == nil {
			err = beside.SameReply(got, want.Reply)
		}
		if err == nil {
			err = n.compareEvents(want.Delivered)
		}
		return want, err
	})
}

// follow cuts the connection of a process that crashed, or was cut off. Its session stays.
func (n *Node) follow(ctx context.Context, want engine.Effects) error {
	for _, c := range n.clients {
		if err := n.connectAsBeside(ctx, c); err != nil {
			return err
		}
	}
	return n.compareEvents(want.Delivered)
}

// AdvanceTo implements engine.Node. The server's own clock ends no session: those that have
// been silent for too long by the virtual one are ended.
func (n *Node) AdvanceTo(ctx context.Context, now engine.Instant) (engine.Effects, error) {
	res, err := n.Move(ctx, func(ctx context.Context) (engine.Result, error) {
		over := slices.DeleteFunc(zookeeper.Sessions(n.Beside), func(s zookeeper.Session) bool {
			return s.Until == engine.NoDeadline || s.Until > now
		})
		slices.SortStableFunc(over, func(a, b zookeeper.Session) int { return cmp.Compare(a.Until, b.Until) })
		want, err := n.Beside.AdvanceTo(ctx, now)
		for _, s := range over {
			n.Changed = true
			if err == nil {
				err = n.expire(ctx, s.Process)
			}
		}
		if err == nil {
			err = n.compareEvents(want.Delivered)
		}
		return engine.Result{Effects: want}, err
	})
	return res.Effects, err
}
