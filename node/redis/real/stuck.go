package real

import (
	"context"
	"fmt"
	"strings"
	"time"

	"lockstep/engine/fact"
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
func (n *Node) send(ctx context.Context, commands [][]string) (t transaction, killed bool, problem *Error) {
	done := make(chan sent, 1)
	steps := n.steps
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
		return transaction{}, false, n.connectionError(result.err)
	}
	return result.done, killed, nil
}

// endScript kills the script of a step that does not end, unless the step ends
// by itself: it does at the latest when nothing has come of its answer for too long.
func (n *Node) endScript(ctx context.Context, done <-chan sent) (result sent, killed bool, problem *Error) {
	ctx = context.WithoutCancel(ctx)
	for {
		result, killed, over, problem := n.tryToEnd(ctx, done)
		if over || problem != nil {
			return result, killed, problem
		}
	}
}

// tryToEnd kills the script if there is one: not over means that the server is there, and
// none runs. It is asked first whether it is busy, and the step given a moment: were
// another's script the busy one, the step would be refused by now.
func (n *Node) tryToEnd(ctx context.Context, done <-chan sent) (result sent, killed, over bool, problem *Error) {
	limit := killLimit
	if n.process != nil {
		limit = stuckLimit
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	busy, err := send(ctx, n.control, "PING")
	select {
	case result = <-done:
		return result, false, true, nil
	case <-time.After(graceLimit):
	}
	if err == nil && !strings.HasPrefix(busy.Str, "BUSY") {
		return sent{}, false, false, nil
	}
	var answer reply.Reply
	if err == nil {
		answer, err = send(ctx, n.control, "SCRIPT", "KILL")
	}
	switch {
	case err != nil:
		return sent{}, false, false, n.abandon(fact.Of("server-silent", scriptLimit))
	case strings.HasPrefix(answer.Str, "UNKILLABLE"):
		return sent{}, false, false, n.abandon(fact.Of("unkillable", scriptLimit))
	case answer.IsError():
		return sent{}, false, false, nil
	}
	select {
	case result = <-done:
		return result, true, true, nil
	case <-ctx.Done():
		return sent{}, false, false, n.abandon(fact.Of("kill-ignored"))
	}
}

// abandon gives up a server that cannot be brought back: one of our own is
// ended, and the next step starts another.
func (n *Node) abandon(why fact.Fact) *Error {
	if n.process != nil {
		n.process.Kill()
		return n.server.problem(fact.Of("server-stopped", why))
	}
	return n.server.problem(fact.Of("server-blocked", why))
}
