package real

import (
	"cmp"
	"context"
	"slices"
	"time"

	"lockstep/engine"
	"lockstep/node/process"
	"lockstep/node/zookeeper"
)

// Node is an engine.Node on a ZooKeeper of its own. An embedded one beside it refuses what a
// client never sends, and knows when sessions end by the virtual clock, and who watches what.
// What both can tell must be equal.
type Node struct {
	own     *process.Tenancy
	timeout time.Duration // of sessions, by the virtual clock

	address string
	control *connection // of nobody in the run
	base    int64       // the zxid that is 0 in the run
	beside  *zookeeper.Node
	clients []*client         // ordered by process
	heard   []engine.Delivery // that nobody was told of yet
	changed bool              // znodes may be other than when they were compared
}

var _ engine.Node = (*Node)(nil)

// Exec implements engine.Node.
func (n *Node) Exec(ctx context.Context, op engine.Op) (engine.Result, error) {
	return n.do(ctx, func(ctx context.Context) (engine.Result, error) {
		want, err := n.beside.Exec(ctx, op)
		r, sent := zookeeper.Sent(op)
		if err != nil || !sent {
			return want, err
		}
		n.changed = true
		got, err := n.ask(ctx, op.From.Process, r)
		if err == nil && !got.Equal(want.Reply) {
			err = &process.Difference{Got: got.String(), Want: want.Reply.String()}
		}
		if err == nil {
			err = n.compareEvents(want.Delivered)
		}
		return want, err
	})
}

// Fault implements engine.Node: the connection of a process that crashed, or was cut off, is
// cut, and its session stays.
func (n *Node) Fault(ctx context.Context, process string, kind engine.ChoiceKind) (engine.Effects, error) {
	res, err := n.do(ctx, func(ctx context.Context) (engine.Result, error) {
		want, err := n.beside.Fault(ctx, process, kind)
		if err == nil {
			err = n.followAll(ctx)
		}
		if err == nil {
			err = n.compareEvents(want.Delivered)
		}
		return engine.Result{Effects: want}, err
	})
	return res.Effects, err
}

func (n *Node) followAll(ctx context.Context) error {
	for _, c := range n.clients {
		if err := n.follow(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// AdvanceTo implements engine.Node. The server's own clock ends no session: those that have
// been silent for too long by the virtual one are ended.
func (n *Node) AdvanceTo(ctx context.Context, now engine.Instant) (engine.Effects, error) {
	res, err := n.do(ctx, func(ctx context.Context) (engine.Result, error) {
		over := slices.DeleteFunc(zookeeper.Sessions(n.beside), func(s zookeeper.Session) bool {
			return s.Until == engine.NoDeadline || s.Until > now
		})
		slices.SortStableFunc(over, func(a, b zookeeper.Session) int { return cmp.Compare(a.Until, b.Until) })
		want, err := n.beside.AdvanceTo(ctx, now)
		for _, s := range over {
			n.changed = true
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

// NextDue implements engine.Node.
func (n *Node) NextDue() (engine.Instant, bool) {
	n.own.Lock()
	defer n.own.Unlock()
	if n.beside == nil {
		return 0, false
	}
	return n.beside.NextDue()
}

// do does what changes the node, or finds out why it cannot.
func (n *Node) do(ctx context.Context, move func(context.Context) (engine.Result, error)) (res engine.Result, err error) {
	err = n.own.Do(ctx, func() (err error) {
		res, err = move(ctx)
		return err
	})
	return res, err
}
