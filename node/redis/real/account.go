package real

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/redis/go-redis/v9"

	"lockstep/engine/fact"
	"lockstep/node/redis/portable"
)

// lessonCommands are what lessons are made of: commands on the types that they
// use, never on the server. Names of modules' commands are not among them.
var lessonCommands = []string{
	"-@all", "+@keyspace", "+@string", "+@hash", "+@list", "+@set", "+@sortedset", "+@stream",
	"-@dangerous",
	"+@transaction", "+eval", "+eval_ro", "+evalsha", "+evalsha_ro", "+script|load", "+script|exists",
	"+publish", "+spublish", "+ping", "+echo",
}

// rules are what the user of a node may do. Steps bring along thawing and
// freezing, which need nothing that lessons have not, but for the names aside, and where
// time moves TIME and DUMP.
func (n *Node) rules() []string {
	rules := slices.Clone(lessonCommands)
	for _, name := range portable.Denied() {
		rules = append(rules, "-"+name)
	}
	rules = append(rules, "+multi", "+exec")
	if !n.server.timeStands {
		rules = append(rules, "+time", "+dump")
	}
	if n.server.Private() {
		return append(rules, "~*", "&*", "+keys", "+flushall", "+flushdb", "+pubsub", "+script|flush")
	}
	// No pattern of names holds for this: it would leave something in a database that
	// nobody looks into.
	rules = append(rules, "+keys|"+n.pattern(), "~"+n.pattern(), "&"+n.pattern(), "~"+n.reservedName("dbsize"))
	if db := n.server.options.DB; db != 0 {
		rules = append(rules, "+select|"+strconv.Itoa(db))
	}
	return rules
}

// openAccount makes the ACL user that the steps of the node run as, and tells how to connect as it. A
// script or a program that a visitor wrote reaches the session's names so, and no more. Only this process
// knows its password; of a killed playground it stays, and its names are gone after an hour.
func (n *Node) openAccount(ctx context.Context) (redis.Options, *Error) {
	sum := sha256.Sum256([]byte(n.server.password))
	args := []string{"ACL", "SETUSER", n.userName(), "reset", "on", "#" + hex.EncodeToString(sum[:])}
	if e := n.server.execOK(ctx, n.control, append(args, n.rules()...)...); e != nil {
		return redis.Options{}, e
	}
	as := n.options
	as.Username, as.Password = n.userName(), n.server.password
	return as, nil
}

// closeAccount removes the user, and with it its connections.
func (n *Node) closeAccount(ctx context.Context) *Error {
	return n.server.execOK(ctx, n.control, "ACL", "DELUSER", n.userName())
}

// execOK sends a command whose reply matters only if it is an error.
func (s *Server) execOK(ctx context.Context, c *redis.Client, args ...string) *Error {
	r, err := send(ctx, c, args...)
	if err != nil {
		return s.unreachable(err)
	}
	if r.IsError() {
		return s.unexpected(r.Str)
	}
	return nil
}

// probeAccount finds out whether nodes can have users of their own here, which the user of
// the URL must be allowed to make, and whether such users keep scripts apart.
func (s *Server) probeAccount(ctx context.Context, o owner) {
	if problem := s.probeUser(ctx, o); problem != nil {
		s.noAccount = s.problem(fact.Of("no-account", problem.What))
	}
}

func (s *Server) probeUser(ctx context.Context, o owner) *Error {
	if !s.Private() {
		if problem := s.announcePresence(ctx); problem != nil {
			return problem
		}
	}
	n := s.Node("probe", "")
	n.owner = o
	options, problem := n.openAccount(ctx)
	if problem != nil {
		return problem
	}
	problem = s.probeScripts(ctx, options)
	if e := n.closeAccount(ctx); problem == nil {
		problem = e
	}
	return problem
}

//go:embed interpreter.lua
var interpreterScript string

// probeScripts finds out, in a step that changes nothing, whether a script can change the
// interpreter for the later scripts of all users.
func (s *Server) probeScripts(ctx context.Context, opts redis.Options) *Error {
	r, problem := s.inStep(ctx, opts, interpreterScript)
	if problem == nil && r.Int > 0 && !s.Private() {
		s.sharedInterpreter = s.problem(fact.Of("shared-interpreter", s.Version()))
	}
	return problem
}
