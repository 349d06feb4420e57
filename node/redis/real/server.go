package real

import (
	"context"
	"crypto/rand"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/engine/fact"
	"lockstep/engine/reply"
	"lockstep/node/process"
)

// Server is a place where nodes can live: one shared server behind a URL, or
// private servers that are started and stopped here, one for each node.
type Server struct {
	where      string // as shown to people, without a password
	name       string // redis or valkey
	version    string
	timeStands bool // time stands still inside EXEC

	owner // of a shared server

	password string        // of the nodes' users
	token    string        // in names of our own that no script may guess
	id       string        // of this playground, in all names on a shared server
	presence *redis.PubSub // says on a shared server that this playground lives

	hangs             atomic.Bool // a shared server did not answer when it was asked last
	noAccount         *Error      // why nodes have no user of their own; nil: they have one
	sharedInterpreter *Error      // why such a user would not keep scripts apart; nil: it does

	pool  *process.Pool // of private servers
	mu    sync.Mutex
	spare *private // that no node has taken
}

// Limits on waiting, in real time.
const (
	dialLimit   = 3 * time.Second
	greetLimit  = 3 * time.Second  // to find out what a server is
	answerLimit = 12 * time.Second // to send anything: longer than a server takes to admit that a script keeps it busy
)

// Version is the server's name and version, as in "redis 7.0.15".
func (s *Server) Version() string { return s.name + " " + s.version }

// Where is the server's address, without a password, or the program that was started.
func (s *Server) Where() string { return s.where }

// Private tells whether nodes get a server of their own.
func (s *Server) Private() bool { return s.data == nil }

// Dial reaches a shared server by its URL: redis://, rediss:// or unix://. It
// fails with an *Error when no node could live there.
func Dial(ctx context.Context, rawURL string) (*Server, error) {
	s, err := dial(ctx, rawURL)
	if err != nil {
		return nil, err
	}
	if s.noAccount == nil {
		s.clean(ctx)
	}
	return s, nil
}

func dial(ctx context.Context, rawURL string) (*Server, error) {
	ctx, cancel := context.WithTimeout(ctx, greetLimit)
	defer cancel()
	s := newServer(shownURL(rawURL))
	opts, err := redis.ParseURL(rawURL)
	if err != nil {
		// The text of err may hold the password.
		return nil, s.problem(fact.Of("not-a-url"))
	}
	s.owner = newOwner(*opts)
	if err := s.examine(ctx, s.control); err != nil {
		_ = s.Close()
		return nil, err
	}
	if _, err := s.inStep(ctx, s.options, "return 1"); err != nil {
		_ = s.Close()
		return nil, err
	}
	s.probeAccount(ctx, s.owner)
	return s, nil
}

func newServer(where string) *Server {
	return &Server{where: where, password: rand.Text(), token: rand.Text(), id: rand.Text()[:12]}
}

// Confined is nil when each node's steps run as an ACL user that reaches its own
// names only, so that what visitors wrote may run there. Else it says why not.
func (s *Server) Confined() error {
	switch {
	case s.noAccount != nil:
		return s.noAccount
	case s.sharedInterpreter != nil:
		return s.sharedInterpreter
	}
	return nil
}

// inStep is the reply of a script that runs in a transaction on a connection of its own, as scripts of steps do.
func (s *Server) inStep(ctx context.Context, opts redis.Options, source string) (reply.Reply, *Error) {
	w, err := openWire(ctx, opts)
	if err != nil {
		return reply.Reply{}, s.unreachable(err)
	}
	defer w.close()
	return s.onlyReply(w.transact(ctx, [][]string{{"EVAL", source, "0"}}))
}

// onlyReply is the reply to the one command of a transaction.
func (s *Server) onlyReply(t transaction, err error) (reply.Reply, *Error) {
	if err != nil {
		return reply.Reply{}, s.unreachable(err)
	}
	for _, r := range append(t.queued, t.refused) {
		if r.IsError() {
			return reply.Reply{}, s.unexpected(r.Str)
		}
	}
	r, err := parseReply(t.ran)
	switch {
	case err != nil:
		return reply.Reply{}, s.unreachable(err)
	case r.IsError():
		return reply.Reply{}, s.unexpected(r.Str)
	}
	return r, nil
}

// shownURL is a URL without its user and password.
func shownURL(rawURL string) string {
	u, err := url.Parse(rawURL)
	if err != nil || u.Host+u.Path == "" {
		return "the given URL"
	}
	return u.Scheme + "://" + u.Host + u.Path
}

// examine asks a server what it is, and refuses what cannot hold a node.
func (s *Server) examine(ctx context.Context, c *redis.Client) error {
	r, err := send(ctx, c, "INFO")
	if err != nil {
		return s.unreachable(err)
	}
	if r.IsError() {
		return s.unexpected(r.Str)
	}
	info := map[string]string{}
	for line := range strings.Lines(r.Str) {
		if k, v, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			info[k] = v
		}
	}
	s.name, s.version = "redis", info["redis_version"]
	if v := info["valkey_version"]; v != "" {
		s.name, s.version = "valkey", v
	}
	switch {
	case info["redis_version"] == "":
		return s.problem(fact.Of("no-version"))
	case !atLeast(info["redis_version"], 7, 0):
		return s.problem(fact.Of("too-old", s.Version()))
	case info["cluster_enabled"] == "1":
		return s.problem(fact.Of("cluster", "cluster_enabled:1"))
	case info["role"] == "slave":
		return s.problem(fact.Of("replica", "role:slave"))
	case info["loading"] == "1":
		return s.problem(fact.Of("loading", "loading:1"))
	}
	// A Valkey reports the Redis that it is compatible with: 7.2.4.
	s.timeStands = atLeast(info["redis_version"], 7, 2)
	return nil
}

// atLeast compares a version such as 7.0.15 with the numbers of another.
func atLeast(version string, want ...int) bool {
	have := strings.Split(version, ".")
	for i, w := range want {
		if i >= len(have) {
			return false
		}
		h, err := strconv.Atoi(have[i])
		if err != nil || h != w {
			return err == nil && h > w
		}
	}
	return true
}

// Node makes the node of a session. Nothing is sent before its first use. Of two
// nodes with the same session and name only one may be in use.
func (s *Server) Node(session, name string) *Node {
	n := &Node{server: s}
	if !s.Private() {
		n.prefix = "lockstep:" + s.id + ":" + url.QueryEscape(session) + ":" + url.QueryEscape(name) + ":"
	}
	n.forget()
	return n
}

// Close stops what was started and ends all connections. Nodes are closed
// before, or lose their server.
func (s *Server) Close() error {
	if s.Private() {
		if s.spare != nil {
			s.discard(s.spare)
		}
		s.pool.Close()
		return nil
	}
	if s.presence != nil {
		s.leave()
	}
	return s.close()
}
