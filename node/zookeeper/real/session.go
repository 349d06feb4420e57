package real

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lockstep/engine/reply"
	"lockstep/node/beside"
	"lockstep/node/zookeeper"
)

// client is a process that has, or had, a session.
type client struct {
	process string
	id      session
	line    *connection // nil: it has none
	seen    int64       // the last write that it heard of before its connection was lost
	watches []watch     // that it waits for, ordered by path
	told    bool        // it knows that its session is over
}

// watch is a wish to be told once.
type watch struct {
	path string
	of   watched
}

type watched int

// What can be watched. A client asks for these apart when it connects again.
const (
	znode    watched = iota // as it is
	absent                  // that it comes to be
	children                // the list of them
)

func compareWatches(a, b watch) int { return cmp.Or(strings.Compare(a.path, b.path), int(a.of-b.of)) }

func (n *Node) client(ctx context.Context, process string) (*client, error) {
	i, known := slices.BinarySearchFunc(n.clients, process, func(c *client, name string) int { return strings.Compare(c.process, name) })
	if known {
		return n.clients[i], nil
	}
	line, err := connect(ctx, n.address, session{})
	if err != nil {
		return nil, err
	}
	c := &client{process: process, id: line.id, line: line}
	n.clients = slices.Insert(n.clients, i, c)
	return c, nil
}

// ask sends a request of a process, and waits for the answer.
func (n *Node) ask(ctx context.Context, process string, r zookeeper.Request) (reply.Reply, error) {
	if process == "" {
		r.Ephemeral, r.Watch = false, false
		told, _, err := n.askOn(n.control, r)
		return told, err
	}
	c, err := n.client(ctx, process)
	if err == nil {
		err = n.connectAsBeside(ctx, c)
	}
	if err != nil {
		return reply.Reply{}, err
	}
	if c.line != nil {
		told, code, err := n.askOn(c.line, r)
		c.watch(r, code)
		return told, err
	}
	// The request arrives, and the answer does not: what it watches goes with the connection.
	line, err := connect(ctx, n.address, c.id)
	if errors.Is(err, errExpired) {
		return reply.OfError("SESSIONEXPIRED for " + r.Path), nil
	}
	if err != nil {
		return reply.Reply{}, err
	}
	defer line.hangUp()
	told, _, err := n.askOn(line, r)
	return told, err
}

func (n *Node) askOn(line *connection, r zookeeper.Request) (told reply.Reply, code int32, err error) {
	a, code, err := line.call(encode(r))
	if err != nil {
		return told, code, err
	}
	told = n.decode(r, a, code)
	return told, code, a.err()
}

// watch notes what a client waits for since it has read something.
func (c *client) watch(r zookeeper.Request, code int32) {
	w := watch{path: r.Path}
	switch {
	case !r.Watch:
		return
	case r.Name == "exists" && code == noNode:
		w.of = absent
	case code != 0:
		return
	case r.Name == "children":
		w.of = children
	}
	if i, there := slices.BinarySearchFunc(c.watches, w, compareWatches); !there {
		c.watches = slices.Insert(c.watches, i, w)
	}
}

// connectAsBeside connects a client or cuts its line, as the node beside has it, and lets it find out
// that its session is over.
func (n *Node) connectAsBeside(ctx context.Context, c *client) error {
	s := n.state(c.process)
	switch {
	case s.Expired:
		c.hangUp()
		if s.Silent || c.told {
			return nil
		}
		return n.findExpired(ctx, c)
	case !s.Connected:
		c.hangUp()
	case c.line == nil:
		return n.reconnect(ctx, c)
	}
	return nil
}

func (n *Node) state(process string) zookeeper.Session {
	all := zookeeper.Sessions(n.Beside)
	return all[slices.IndexFunc(all, func(s zookeeper.Session) bool { return s.Process == process })]
}

func (c *client) hangUp() {
	if c.line != nil {
		c.line.hangUp()
		c.seen, c.line = c.line.zxid, nil
	}
}

// findExpired connects in vain, and tells all watchers of the client.
func (n *Node) findExpired(ctx context.Context, c *client) error {
	line, err := connect(ctx, n.address, c.id)
	if err == nil {
		line.hangUp()
		return beside.Same(c.process+" has a session", c.process+" has none any more")
	}
	if !errors.Is(err, errExpired) {
		return err
	}
	for _, w := range c.watches {
		n.hear(c, w.path, "Expired")
	}
	c.watches, c.told = nil, true
	return nil
}

// reconnect goes on with a session. The server tells what its watches have missed.
func (n *Node) reconnect(ctx context.Context, c *client) error {
	var err error
	if c.line, err = connect(ctx, n.address, c.id); err != nil || len(c.watches) == 0 {
		return err
	}
	body := message{}.long(c.seen)
	for _, of := range []watched{znode, absent, children} {
		var paths []string
		for _, w := range c.watches {
			if w.of == of {
				paths = append(paths, place(w.path))
			}
		}
		body = body.texts(paths)
	}
	_, code, err := c.line.call(opSetWatches, body)
	if err == nil && code != 0 {
		err = fmt.Errorf("it refuses to watch: %d", code)
	}
	return err
}

// expire ends the session of a client, which has been silent for too long by the virtual
// clock: whoever connects with its number and password can.
func (n *Node) expire(ctx context.Context, whose string) error {
	i := slices.IndexFunc(n.clients, func(c *client) bool { return c.process == whose })
	if i < 0 {
		return beside.Same(whose+" has no session", whose+" has one")
	}
	c := n.clients[i]
	c.hangUp()
	if err := n.endSession(ctx, c); err != nil {
		return err
	}
	return n.listen() // before the session of somebody who hears of it expires, too
}

func (n *Node) endSession(ctx context.Context, c *client) error {
	line, err := connect(ctx, n.address, c.id)
	if err != nil {
		return err
	}
	defer line.hangUp()
	_, code, err := line.call(opClose, nil)
	if err == nil && code != 0 {
		err = fmt.Errorf("it does not end a session: %d", code)
	}
	return err
}
