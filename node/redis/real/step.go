package real

import (
	"context"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/reply"
	"lockstep/node/redis/blocking"
	"lockstep/node/redis/portable"
)

// Exec implements engine.Node. It is one round trip, and more while requests wait. An *Error without
// NeedsReset leaves the node as it was before the step.
func (n *Node) Exec(ctx context.Context, op engine.Op) (engine.Result, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return engine.Result{}, err // before anything is sent, so nothing is lost
	}
	if err := n.usable(ctx); err != nil {
		return engine.Result{}, err
	}
	do := func(args []string) (reply.Reply, error) {
		res, err := n.perform(ctx, engine.Op{Args: args})
		return res.Reply, err
	}
	res, err := n.request(ctx, op, do)
	if err == nil && !res.Waits && !op.More {
		res.Answered, err = n.waiters.Serve(do)
	}
	return res, err
}

// request does an op, has it wait, or refuses it, and answers nobody else.
func (n *Node) request(ctx context.Context, op engine.Op, do blocking.Do) (engine.Result, error) {
	if refused, ok := portable.Refuse(op, n); ok {
		return engine.Result{Reply: refused}, nil
	}
	if refused, ok := n.member.Refuse(op, n.has); ok {
		return engine.Result{Reply: refused}, nil
	}
	if c, ok := blocking.Command(op); ok {
		return n.waiters.Exec(c, op, n.now, do)
	}
	res, err := n.perform(ctx, op)
	if op.ReadOnly {
		res.Reply = portable.AsReplica(op, n, res.Reply)
	}
	return res, err
}

// Abort implements engine.Queuer: each operation of a transaction is a step of its own, so the server cannot tell.
func (n *Node) Abort(_ context.Context, ops []engine.Op) (r reply.Reply, ok bool, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	r, ok = n.member.Abort(ops, n.has, func(op engine.Op) bool { return portable.Queues(op, n) })
	return r, ok, nil
}

// RefuseWatch implements engine.Queuer.
func (n *Node) RefuseWatch(from engine.Client, keys []string) (r reply.Reply, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.member.RefuseWatch(from, keys, n.has)
}

// perform does one command or one script.
func (n *Node) perform(ctx context.Context, op engine.Op) (engine.Result, error) {
	if op.ReadOnly && op.Script == nil {
		op.Args = portable.ReadOnly(op.Args)
	}
	c, answer := n.prepare(op)
	if answer != nil {
		return engine.Result{Reply: *answer}, nil
	}
	if err := n.checkNames(c.written); err != nil {
		return engine.Result{}, err
	}
	if op.Script == nil && !strings.EqualFold(op.Args[0], "keys") { // whose pattern has the prefix
		if err := n.refuseGlobal(op.Args[0]); err != nil {
			return engine.Result{}, err
		}
	}
	var tries tries
	for {
		out, err := n.transact(ctx, c, tries.made > 0)
		if err != nil {
			return engine.Result{}, err
		}
		if !out.ran {
			return engine.Result{Reply: out.reply}, nil
		}
		out.shown = out.exact || n.timeless(c, out)
		if out.killed || out.shown || tries.enough(out.took) {
			return n.finish(ctx, c, out, tries)
		}
		if err := n.undo(ctx, out); err != nil {
			return engine.Result{}, err
		}
	}
}

// finish accepts the last try as the step, or undoes it.
func (n *Node) finish(ctx context.Context, c call, out outcome, t tries) (engine.Result, error) {
	delivered, err := n.collect(ctx)
	if err != nil {
		return engine.Result{}, err
	}
	undo := out.killed || !out.shown
	if undo && !n.server.timeStands {
		if err := n.restore(ctx, out); err != nil {
			return engine.Result{}, err
		}
	}
	switch {
	case out.killed: // it had written nothing
		if n.server.timeStands && len(out.keys) != len(n.keys) {
			return engine.Result{}, n.markLost(n.server.problem(fact.Of("keys-lost")))
		}
	case undo:
		return engine.Result{}, n.server.problem(fact.Of("clock-moved", n.server.Version(), t.fastest))
	default:
		n.keep(out)
	}
	n.due = nil
	n.remember(c, out.reply)
	return engine.Result{Reply: n.answered(c, out.reply), Effects: engine.Effects{Delivered: delivered}}, nil
}
