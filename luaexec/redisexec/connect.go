package redisexec

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// clients are the two ways to a server: for the session's data, and for what
// must get through while a script keeps the server busy.
type clients struct{ data, control *redis.Client }

// connect makes sure that the node has a server. A private one that has died is
// replaced, so that a reset heals a crash.
func (n *Node) connect(ctx context.Context) *Error {
	s := n.server
	if !s.Private() {
		n.clients = clients{s.data, s.control}
		return nil
	}
	if n.process != nil {
		select {
		case <-n.process.done:
			s.discard(n.process)
			n.process = nil
		default:
		}
	}
	if n.process == nil {
		p, err := s.take(ctx)
		if err != nil {
			return err
		}
		n.process = p
		n.clients = clients{p.data, p.control}
	}
	return nil
}

// crashLimit is how long a crashing server may take to write its report, in real time.
const crashLimit = 2 * time.Second

// gone is what a failed connection means: a private server that has died is
// told from one that does not answer.
func (n *Node) gone(err error) *Error {
	if n.process != nil {
		select {
		case <-n.process.done:
			return n.server.problem(Unreachable,
				n.server.Version()+" died in this step ("+n.process.cmd.ProcessState.String()+")",
				"the step cannot run on this version: reset starts the server again", err)
		case <-time.After(crashLimit):
		}
	}
	return n.server.unreachable(err)
}
