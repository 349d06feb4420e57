package sql

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"lockstep/engine"
)

// Node is an embedded SQL server. Each actor has a connection of its own, besides those that its process shares. It is for one
// goroutine at a time; its forks are independent of it.
type Node struct {
	tables      []*table      // by name
	connections []*connection // by name, those that are closed first
	commits     int
	isolation   isolation // of new connections
	limits      limits    // of new connections
	opened      int       // connections since Reset
	now         engine.Instant
	answers     []engine.Answer // that were not passed on yet
	deadlock    engine.Deadlock
}

var _ engine.Forker = (*Node)(nil)

// NewNode is an empty server at instant 0.
func NewNode() *Node { return &Node{} }

// Exec runs the one statement that an op is, or has it wait for a lock. It always answers: the
// error is nil. A statement without a client belongs to the setup before the run; only the setup may
// create tables and set globals.
func (n *Node) Exec(_ context.Context, op engine.Op) (engine.Result, error) {
	s, err := parse(strings.Join(op.Args, " "))
	setup := op.From == engine.Client{}
	switch {
	case op.Script != nil:
		err = unsupported("scripts")
	case err == nil && s.verb == createTable && !setup:
		err = unsupported("CREATE")
	case err == nil && s.scope == global && !setup:
		err = unsupported("SET GLOBAL")
	}
	if err != nil {
		return engine.Result{Reply: err.reply()}, nil
	}
	c := n.connect(op)
	if c.ended {
		n.disconnect(c)
		return engine.Result{Reply: errGone().reply()}, nil
	}
	if c.running != nil {
		return engine.Result{Reply: unsupported("two statements at once on " + op.Shared).reply()}, nil
	}
	c.running = &running{statement: s}
	if err := n.check(c, s); err != nil {
		n.answer(c, err.reply())
	} else {
		c.arrival = n.arrive()
		n.begin(c)
		n.run(c)
	}
	n.settle()
	if setup {
		n.disconnect(c)
	}
	return n.result(op.From.Actor), nil
}

// result takes the answers that are ready since the last call: the actor's own is the reply, and those to other actors, whom
// its statement has let go on, are Answered. Without one of its own, the statement waits.
func (n *Node) result(actor string) engine.Result {
	res := engine.Result{Waits: true}
	res.Answered = n.Taken()
	for i, a := range res.Answered {
		if a.Actor == actor {
			res.Reply, res.Waits = a.Reply, false
			res.Answered = slices.Delete(res.Answered, i, i+1)
			break
		}
	}
	return res
}

// Taken is the answers that were not passed on yet.
func (n *Node) Taken() []engine.Answer {
	answers := n.answers
	n.answers = nil
	return answers
}

// connect is the connection of a client. A client that sends something while its last
// statement still runs has given up on that, and has opened another one, unless its process shares it.
func (n *Node) connect(op engine.Op) *connection {
	i, found := n.connection(op)
	if found && (op.Shared != "" || n.connections[i].running == nil) {
		c := n.connections[i]
		if c.running == nil {
			c.client = op.From
		}
		return c
	}
	if found {
		n.connections[i].closed = true
		i++
	}
	n.opened++
	c := &connection{id: n.opened, name: nameOf(op), client: op.From, isolation: n.isolation, limits: n.limits, since: n.now}
	n.connections = slices.Insert(n.connections, i, c)
	return c
}

// connection is the place of the connection on which an op is sent, or where it would be.
func (n *Node) connection(op engine.Op) (int, bool) {
	return slices.BinarySearchFunc(n.connections, nameOf(op), func(c *connection, name string) int {
		if d := strings.Compare(c.name, name); d != 0 || !c.closed {
			return d
		}
		return -1
	})
}

// nameOf is the name of the connection that an op uses: the actor's own, or one that the threads of a process share.
func nameOf(op engine.Op) string {
	if op.Shared == "" {
		return op.From.Actor
	}
	return op.From.Process + "/" + op.Shared
}

func (n *Node) table(name string) *table {
	i, ok := slices.BinarySearchFunc(n.tables, name, func(t *table, name string) int { return strings.Compare(t.name, name) })
	if !ok {
		return nil
	}
	return n.tables[i]
}

// Fault ends the connections of a process that crashed. A statement that waits for a lock
// goes on waiting: the server notices that nobody is there only when it wants to answer.
func (n *Node) Fault(_ context.Context, process string, kind engine.ChoiceKind) (engine.Effects, error) {
	if kind == engine.Crash {
		n.close(func(c *connection) bool { return c.client.Process == process })
	}
	return engine.Effects{Answered: n.Taken()}, nil
}

// Disconnect ends the connection of an actor, and none that its process shares.
func (n *Node) Disconnect(_ context.Context, actor string) (engine.Effects, error) {
	n.close(func(c *connection) bool { return c.name == actor })
	return engine.Effects{Answered: n.Taken()}, nil
}

func (n *Node) close(gone func(*connection) bool) {
	for _, c := range slices.Clone(n.connections) {
		switch {
		case c.closed || !gone(c):
		case c.running != nil:
			c.closed = true
		default:
			n.disconnect(c)
		}
	}
	n.settle()
}

// AdvanceTo moves the clock, and ends waits for locks and connections that took too long.
func (n *Node) AdvanceTo(_ context.Context, now engine.Instant) (engine.Effects, error) {
	for ended := true; ended; {
		_, ended = n.EndNext(now)
	}
	return engine.Effects{Answered: n.Taken()}, nil
}

// waiting is the connections that wait for a lock, longest first.
func (n *Node) waiting() []*connection {
	var all []*connection
	for _, c := range n.connections {
		if c.transaction != nil && c.transaction.waits != nil {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b *connection) int { return cmp.Compare(a.arrival, b.arrival) })
	return all
}

// Shift moves the clock, and with it the end of every wait.
func (n *Node) Shift(by time.Duration) {
	n.now += by
	for _, c := range n.connections {
		c.until += by
		c.since += by
	}
}

// Reset makes the node as NewNode does.
func (n *Node) Reset(context.Context) error {
	*n = Node{}
	return nil
}

// Bytes is about how many bytes the node takes.
func (n *Node) Bytes() int {
	total := 0
	for _, t := range n.tables {
		for _, r := range t.all() {
			total += 100 + 80*len(r.locks) + 48*len(t.columns)*(1+len(r.written))
			for v := r.committed; v != nil; v = v.before {
				total += 48 * len(v.row)
			}
		}
	}
	return total + 300*len(n.connections)
}
