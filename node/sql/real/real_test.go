package real

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/sample"
	"lockstep/node/sql"
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

// TestStatementsReachNoFiles: though no client needs a password, none reads or writes files of this machine.
func TestStatementsReachNoFiles(t *testing.T) {
	n := keptNode(t)
	if err := n.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	secret := filepath.Join(folder, "secret")
	if err := os.WriteFile(secret, []byte("x"), 0o644); err != nil { //nolint:gosec // the server may run as another user
		t.Fatal(err)
	}
	if _, read, err := n.control.rows("SELECT LOAD_FILE(" + sql.Quote(secret) + ") IS NULL AS kept"); err != nil || !read[0].Equal(reply.OfMap(reply.OfStatus("kept"), reply.OfInt(1))) {
		t.Errorf("of a file it says %v, %v", read, err)
	}
	r, err := n.control.perform("SELECT 'x' INTO OUTFILE " + sql.Quote(filepath.Join(folder, "written")))
	if err != nil || !strings.HasPrefix(r.Str, "ERROR 1290 ") {
		t.Errorf("when it should write a file it says %s, %v", r, err)
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
