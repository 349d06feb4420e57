package redisexec

import (
	"context"
	"errors"
	"net"
	"strings"
)

// Problem is a kind of trouble with a server, as a page may want to name it.
type Problem string

// The problems that a server can have.
const (
	Unreachable Problem = "unreachable" // nothing answers, or it stopped answering
	Refused     Problem = "refused"     // it answers, but with a refusal of its own
	NeedsAuth   Problem = "auth"        // no password, or a wrong one
	IsCluster   Problem = "cluster"     // keys are spread over slots
	IsLoading   Problem = "loading"     // it still reads its data from disk
	IsReplica   Problem = "replica"     // it takes no writes
	NoMemory    Problem = "memory"      // maxmemory is reached
	NoPermit    Problem = "permission"  // an ACL rule forbids what a lesson needs
	NoAccount   Problem = "no account"  // nodes have no user of their own, only the URL's
	Porous      Problem = "porous"      // a script can change what the scripts of other users do
	TooOld      Problem = "too old"     // older than Redis 7.0
	NotFound    Problem = "not found"   // no server program to start
	Slow        Problem = "slow"        // the clock went on in a step, and its TTLs are not exact
	Stuck       Problem = "stuck"       // a script ran on and could not be ended
	TooBig      Problem = "too big"     // a step left or answered more than is read
	Outside     Problem = "outside"     // a script wrote a key that is not the session's
	Lost        Problem = "lost"        // the server no longer holds what the node remembers
)

// Error says what happened on a server and what to do about it.
type Error struct {
	Problem Problem
	// NeedsReset tells that the node no longer knows what the server holds:
	// every call but Reset fails from now on.
	NeedsReset bool

	where string // the server, without its password
	what  string
	fix   string
	zh    string // what and fix in Chinese, where a learner may meet them
	cause error
}

// ErrSlow is what errors.Is finds in an error with the problem Slow: the step
// was undone, and the schedule may be replayed.
var ErrSlow = &Error{Problem: Slow}

func (e *Error) Error() string {
	if e.what == "" {
		return string(e.Problem)
	}
	return e.where + ": " + e.what + ": " + e.fix
}

// Zh says the same in Chinese, if it can.
func (e *Error) Zh() string {
	if e.zh == "" {
		return e.Error()
	}
	return e.where + "：" + e.zh
}

// inChinese adds the text for Zh.
func (e *Error) inChinese(text string) *Error {
	e.zh = text
	return e
}

// Is tells whether target is an Error with the same Problem.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Problem == e.Problem
}

func (e *Error) Unwrap() error { return e.cause }

// unreachable is the problem behind an error of the connection.
func (s *Server) unreachable(err error) *Error {
	if known, ok := errors.AsType[*Error](err); ok {
		return known
	}
	if e := s.refused(serverText(err)); e != nil {
		return e
	}
	var timeout net.Error
	switch {
	case errors.Is(err, context.Canceled):
		return s.problem(Unreachable, "the step was called off", "reset and replay", err).inChinese("这一步已被取消：请重置后重试")
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, context.DeadlineExceeded):
		s.hangs.Store(true)
		return s.problem(Unreachable, "the server does not answer ("+err.Error()+")",
			"look whether it hangs, or whether something between drops the packets", err).
			inChinese("服务器没有响应（" + err.Error() + "）：请检查它是否卡住，或者中间的网络是否丢包")
	}
	return s.problem(Unreachable, "the connection failed ("+err.Error()+")",
		"look whether the server runs and the address is right", err).
		inChinese("连接失败（" + err.Error() + "）：请检查服务器是否在运行、地址是否正确")
}

// serverText is the reply of the server inside an error of its client.
func serverText(err error) string {
	text := err.Error()
	for _, wrap := range []string{"failed to authenticate: ", "failed to initialize connection options: "} {
		text = strings.TrimPrefix(text, wrap)
	}
	return text
}

func (s *Server) problem(p Problem, what, fix string, cause error) *Error {
	return &Error{Problem: p, where: s.where, what: what, fix: fix, cause: cause}
}
