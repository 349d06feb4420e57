package real_test

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/redis/conversations"
	"lockstep/node/redis/real"
	"lockstep/node/sample"
)

// binaries are the servers that a test runs on.
var binaries = map[string]func(testing.TB) string{
	"redis":  conversations.RedisServer,
	"valkey": conversations.ValkeyServer,
}

// onEachServer runs a test with each of them.
func onEachServer(t *testing.T, test func(t *testing.T, binary string)) {
	t.Helper()
	for name, find := range binaries {
		t.Run(name, func(t *testing.T) { test(t, find(t)) })
	}
}

// onOneServer runs a test with one of them on each change, and with each in make test-full.
func onOneServer(t *testing.T, test func(t *testing.T, binary string)) {
	t.Helper()
	for _, name := range sample.Sample(t, slices.Sorted(maps.Keys(binaries)), 1) {
		t.Run(name, func(t *testing.T) { test(t, binaries[name](t)) })
	}
}

func startPrivate(t testing.TB, binary string) *real.Server {
	t.Helper()
	s, err := real.StartPrivate(t.Context(), binary)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// startForeign starts a server that does not belong to the playground, and
// gives its URL and a client of its owner.
func startForeign(t testing.TB, binary string, args ...string) (string, *redis.Client) {
	t.Helper()
	url := conversations.StartServer(t, binary, args...)
	opts, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	opts.MaxRetries = -1
	client := redis.NewClient(opts)
	t.Cleanup(func() { _ = client.Close() })
	return url, client
}

func dial(t testing.TB, url string) *real.Server {
	t.Helper()
	s, err := real.Dial(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func newNode(t testing.TB, s *real.Server, session string) *real.Node {
	t.Helper()
	n := s.Node(session, "redis")
	t.Cleanup(func() { _ = n.Close(context.WithoutCancel(t.Context())) })
	return n
}

func script(source string, keys ...string) engine.Op {
	return engine.Op{Script: &engine.Script{Name: "test", Source: source}, Keys: keys}
}

func command(args ...string) engine.Op { return engine.Op{Args: args} }

func run(t testing.TB, n *real.Node, op engine.Op) reply.Reply {
	t.Helper()
	r, err := n.Exec(t.Context(), op)
	if err != nil {
		t.Fatalf("%v: %v", op, err)
	}
	return r.Reply
}

func advance(t testing.TB, n *real.Node, to time.Duration) []engine.Expiry {
	t.Helper()
	effects, err := n.AdvanceTo(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	return effects.Expired
}

func view(t testing.TB, n *real.Node) engine.NodeView {
	t.Helper()
	v, err := n.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// playgroundID is the part of a name on a shared server that tells playgrounds apart.
var playgroundID = regexp.MustCompile(`lockstep:[A-Z2-7]{12}:`)

// named is a text from a shared server with ID for the playground's id.
func named(text string) string { return playgroundID.ReplaceAllString(text, "lockstep:ID:") }

// onServer is the name that a node has for one of its own on a shared server.
func onServer(t testing.TB, owner *redis.Client, name string) string {
	t.Helper()
	found, err := owner.Keys(t.Context(), "lockstep:*:"+name).Result()
	if err != nil || len(found) != 1 {
		t.Fatalf("for %s the server holds %q, %v", name, found, err)
	}
	return found[0]
}
