package real

import (
	"context"
	"os"
	"strings"
	"sync"
	"testing"

	"lockstep/engine"
	"lockstep/node/sample"
)

// server is where all nodes of these tests live.
var server = sync.OnceValues(func() (*Server, error) {
	return StartPrivate(context.Background(), "")
})

func TestMain(m *testing.M) {
	code := m.Run()
	if s, err := server(); err == nil {
		_ = s.Close()
	}
	os.Exit(code)
}

// kept is a node that several tests use.
var kept = sync.OnceValues(func() (*Node, error) {
	s, err := server()
	if err != nil {
		return nil, err
	}
	return s.Node(), nil
})

func keptNode(t testing.TB) *Node {
	t.Helper()
	n, err := kept()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestConversations(t *testing.T) {
	node := keptNode(t)
	conversations.Run(t, func(*testing.T) engine.Node { return node })
}

// TestRandomTransactions plays conversations that are drawn, and compares all replies, rows
// and waits with those of the embedded node.
func TestRandomTransactions(t *testing.T) {
	node := keptNode(t)
	for _, seed := range sample.Conversations.Seeds(t) {
		want, err := random(t.Context(), seed)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := conversations.Play(t.Context(), node, want); err != nil || got != want {
			t.Errorf("seed %d: %v\n%s\nembedded:\n%s", seed, err, got, want)
		}
	}
}

// TestWhatIsNoMariaDB: a program that is none is told.
func TestWhatIsNoMariaDB(t *testing.T) {
	for binary, want := range map[string]string{
		"/no/such/mariadbd": "did not start",
		"/bin/false":        "it ended: it said nothing",
	} {
		if _, err := StartPrivate(t.Context(), binary); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", binary, err)
		}
	}
}
