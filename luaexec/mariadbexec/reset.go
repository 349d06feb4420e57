package mariadbexec

import (
	"context"
	"fmt"
	"time"

	"lockstep/engine/fact"
	"lockstep/luaexec/sqlexec"
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
	n.moves, n.lost = nil, nil
	return n.failed(ctx, n.empty(ctx))
}

// usable makes the node ready for a move, or says why it cannot be.
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
	n.beside, n.changed = sqlexec.NewNode(), true
	if n.process == nil {
		return n.start(ctx)
	}
	if err := n.endClients(ctx); err != nil {
		return err
	}
	_, tables, err := n.control.rows("SHOW TABLES")
	for _, t := range tables {
		if err == nil {
			_, err = n.control.exec("DROP TABLE " + quoted(t.Elems[1].Str))
		}
	}
	if err == nil {
		_, err = n.control.exec("SET GLOBAL TRANSACTION ISOLATION LEVEL REPEATABLE READ")
	}
	if err == nil {
		_, err = n.purge.exec("ROLLBACK")
	}
	if err == nil {
		err = n.holdPurge()
	}
	return err
}

// holdPurge opens a snapshot that sees all that is deleted from now on.
func (n *Node) holdPurge() error {
	_, err := n.purge.exec("START TRANSACTION WITH CONSISTENT SNAPSHOT")
	return err
}

// start starts a server for the node.
func (n *Node) start(ctx context.Context) error {
	p, problem := n.server.start(ctx)
	if problem != nil {
		return problem
	}
	n.process, n.bell = p, make(chan struct{}, 1)
	first, err := connect(ctx, socket(p.Folder), "", answerLimit)
	if err != nil {
		return err
	}
	defer first.close()
	if _, err := first.exec("CREATE DATABASE " + sqlexec.Schema); err != nil {
		return err
	}
	for _, c := range []struct {
		line      **connection
		isolation string
	}{{&n.control, "READ COMMITTED"}, {&n.dirty, "READ UNCOMMITTED"}, {&n.purge, "REPEATABLE READ"}} {
		if *c.line, err = connect(ctx, socket(p.Folder), sqlexec.Schema, answerLimit); err != nil {
			return err
		}
		if _, err := (*c.line).exec("SET SESSION TRANSACTION ISOLATION LEVEL " + c.isolation); err != nil {
			return err
		}
	}
	return n.holdPurge()
}

// endClients ends all connections of clients, whatever they wait for.
func (n *Node) endClients(ctx context.Context) error {
	for _, c := range n.clients {
		if c.unsettled() {
			if err := n.control.kill("CONNECTION", c.thread); err != nil {
				return err
			}
		}
		c.hangUp()
		c.left = true
	}
	for look := firstLook; len(n.clients) > 0; look = min(2*look, lastLook) {
		if _, err := n.quiet(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(look):
		}
	}
	return nil
}

// kill ends a connection, or what it runs.
func (c *connection) kill(what string, thread int64) error {
	r, err := c.perform(fmt.Sprintf("KILL %s %d", what, thread))
	if err == nil && r.IsError() && r.Str != fmt.Sprintf("ERROR 1094 (HY000): Unknown thread id: %d", thread) {
		err = fmt.Errorf("KILL: %s", r.Str)
	}
	return err
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
	for _, c := range []*connection{n.control, n.dirty, n.purge} {
		if c != nil {
			c.hangUp()
		}
	}
	n.process, n.control, n.dirty, n.purge, n.clients = nil, nil, nil, nil, nil
}

// Close ends the node's server, for good.
func (n *Node) Close(context.Context) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.drop()
	n.closed = true
	return nil
}
