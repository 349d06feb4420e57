package redisexec

import (
	"context"
	"fmt"
	"strings"
	"time"

	"lockstep/engine/reply"
)

// scriptLimit is how long a step may run before its script is killed, and the
// others bound how long that may take, all in real time.
const (
	scriptLimit = 2 * time.Second
	graceLimit  = 100 * time.Millisecond
	killLimit   = 10 * time.Second // a server that is not ours may be told to admit late that it is busy
	stuckLimit  = 3 * time.Second  // for our own, which admits it at once unless it hangs inside one function
)

// lookLimit is how long a server that did not answer has to show that it is back.
const lookLimit = 500 * time.Millisecond

// stillHangs is the problem of a shared server that did not answer when it was asked last,
// and does not now: whoever comes next is told at once.
func (s *Server) stillHangs(ctx context.Context) *Error {
	if s.Private() || !s.hangs.Load() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	if _, err := send(ctx, s.control, "PING"); err != nil {
		return s.unreachable(err)
	}
	s.hangs.Store(false)
	return nil
}

type sent struct {
	done transaction
	err  error
}

// send runs commands in a transaction. A script that runs on is killed: killed tells
// so, and its reply is then an error.
func (n *Node) send(ctx context.Context, commands [][]any) (t transaction, killed bool, problem *Error) {
	done := make(chan sent, 1)
	steps := n.clients.steps
	go func() {
		var s sent
		defer func() {
			if p := recover(); p != nil { // or it would end the whole playground
				s.err = fmt.Errorf("a reply could not be read: %v", p)
			}
			done <- s
		}()
		s.done, s.err = steps.transact(context.WithoutCancel(ctx), commands)
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
		return transaction{}, false, problem
	}
	if result.err != nil {
		return transaction{}, false, n.gone(result.err)
	}
	return result.done, killed, nil
}

// endScript kills the script of a step that does not end, unless the step ends
// by itself. The server is asked first whether it is busy, and the step given a
// moment: were another's script the busy one, the step would be refused by now.
func (n *Node) endScript(ctx context.Context, done <-chan sent) (result sent, killed bool, problem *Error) {
	limit := killLimit
	if n.process != nil {
		limit = stuckLimit
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	for {
		busy, err := send(ctx, n.clients.control, "PING")
		select {
		case result = <-done:
			return result, false, nil
		case <-time.After(graceLimit):
		}
		if err == nil && !strings.HasPrefix(busy.Str, "BUSY") {
			if ctx.Err() != nil {
				return sent{}, false, n.abandon("a step does not end", "这一步没有结束")
			}
			continue
		}
		var answer reply.Reply
		if err == nil {
			answer, err = send(ctx, n.clients.control, "SCRIPT", "KILL")
		}
		switch {
		case err != nil:
			return sent{}, false, n.abandon("a step ran for more than "+scriptLimit.String()+
				", and meanwhile the server answers nothing",
				"这一步运行超过了 "+scriptLimit.String()+"，期间服务器没有响应")
		case strings.HasPrefix(answer.Str, "UNKILLABLE"):
			return sent{}, false, n.abandon("a script ran for more than "+scriptLimit.String()+
				", and as it has written already it cannot be killed",
				"脚本运行超过了 "+scriptLimit.String()+"，而且已经写过数据，无法用 SCRIPT KILL 终止")
		case !answer.IsError():
			select {
			case result = <-done:
				return result, true, nil
			case <-ctx.Done():
				return sent{}, false, n.abandon("a script was killed but does not end", "脚本已被终止，但没有结束")
			}
		}
	}
}

// abandon gives up a server that cannot be brought back: one of our own is
// ended, and the next step starts another.
func (n *Node) abandon(what, zh string) *Error {
	if n.process != nil {
		n.process.kill()
		return n.server.problem(Stuck, what+"; the server was stopped",
			"mend the script if it takes that long; the next step starts the server again", nil).
			inChinese(zh + "，服务器已被停止：如果是脚本耗时太长，请修改；下一步会重新启动服务器")
	}
	return n.server.problem(Stuck, what,
		"the server serves nobody until the script ends: its owner may end it with SHUTDOWN NOSAVE", nil).
		inChinese(zh + "：在脚本结束之前服务器无法响应任何人，它的管理员可以用 SHUTDOWN NOSAVE 结束它")
}
