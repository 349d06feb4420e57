package redisexec

import (
	"context"
	"strings"
	"time"

	"lockstep/engine/reply"
)

// scriptLimit is how long a step may run before its script is killed, and the
// others bound how long that may take, all in real time.
const (
	scriptLimit = time.Second
	graceLimit  = 100 * time.Millisecond
	killLimit   = 10 * time.Second
)

type sent struct {
	replies []reply.Reply
	err     error
}

// send makes one round trip. A script that runs on is killed: killed tells so,
// and its reply is then an error.
func (n *Node) send(ctx context.Context, commands [][]any) (replies []reply.Reply, killed bool, problem *Error) {
	done := make(chan sent, 1)
	data := n.clients.data
	go func() {
		replies, err := askAll(context.WithoutCancel(ctx), data, commands)
		done <- sent{replies, err}
	}()
	timer := time.NewTimer(scriptLimit)
	defer timer.Stop()
	var result sent
	select {
	case result = <-done:
	case <-timer.C:
		result, killed, problem = n.endScript(ctx, done)
	case <-ctx.Done():
		result, killed, problem = n.endScript(ctx, done)
		if problem == nil {
			problem = n.server.unreachable(ctx.Err())
		}
	}
	if problem != nil {
		return nil, false, problem
	}
	if result.err != nil {
		return nil, false, n.gone(result.err)
	}
	return result.replies, killed, nil
}

// endScript kills the script of a step that does not end, unless the step ends
// by itself. The server is asked first whether it is busy, and the step given a
// moment: were another's script the busy one, the step would be refused by now.
func (n *Node) endScript(ctx context.Context, done <-chan sent) (result sent, killed bool, problem *Error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), killLimit)
	defer cancel()
	for {
		busy, err := ask(ctx, n.clients.control, "PING")
		select {
		case result = <-done:
			return result, false, nil
		case <-time.After(graceLimit):
		}
		if err == nil && !strings.HasPrefix(busy.Str, "BUSY") {
			if ctx.Err() != nil {
				return sent{}, false, n.abandon("a step does not end")
			}
			continue
		}
		var answer reply.Reply
		if err == nil {
			answer, err = ask(ctx, n.clients.control, "SCRIPT", "KILL")
		}
		switch {
		case err != nil:
			return sent{}, false, n.abandon("the server does not answer (" + err.Error() + ")")
		case strings.HasPrefix(answer.Str, "UNKILLABLE"):
			return sent{}, false, n.abandon("a script ran for more than " + scriptLimit.String() +
				", and as it has written already it cannot be killed")
		case !answer.IsError():
			select {
			case result = <-done:
				return result, true, nil
			case <-ctx.Done():
				return sent{}, false, n.abandon("a script was killed but does not end")
			}
		}
	}
}

// abandon gives up a server that cannot be brought back: one of our own is
// ended, so that a reset starts another.
func (n *Node) abandon(what string) *Error {
	if n.process != nil {
		n.process.kill()
		return n.server.problem(Stuck, what+"; the server was stopped", "reset, which starts it again, and mend the script", nil)
	}
	return n.server.problem(Stuck, what, "the server serves nobody until the script ends: its owner may end it with SHUTDOWN NOSAVE", nil)
}
