package real

import (
	"context"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/node/beside"
	"lockstep/node/sql"
)

// Node is an engine.Node on a MariaDB of its own. The embedded one beside it refuses what is
// not in the subset, knows when waits end by the virtual clock, and shows who holds what.
type Node struct {
	*beside.Node[*sql.Node]

	control *connection // sees what is committed
	dirty   *connection // sees what is written
	purge   *connection // its snapshot keeps deleted rows from being purged
	clients []*client
	bell    chan struct{} // rings when a statement is answered
}

var (
	_ engine.Node      = (*Node)(nil)
	_ engine.Connected = (*Node)(nil)
)

// maxTries is how often a schedule is played when the server does otherwise than the node
// beside: two that are granted a lock at once race inside the server, and each wins about as often.
const maxTries = 50

// Node makes a node.
func (s *Server) Node() *Node {
	n := new(Node)
	n.Node = beside.New(&s.Owner, beside.Hooks[*sql.Node]{
		New: sql.NewNode, Begin: n.begin, Clear: n.clear, HangUp: n.hangUp, Follow: n.follow, Same: n.same, Tries: maxTries,
	})
	return n
}

// Exec implements engine.Node. It returns when the statement is answered, or waits for a
// lock for certain.
func (n *Node) Exec(ctx context.Context, op engine.Op) (engine.Result, error) {
	return n.Move(ctx, func(ctx context.Context) (engine.Result, error) { return n.exec(ctx, op) })
}

// Disconnect implements engine.Connected.
func (n *Node) Disconnect(ctx context.Context, actor string) (engine.Effects, error) {
	return n.Between(ctx, func(ctx context.Context) (engine.Effects, error) { return n.Beside.Disconnect(ctx, actor) })
}

// follow cuts the connections of a process that crashed, or of an actor that has ended.
func (n *Node) follow(ctx context.Context, want engine.Effects) error {
	n.leave()
	return n.compare(ctx, want.Answered)
}

// AdvanceTo implements engine.Node. The server's own clock ends no wait: a statement that
// waits for too long by the virtual one is killed.
func (n *Node) AdvanceTo(ctx context.Context, now engine.Instant) (engine.Effects, error) {
	res, err := n.Move(ctx, func(ctx context.Context) (engine.Result, error) {
		var all engine.Result
		for id, ended := n.Beside.EndNext(now); ended; id, ended = n.Beside.EndNext(now) {
			if err := n.end(id); err != nil {
				return all, err
			}
			want := n.Beside.Taken()
			if err := n.compare(ctx, want); err != nil {
				return all, err
			}
			all.Answered = append(all.Answered, want...)
		}
		return all, nil
	})
	return res.Effects, err
}

func (n *Node) exec(ctx context.Context, op engine.Op) (engine.Result, error) {
	want, err := n.Beside.Exec(ctx, op)
	statement := strings.TrimRight(strings.Join(op.Args, " "), "; \t\r\n")
	n.leave()
	if err != nil || sql.Refused(want.Reply) || sql.SetsTimeout(statement) {
		return want, err
	}
	if (op.From == engine.Client{}) {
		got, err := n.control.perform(statement)
		if err == nil {
			err = beside.SameReply(got, want.Reply)
		}
		n.Changed = true
		return want, err
	}
	c, err := n.client(ctx, op)
	if err != nil {
		return engine.Result{}, err
	}
	c.send(statement, n.bell)
	answers := slices.Clone(want.Answered)
	if !want.Waits {
		answers = append(answers, engine.Answer{Actor: op.From.Actor, Reply: want.Reply})
	}
	return want, n.compare(ctx, answers)
}

// client is the connection on which an op is sent.
func (n *Node) client(ctx context.Context, op engine.Op) (*client, error) {
	at := sql.ConnectionOf(n.Beside, op)
	if i := slices.IndexFunc(n.clients, func(c *client) bool { return c.id == at.ID }); i >= 0 {
		return n.clients[i], nil
	}
	line, err := connect(ctx, socket(n.Process.Folder), sql.Schema, 0)
	if err != nil {
		return nil, err
	}
	c := &client{connection: line, id: at.ID, actor: op.From.Actor}
	n.clients = append(n.clients, c)
	return c, nil
}

// leave cuts the connections that the node beside has no more, or whose clients are gone, and notes who uses the others.
func (n *Node) leave() {
	open := sql.Connections(n.Beside)
	for _, c := range n.clients {
		i := slices.IndexFunc(open, func(o sql.Connection) bool { return o.ID == c.id && !o.Left })
		switch {
		case i >= 0:
			c.actor = open[i].Client.Actor
			continue
		case c.left:
			continue
		case c.running:
			c.hangUp()
		default:
			c.close()
		}
		c.left = true
	}
}

// end ends the wait of a connection for a lock, or one that was idle.
func (n *Node) end(id int) error {
	i := slices.IndexFunc(n.clients, func(c *client) bool { return c.id == id })
	if i < 0 { // it has only said what the server is not told
		return nil
	}
	if !n.clients[i].unsettled() {
		n.leave()
		return nil
	}
	n.clients[i].overdue = true
	return n.control.kill("QUERY", n.clients[i].thread)
}
