package zookeeperexec

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"lockstep/engine/fact"
	"lockstep/luaexec/zkexec"
)

// Reset implements engine.Node. After an Error it is what brings the node back, unless it was closed.
func (n *Node) Reset(ctx context.Context) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return n.server.problem(fact.Of("node-closed"))
	}
	return n.reset(ctx)
}

func (n *Node) reset(ctx context.Context) error {
	n.lost = nil
	return n.failed(ctx, n.empty(ctx))
}

// usable makes the node ready, or says why it cannot be.
func (n *Node) usable(ctx context.Context) error {
	switch {
	case n.closed:
		return n.server.problem(fact.Of("node-closed"))
	case n.lost != nil:
		return n.lost
	case n.process == nil:
		return n.reset(ctx)
	case n.process.Ended():
		return n.failed(ctx, n.server.problem(fact.Of("server-ended", n.server.version, n.process.State())))
	}
	return ctx.Err() // before anything is sent, so nothing is lost
}

// empty makes the server as good as new.
func (n *Node) empty(ctx context.Context) error {
	if n.process != nil && n.process.Ended() {
		n.drop()
	}
	n.beside, n.changed, n.heard = zkexec.NewNode(n.timeout), true, nil
	if n.process == nil {
		return n.start(ctx)
	}
	for _, c := range n.clients {
		c.hangUp()
		if err := n.endSession(ctx, c); err != nil && !errors.Is(err, errExpired) {
			return err
		}
	}
	n.clients = nil
	znodes, err := n.znodes()
	slices.Reverse(znodes) // children first
	for _, z := range znodes {
		if err == nil {
			_, err = n.must(opDelete, message{}.text(z.path).int(-1))
		}
	}
	if err != nil {
		return err
	}
	return n.makeRoot()
}

// makeRoot makes the znode in which the run has its tree.
func (n *Node) makeRoot() error {
	op, body := encode(zkexec.Request{Name: "create", Path: "/"})
	a, err := n.must(op, body)
	if err == nil {
		a.text()
		n.base = a.stat().czxid
		err = a.err()
	}
	return err
}

// must asks for what the server has no reason to refuse.
func (n *Node) must(op int32, body message) (*answer, error) {
	a, code, err := n.control.call(op, body)
	if err == nil && code != 0 {
		err = fmt.Errorf("it refuses the request %d: %d", op, code)
	}
	return a, err
}

// start starts a server for the node.
func (n *Node) start(ctx context.Context) error {
	p, problem := n.server.start(ctx)
	if problem != nil {
		return problem
	}
	n.process = p
	var err error
	if n.address, err = address(p.Folder); err != nil {
		return err
	}
	if n.control, err = connect(ctx, n.address, session{}); err != nil {
		return err
	}
	return n.makeRoot()
}

// drop ends the node's server.
func (n *Node) drop() {
	if n.process == nil {
		return
	}
	n.server.pool.End(n.process)
	for _, c := range n.clients {
		c.hangUp()
	}
	if n.control != nil {
		n.control.hangUp()
	}
	n.process, n.control, n.clients = nil, nil, nil
}

// Close ends the node's server, for good.
func (n *Node) Close(context.Context) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.drop()
	n.closed = true
	return nil
}
