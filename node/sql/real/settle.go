package real

import (
	"context"
	"slices"
	"time"

	"lockstep/engine/reply"
)

// client is a connection that an actor has, or had.
type client struct {
	*connection
	id      int    // that of the node beside
	actor   string // who sent the last statement
	running bool   // a statement was sent, and not answered
	overdue bool   // its wait for a lock is over by the virtual clock
	left    bool   // it has hung up
	done    chan answered
}

type answered struct {
	reply reply.Reply
	err   error
}

// answer is what an actor is told.
type answer struct {
	actor string
	reply reply.Reply
}

// send starts a statement. bell rings when it is answered.
func (c *client) send(statement string, bell chan<- struct{}) {
	c.running, c.done = true, make(chan answered, 1)
	go func() {
		r, err := c.perform(statement)
		c.done <- answered{r, err}
		select {
		case bell <- struct{}{}:
		default:
		}
	}()
}

// Limits on waiting, in real time.
const (
	settleLimit = answerLimit
	firstLook   = 200 * time.Microsecond
	lastLook    = 5 * time.Millisecond
)

// settle waits until every statement that was sent is answered or waits for a lock for
// certain, and until those that left are gone.
func (n *Node) settle(ctx context.Context) ([]answer, error) {
	var answers []answer
	ctx, cancel := context.WithTimeout(ctx, settleLimit)
	defer cancel()
	for look := firstLook; ; look = min(2*look, lastLook) {
		if err := n.collect(&answers); err != nil || !slices.ContainsFunc(n.clients, (*client).unsettled) {
			return answers, err
		}
		select {
		case <-n.bell:
			continue
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(look):
		}
		had := len(answers)
		quiet, err := n.quiet()
		if err == nil && quiet {
			err = n.collect(&answers)
		}
		if err != nil || quiet && had == len(answers) {
			return answers, err
		}
	}
}

func (c *client) unsettled() bool { return c.running || c.left }

// collect takes the answers that are there. Who has left hears none.
func (n *Node) collect(answers *[]answer) error {
	for _, c := range n.clients {
		if !c.running {
			continue
		}
		select {
		case a := <-c.done:
			c.running = false
			switch {
			case c.left:
			case a.err != nil:
				return a.err
			default:
				*answers = append(*answers, answer{c.actor, c.told(a.reply)})
			}
			c.overdue = false
		default:
		}
	}
	return nil
}

// told is an answer in the terms of the virtual clock: a wait that is over was interrupted.
func (c *client) told(r reply.Reply) reply.Reply {
	if c.overdue && r.IsError() && r.Str == interrupted {
		return reply.OfError(lockWaitOver)
	}
	return r
}

const (
	interrupted  = "ERROR 1317 (70100): Query execution was interrupted"
	lockWaitOver = "ERROR 1205 (HY000): Lock wait timeout exceeded; try restarting transaction"
)

// quiet tells whether every statement that is not answered waits for a lock, and forgets
// those that left and are gone. A statement of somebody who left goes on in the server.
func (n *Node) quiet() (bool, error) {
	if slices.ContainsFunc(n.clients, func(c *client) bool { return c.left }) {
		threads, err := n.control.threads()
		if err != nil {
			return false, err
		}
		n.clients = slices.DeleteFunc(n.clients, func(c *client) bool { return c.left && !threads[c.thread] })
	}
	var pending []*client
	for _, c := range n.clients {
		if c.unsettled() {
			pending = append(pending, c)
		}
	}
	before, err := n.control.counters()
	if err != nil || before.now != int64(len(pending)) {
		return false, err
	}
	if len(pending) == 0 {
		return true, nil
	}
	waiting, err := n.control.waiting()
	if err != nil {
		return false, err
	}
	for _, c := range pending {
		if !waiting[c.thread] {
			return false, nil
		}
	}
	after, err := n.control.counters()
	return before == after, err
}
