package real

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"lockstep/node/zookeeper"
)

// clear makes the server as good as new.
func (n *Node) clear(ctx context.Context) error {
	n.heard = nil
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
	op, body := encode(zookeeper.Request{Name: "create", Path: "/"})
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

// begin opens what the node needs of a server that has just started.
func (n *Node) begin(ctx context.Context) (err error) {
	n.heard = nil
	if n.address, err = address(n.Process.Folder); err != nil {
		return err
	}
	if n.control, err = connect(ctx, n.address, session{}); err != nil {
		return err
	}
	return n.makeRoot()
}

// hangUp ends all lines to a server that has ended.
func (n *Node) hangUp() {
	for _, c := range n.clients {
		c.hangUp()
	}
	if n.control != nil {
		n.control.hangUp()
	}
	n.control, n.clients = nil, nil
}
