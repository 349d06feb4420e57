package real_test

import (
	"cmp"
	"context"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/node/sample"
	"lockstep/node/zookeeper"
	"lockstep/node/zookeeper/real"
)

// server is where all nodes of these tests live: a JVM takes long to start.
var server = sync.OnceValues(func() (*real.Server, error) {
	return real.StartPrivate(context.Background(), "")
})

func TestMain(m *testing.M) {
	code := m.Run()
	if s, err := server(); err == nil {
		_ = s.Close()
	}
	os.Exit(code)
}

// open makes a node.
func open(t testing.TB, timeout time.Duration) *real.Node {
	t.Helper()
	s, err := server()
	if err != nil {
		t.Fatal(err)
	}
	return s.Node(timeout)
}

// kept are nodes that several tests use, by the timeout of their sessions.
var kept = map[time.Duration]*real.Node{}

func nodeFor(t testing.TB, timeout time.Duration) *real.Node {
	timeout = cmp.Or(timeout, zookeeper.DefaultTimeout)
	if kept[timeout] == nil {
		kept[timeout] = open(t, timeout)
	}
	return kept[timeout]
}

func TestConversations(t *testing.T) {
	node := nodeFor(t, zookeeper.DefaultTimeout)
	conversations.Run(t, func(*testing.T) engine.Node { return node })
}

// TestRandomSchedules plays conversations that are drawn, and compares all replies, events,
// znodes and sessions with those of the embedded node.
func TestRandomSchedules(t *testing.T) {
	node := nodeFor(t, zookeeper.DefaultTimeout)
	for _, seed := range sample.Conversations.Seeds(t) {
		want, err := random(t.Context(), seed)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := conversations.Play(t.Context(), node, want); err != nil || got != want {
			t.Errorf("seed %d: %v, after\n%s", seed, err, got)
		}
	}
}

// TestWhatIsNoZooKeeper: a program that is none is told.
func TestWhatIsNoZooKeeper(t *testing.T) {
	for java, want := range map[string]string{
		"/no/such/java": "did not start",
		"/bin/false":    "it ended: it said nothing",
	} {
		if _, err := real.StartPrivate(t.Context(), java); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", java, err)
		}
	}
}
