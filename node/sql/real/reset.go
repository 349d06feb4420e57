package real

import (
	"context"
	"fmt"
	"time"

	"lockstep/node/sql"
)

// clear makes the server as good as new.
func (n *Node) clear(ctx context.Context) error {
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

// begin opens what the node needs of a server that has just started.
func (n *Node) begin(ctx context.Context) error {
	n.bell = make(chan struct{}, 1)
	folder := n.Process.Folder
	first, err := connect(ctx, socket(folder), "", answerLimit)
	if err != nil {
		return err
	}
	defer first.close()
	if _, err := first.exec("CREATE DATABASE " + sql.Schema); err != nil {
		return err
	}
	for _, c := range []struct {
		line      **connection
		isolation string
	}{{&n.control, "READ COMMITTED"}, {&n.dirty, "READ UNCOMMITTED"}, {&n.purge, "REPEATABLE READ"}} {
		if *c.line, err = connect(ctx, socket(folder), sql.Schema, answerLimit); err != nil {
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

// hangUp ends all lines to a server that has ended.
func (n *Node) hangUp() {
	for _, c := range n.clients {
		c.hangUp()
	}
	for _, c := range []*connection{n.control, n.dirty, n.purge} {
		if c != nil {
			c.hangUp()
		}
	}
	n.control, n.dirty, n.purge, n.clients = nil, nil, nil, nil
}
