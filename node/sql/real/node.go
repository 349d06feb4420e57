package real

import (
	"context"
	"errors"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/node/process"
	"lockstep/node/sql"
)

// Node is an engine.Node on a MariaDB of its own. An embedded one beside it refuses what is
// not in the subset, knows when waits end by the virtual clock, and shows who holds what:
// a real one does not tell it all. What both can tell must be equal.
type Node struct {
	own *process.Tenancy

	control *connection // sees what is committed
	dirty   *connection // sees what is written
	purge   *connection // its snapshot keeps deleted rows from being purged
	beside  *sql.Node
	clients []*client
	bell    chan struct{} // rings when a statement is answered
	moves   []move        // since Reset
	changed bool          // rows may be other than when they were compared
}

var (
	_ engine.Node      = (*Node)(nil)
	_ engine.Connected = (*Node)(nil)
)

// move is one call of the node.
type move func(context.Context) (engine.Result, error)

// Exec implements engine.Node. It returns when the statement is answered, or waits for a
// lock for certain.
func (n *Node) Exec(ctx context.Context, op engine.Op) (engine.Result, error) {
	return n.do(ctx, func(ctx context.Context) (engine.Result, error) { return n.exec(ctx, op) })
}

// Fault implements engine.Node: the connections of a process that crashed are cut.
func (n *Node) Fault(ctx context.Context, process string, kind engine.ChoiceKind) (engine.Effects, error) {
	return n.doBetween(ctx, func(ctx context.Context) (engine.Effects, error) { return n.beside.Fault(ctx, process, kind) })
}

// Disconnect implements engine.Connected.
func (n *Node) Disconnect(ctx context.Context, actor string) (engine.Effects, error) {
	return n.doBetween(ctx, func(ctx context.Context) (engine.Effects, error) { return n.beside.Disconnect(ctx, actor) })
}

// doBetween does what the server is not asked for.
func (n *Node) doBetween(ctx context.Context, do func(context.Context) (engine.Effects, error)) (engine.Effects, error) {
	res, err := n.do(ctx, func(ctx context.Context) (engine.Result, error) {
		want, err := do(ctx)
		if err == nil {
			n.leave()
			err = n.compare(ctx, want.Answered)
		}
		return engine.Result{Effects: want}, err
	})
	return res.Effects, err
}

// AdvanceTo implements engine.Node. The server's own clock ends no wait: a statement that
// waits for too long by the virtual one is killed.
func (n *Node) AdvanceTo(ctx context.Context, now engine.Instant) (engine.Effects, error) {
	res, err := n.do(ctx, func(ctx context.Context) (engine.Result, error) {
		var all engine.Result
		for id, ended := n.beside.EndWait(now); ended; id, ended = n.beside.EndWait(now) {
			if err := n.endWait(id); err != nil {
				return all, err
			}
			want := n.beside.Taken()
			if err := n.compare(ctx, want); err != nil {
				return all, err
			}
			all.Answered = append(all.Answered, want...)
		}
		return all, nil
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

// maxTries is how often a schedule is played when the server does otherwise than the node
// beside: two that are granted a lock at once race inside the server, and each wins about as often.
const maxTries = 50

// do makes a move. When the server does otherwise than the node beside, all moves are made
// again from the start.
func (n *Node) do(ctx context.Context, m move) (res engine.Result, err error) {
	err = n.own.Do(ctx, func() (err error) {
		n.moves = append(n.moves, m)
		res, err = m(ctx)
		for try := 1; try < maxTries && differs(err); try++ {
			res, err = n.again(ctx)
		}
		return err
	})
	return res, err
}

func differs(err error) bool {
	_, ok := errors.AsType[*process.Difference](err)
	return ok
}

// again makes all moves from the start, and returns what came of the last.
func (n *Node) again(ctx context.Context) (res engine.Result, err error) {
	all := n.moves
	err = n.own.Empty(ctx)
	n.moves = all
	if err != nil {
		return res, err
	}
	for _, m := range n.moves {
		if res, err = m(ctx); err != nil {
			break
		}
	}
	return res, err
}

// exec does one statement.
func (n *Node) exec(ctx context.Context, op engine.Op) (engine.Result, error) {
	want, err := n.beside.Exec(ctx, op)
	statement := strings.TrimRight(strings.Join(op.Args, " "), "; \t\r\n")
	n.leave()
	if err != nil || sql.Refused(want.Reply) || sql.SetsLockWait(statement) {
		return want, err
	}
	if (op.From == engine.Client{}) {
		got, err := n.control.perform(statement)
		if err == nil && !got.Equal(want.Reply) {
			err = &process.Difference{Got: got.String(), Want: want.Reply.String()}
		}
		n.changed = true
		return want, err
	}
	c, err := n.client(ctx, op.From.Actor)
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

// client is the connection that an actor has now.
func (n *Node) client(ctx context.Context, actor string) (*client, error) {
	open := sql.Connections(n.beside)
	at := open[slices.IndexFunc(open, func(c sql.Connection) bool { return !c.Left && c.Client.Actor == actor })]
	if i := slices.IndexFunc(n.clients, func(c *client) bool { return c.id == at.ID }); i >= 0 {
		return n.clients[i], nil
	}
	line, err := connect(ctx, socket(n.own.Process.Folder), sql.Schema, 0)
	if err != nil {
		return nil, err
	}
	c := &client{connection: line, id: at.ID, actor: actor}
	n.clients = append(n.clients, c)
	return c, nil
}

// leave cuts the connections that the node beside has no more, or whose clients are gone.
func (n *Node) leave() {
	open := sql.Connections(n.beside)
	for _, c := range n.clients {
		stays := slices.ContainsFunc(open, func(o sql.Connection) bool { return o.ID == c.id && !o.Left })
		switch {
		case stays || c.left:
			continue
		case c.running:
			c.hangUp()
		default:
			c.close()
		}
		c.left = true
	}
}

// endWait ends the wait of a connection for a lock.
func (n *Node) endWait(id int) error {
	i := slices.IndexFunc(n.clients, func(c *client) bool { return c.id == id })
	if i < 0 {
		return &process.Difference{Got: "no answer to anybody", Want: "that a wait is over"}
	}
	n.clients[i].overdue = true
	return n.control.kill("QUERY", n.clients[i].thread)
}
