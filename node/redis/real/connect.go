package real

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/engine/fact"
)

// owner is the ways to a server of whom it belongs to, for what the users of nodes may not do.
type owner struct {
	options redis.Options
	data    *redis.Client // in the database of nodes
	control *redis.Client // in no database: for what must get through while a script keeps the server busy, and for messages
}

func newOwner(options redis.Options) owner {
	o := owner{options: options, data: newMetered(options)}
	options.DB = 0
	o.control = newMetered(options)
	return o
}

func (o owner) close() error { return errors.Join(o.control.Close(), o.data.Close()) }

// connect makes sure that the node has a server, a user there and a connection for
// steps. A private server that has died is replaced, and so is one on which a step
// went wrong, whatever that has left in it.
func (n *Node) connect(ctx context.Context) *Error {
	if !n.server.Private() {
		if err := n.server.stillHangs(ctx); err != nil {
			return err
		}
		n.owner = n.server.owner
	} else if err := n.connectPrivate(ctx); err != nil {
		return err
	}
	if n.lost == nil && n.steps.open() {
		return nil
	}
	return n.dial(ctx)
}

// dial opens the connection for steps, as a user that is made anew: whoever closed
// the last one may have removed that too.
func (n *Node) dial(ctx context.Context) *Error {
	n.closeSteps()
	options := n.options
	if n.server.noAccount == nil {
		as, err := n.openAccount(ctx)
		if err != nil {
			return err
		}
		n.confined, options = true, as
	}
	w, err := openWire(ctx, options)
	if err != nil {
		return n.connectionError(err)
	}
	n.steps = w
	return nil
}

func (n *Node) closeSteps() {
	n.steps.close()
	n.steps = nil
}

func (n *Node) connectPrivate(ctx context.Context) *Error {
	if n.process != nil && (n.lost != nil || n.process.Ended()) {
		n.dropProcess()
	}
	if n.process == nil {
		p, err := n.server.take(ctx)
		if err != nil {
			return err
		}
		n.process = p
	}
	n.owner = n.process.owner
	return nil
}

// dropProcess ends the node's private server.
func (n *Node) dropProcess() {
	n.closeSteps()
	n.confined = false
	n.server.discard(n.process)
	n.process = nil
}

// Crash implements engine.Crasher: a private server is killed, and Reset starts another.
// On a shared one the session's keys go.
func (n *Node) Crash(ctx context.Context) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case n.lost != nil:
		return n.lost
	case n.process == nil:
		return n.reset(ctx)
	}
	n.process.Kill()
	for _, l := range n.listeners {
		_ = l.conn.Close()
	}
	n.forget()
	n.dropProcess()
	n.ready = false
	return nil
}

// crashLimit is how long a crashing server may take to write its report, in real time.
const crashLimit = 2 * time.Second

// connectionError is the problem behind a failed connection: a private server that has
// died is told from one that does not answer.
func (n *Node) connectionError(err error) *Error {
	if errors.Is(err, errTooBig) {
		return n.server.tooMuchData()
	}
	if n.process != nil {
		select {
		case <-n.process.Done():
			return n.deathError()
		case <-time.After(crashLimit):
		}
	}
	return n.server.unreachable(err)
}

// deathError is the problem behind the end of the node's own server in a step.
func (n *Node) deathError() *Error {
	s := n.server
	if n.process.OutOfMemory() {
		return s.problem(fact.Of("out-of-memory", processMemory>>20, s.Version()))
	}
	return s.problem(fact.Of("server-died", s.Version(), n.process.State()))
}

func (s *Server) tooMuchData() *Error {
	return s.problem(fact.Of("too-much-data", replyLimit>>20, maxValues))
}
