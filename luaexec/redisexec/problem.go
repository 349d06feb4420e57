package redisexec

import (
	"context"
	"errors"
	"net"
	"strings"

	"lockstep/engine/reply"
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

// refusal is what a server's error reply means when it is about the server
// rather than about the command.
type refusal struct {
	code    string
	problem Problem
	what    string
	fix     string
}

var refusals = []refusal{
	{"NOAUTH", NeedsAuth, "the server wants a password", "put it into the URL: redis://:password@host:6379"},
	{"WRONGPASS", NeedsAuth, "the server does not take this user or password", "correct the URL: redis://user:password@host:6379"},
	{"MOVED", IsCluster, "the server is part of a cluster", "give the URL of a single Redis, for example redis://localhost:6379"},
	{"CLUSTERDOWN", IsCluster, "the server is part of a cluster", "give the URL of a single Redis, for example redis://localhost:6379"},
	{"CROSSSLOT", IsCluster, "the server is part of a cluster", "give the URL of a single Redis, for example redis://localhost:6379"},
	{"LOADING", IsLoading, "the server is still loading its data", "try again when it is ready"},
	{"READONLY", IsReplica, "the server is a read-only replica", "give the URL of its master"},
	{"MASTERDOWN", IsReplica, "the server is a replica that lost its master", "give the URL of a master"},
	{"OOM", NoMemory, "the server has no memory left for writes (maxmemory)", "free some of it, raise maxmemory, or use another server"},
	{"NOPERM", NoPermit, "this user may not do what a lesson needs", "allow it the keys and channels lockstep:* and the commands @all -@dangerous +info +keys +restore (and +acl|setuser +acl|deluser +acl|users for what visitors edit), or use another user"},
	{"BUSY", Stuck, "another script keeps the server busy", "end it with SCRIPT KILL, or try again when it is over"},
	{"MISCONF", Refused, "the server takes no writes because it cannot save them", "repair its persistence (its log says what is wrong) or use another server"},
	{"NOREPLICAS", Refused, "the server takes no writes without its replicas", "use another server"},
	{"DENIED", Refused, "the server is in protected mode", "set a password on it, or connect from its own machine"},
	{"ERR max number of clients reached", Refused, "the server takes no more clients", "raise its maxclients or close some"},
	{"ERR invalid password", NeedsAuth, "the server does not take this password", "correct the URL: redis://:password@host:6379"},
	{"ERR AUTH", NeedsAuth, "the server has no password, but the URL has one", "leave it out of the URL"},
}

// refused finds what a server's error text says about the server itself; nil
// when it says something about the command.
func (s *Server) refused(text string) *Error {
	for _, r := range refusals {
		if text == r.code || strings.HasPrefix(text, r.code+" ") {
			what := r.what
			if text != r.code {
				what += " (" + text + ")"
			}
			return s.problem(r.problem, what, r.fix, nil)
		}
	}
	// Redis 7.0 says the one, Valkey and newer Redis the other.
	if strings.Contains(text, "The user executing the script can't") || strings.Contains(text, "ACL failure in script") {
		return s.problem(NoPermit, "this user may not do what the script does ("+text+")",
			"allow it, or use another user", nil)
	}
	return nil
}

// refusedWithin is refused for a reply from within a transaction, where a server says
// no more than this about itself: a script may answer with any other word of its own.
func (s *Server) refusedWithin(r reply.Reply) *Error {
	e := s.refused(r.Str)
	if !r.IsError() || e == nil {
		return nil
	}
	switch code, _, _ := strings.Cut(r.Str, " "); code {
	case "OOM", "READONLY", "MISCONF", "NOREPLICAS", "MASTERDOWN", "NOPERM", "ERR":
		return e
	}
	return nil
}

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
		return s.problem(Unreachable, "the step was called off", "reset and replay", err)
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, context.DeadlineExceeded):
		return s.problem(Unreachable, "the server does not answer ("+err.Error()+")",
			"look whether it hangs, or whether something between drops the packets", err)
	}
	return s.problem(Unreachable, "the connection failed ("+err.Error()+")",
		"look whether the server runs and the address is right", err)
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
