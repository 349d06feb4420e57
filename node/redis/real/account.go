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

// account is the ACL user that the steps of one node run as, so that a script or
// a program that a visitor wrote reaches the session's names and no more. It is
// made with the node and removed with it. What a killed playground leaves is a
// user whose password nobody knows, and whose names are gone after an hour.
type account struct {
	name    string
	options redis.Options // to connect as this user
}

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

// openAccount makes a user with a password that only this process knows.
func (s *Server) openAccount(ctx context.Context, owner *redis.Client, opts redis.Options, name string, rules []string) (*account, *Error) {
	sum := sha256.Sum256([]byte(s.password))
	args := []any{"ACL", "SETUSER", name, "reset", "on", "#" + hex.EncodeToString(sum[:])}
	if e := s.execOK(ctx, owner, append(args, anys(rules)...)...); e != nil {
		return nil, e
	}
	opts.Username, opts.Password = name, s.password
	return &account{name, opts}, nil
}

// closeAccount removes the user, and with it its connections.
func (s *Server) closeAccount(ctx context.Context, owner *redis.Client, a *account) *Error {
	return s.execOK(ctx, owner, "ACL", "DELUSER", a.name)
}

// execOK sends a command whose reply matters only if it is an error.
func (s *Server) execOK(ctx context.Context, c *redis.Client, args ...any) *Error {
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
func (s *Server) probeAccount(ctx context.Context, owner *redis.Client, opts redis.Options) {
	if problem := s.probeUser(ctx, owner, opts); problem != nil {
		s.noAccount = s.problem(fact.Of("no-account", problem.What))
	}
}

func (s *Server) probeUser(ctx context.Context, owner *redis.Client, opts redis.Options) *Error {
	if !s.Private() {
		if problem := s.announcePresence(ctx); problem != nil {
			return problem
		}
	}
	n := s.Node("probe", "")
	a, problem := s.openAccount(ctx, owner, opts, n.userName(), n.rules())
	if problem != nil {
		return problem
	}
	problem = s.probeScripts(ctx, a.options)
	if e := s.closeAccount(ctx, owner, a); problem == nil {
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
