package redisexec

import (
	"context"
	"strings"

	"lockstep/engine"
)

// Exec implements engine.Node. It is one round trip. An *Error without
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
	c, answer := n.prepare(op)
	if answer != nil {
		return engine.Result{Reply: *answer}, nil
	}
	if err := n.outside(c.source); err != nil {
		return engine.Result{}, err
	}
	if op.Script == nil && !strings.EqualFold(op.Args[0], "keys") { // whose pattern has the prefix
		if err := n.everybodys(op.Args[0]); err != nil {
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
		if out.killed || out.exact || tries.enough(out.took, n.resolution) {
			return n.settle(ctx, c, out)
		}
		if err := n.undo(ctx, out); err != nil {
			return engine.Result{}, err
		}
	}
}

// settle makes the last try the step, or undoes it.
func (n *Node) settle(ctx context.Context, c call, out outcome) (engine.Result, error) {
	delivered, err := n.collect(ctx)
	if err != nil {
		return engine.Result{}, err
	}
	undo := out.killed || !out.exact && out.took > n.resolution
	if undo && !n.server.timeStands {
		if err := n.restore(ctx, out); err != nil {
			return engine.Result{}, err
		}
	}
	switch {
	case out.killed: // it had written nothing
		if n.server.timeStands && len(out.keys) != len(n.keys) {
			return engine.Result{}, n.lose(n.server.problem(Lost, "keys were lost while a script ran on", "reset and replay", nil))
		}
	case undo:
		return engine.Result{}, n.server.problem(Slow, "a step took "+out.took.String()+
			", longer than the clock's resolution of "+n.resolution.String(),
			"replay; if it happens again the script does too much, or the server is too busy for this lesson", nil).
			inChinese("这一步用了 " + out.took.String() + "，超过了时钟精度 " + n.resolution.String() +
				"：请重试；如果再次出现，说明脚本做得太多，或服务器太忙")
	default:
		n.keep(out)
	}
	n.due = nil
	n.remember(c, out.reply)
	return engine.Result{Reply: n.answered(c, out.reply), Delivered: delivered}, nil
}
