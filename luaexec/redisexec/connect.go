package redisexec

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// clients are the ways to a server.
type clients struct {
	steps   *wire         // as the node's own user where it has one
	owner   *redis.Client // for what that user may not do
	control *redis.Client // for what must get through while a script keeps the server busy, and for messages
}

// connect makes sure that the node has a server, a user there and a connection for
// steps. A private server that has died is replaced, and so is one on which a step
// went wrong, whatever that has left in it.
func (n *Node) connect(ctx context.Context) *Error {
	if !n.server.Private() {
		if err := n.server.stillHangs(ctx); err != nil {
			return err
		}
		n.clients.owner, n.clients.control = n.server.data, n.server.control
		n.options = n.server.options
	} else if err := n.connectPrivate(ctx); err != nil {
		return err
	}
	if n.lost == nil && n.clients.steps.open() {
		return nil
	}
	return n.dial(ctx)
}

// dial opens the connection for steps, as a user that is made anew: whoever closed
// the last one may have removed that too.
func (n *Node) dial(ctx context.Context) *Error {
	n.hangUp()
	options := n.options
	if n.server.noAccount == nil {
		a, err := n.server.openAccount(ctx, n.clients.control, options, n.userName(), n.rules())
		if err != nil {
			return err
		}
		n.account, options = a, a.options
	}
	w, err := openWire(ctx, options)
	if err != nil {
		return n.gone(err)
	}
	n.clients.steps = w
	return nil
}

// hangUp closes the connection for steps.
func (n *Node) hangUp() {
	n.clients.steps.close()
	n.clients.steps = nil
}

func (n *Node) connectPrivate(ctx context.Context) *Error {
	if n.process != nil && (n.lost != nil || n.process.ended()) {
		n.letGo()
	}
	if n.process == nil {
		p, err := n.server.take(ctx)
		if err != nil {
			return err
		}
		n.process = p
	}
	n.clients.owner, n.clients.control, n.options = n.process.owner, n.process.control, n.process.options
	return nil
}

// letGo ends the node's private server.
func (n *Node) letGo() {
	n.hangUp()
	n.account = nil
	n.server.discard(n.process)
	n.process = nil
}

// crashLimit is how long a crashing server may take to write its report, in real time.
const crashLimit = 2 * time.Second

// gone is what a failed connection means: a private server that has died is
// told from one that does not answer.
func (n *Node) gone(err error) *Error {
	if errors.Is(err, errTooBig) {
		return n.server.tooBig("the step answered, left in the keys or published more than is read of one step (4 MB)", err)
	}
	if n.process != nil {
		select {
		case <-n.process.done:
			return n.died(err)
		case <-time.After(crashLimit):
		}
	}
	return n.server.unreachable(err)
}

// ended tells that the node's own server has ended between two steps.
func (n *Node) ended() *Error {
	how := n.process.cmd.ProcessState.String()
	return n.server.problem(Unreachable, n.server.Version()+" has ended ("+how+")", "go on: the next step starts another", nil).
		inChinese(n.server.Version() + " 已经退出（" + how + "）：请继续，下一步会启动新的服务器")
}

// died is what the end of the node's own server in a step means.
func (n *Node) died(err error) *Error {
	s := n.server
	if n.process.starved.Load() {
		return s.problem(Unreachable, "the step needed more than the 256 MB that a server may take, and "+s.Version()+" ended",
			"mend the script; the next step starts the server again", err).
			inChinese("这一步需要的内存超过了服务器可用的 256 MB，" + s.Version() + " 已退出：请修改脚本，下一步会重新启动服务器")
	}
	how := n.process.cmd.ProcessState.String()
	return s.problem(Unreachable, s.Version()+" died in this step ("+how+")",
		"mend the script, which this version cannot run; the next step starts the server again", err).
		inChinese(s.Version() + " 在这一步崩溃了（" + how + "）：这个版本无法执行该脚本，请修改；下一步会重新启动服务器")
}

func (s *Server) tooBig(what string, err error) *Error {
	return s.problem(TooBig, what, "mend the script so that it makes less", err).
		inChinese("这一步的回复、消息或留下的数据太多，超过了单步读取的上限（4 MB）：请修改脚本，减少数据量")
}
