package real

import (
	"strings"

	"lockstep/engine/fact"
	"lockstep/engine/reply"
)

// refusals are the error replies of a server that are about the server rather than
// about the command, by how they begin.
var refusals = []struct {
	prefix string
	about  fact.Fact
}{
	{"NOAUTH", fact.Of("no-password")},
	{"WRONGPASS", fact.Of("wrong-user")},
	{"MOVED", fact.Of("cluster")},
	{"CLUSTERDOWN", fact.Of("cluster")},
	{"CROSSSLOT", fact.Of("cluster")},
	{"LOADING", fact.Of("loading")},
	{"READONLY", fact.Of("replica")},
	{"MASTERDOWN", fact.Of("lost-master")},
	{"OOM", fact.Of("maxmemory")},
	{"NOPERM", fact.Of("no-permission")},
	{"BUSY", fact.Of("busy")},
	{"MISCONF", fact.Of("cannot-save")},
	{"NOREPLICAS", fact.Of("no-replicas")},
	{"DENIED", fact.Of("protected-mode")},
	{"ERR max number of clients reached", fact.Of("maxclients")},
	{"ERR invalid password", fact.Of("wrong-password")},
	{"ERR AUTH", fact.Of("needless-password")},
}

// refused finds what a server's error text says about the server itself; nil
// when it says something about the command.
func (s *Server) refused(text string) *Error {
	for _, r := range refusals {
		if text == r.prefix || strings.HasPrefix(text, r.prefix+" ") {
			return s.problem(fact.Of(r.about.Code, text))
		}
	}
	// Redis 7.0 says the one, Valkey and newer Redis the other.
	if strings.Contains(text, "The user executing the script can't") || strings.Contains(text, "ACL failure in script") {
		return s.problem(fact.Of("script-not-permitted", text))
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

// forged tells whether a script has answered with an error that servers have for themselves, and that this
// one had no reason for; refused is what it said to a write right after the script.
func (s *Server) forged(r reply.Reply, refused string) bool {
	switch code, _, _ := strings.Cut(r.Str, " "); code {
	case "OOM", "READONLY", "MISCONF", "NOREPLICAS", "MASTERDOWN":
		return !strings.HasPrefix(refused, code+" ")
	case "NOPERM":
		return !strings.HasPrefix(r.Str, "NOPERM ACL failure in script")
	}
	return false
}

// unexpected is the problem behind an error reply to a command of our own.
func (s *Server) unexpected(text string) *Error {
	if e := s.refused(text); e != nil {
		return e
	}
	return s.problem(fact.Of("server-answered", text))
}

// concernsLesson tells whether a refusal is a reply to the lesson rather than trouble with
// the server: the lesson's user may not do this, or its own server is full.
func (n *Node) concernsLesson(e *Error) bool {
	switch e.What.Code {
	case "no-permission", "script-not-permitted":
		return n.confined
	case "maxmemory":
		return n.process != nil
	}
	return false
}
