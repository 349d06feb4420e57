package zookeeperexec_test

import (
	"testing"

	"lockstep/engine"
	"lockstep/luaexec/luaexectest"
	"lockstep/luaexec/zkexectest"
	"lockstep/luaexec/zookeeperexec"
)

// start is where nodes can live until the test ends.
func start(t testing.TB) *zookeeperexec.Server {
	t.Helper()
	s, err := zookeeperexec.StartPrivate(t.Context(), "")
	if err != nil {
		t.Fatalf("%v", err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestConversations(t *testing.T) {
	node := start(t).Node(zkexectest.SessionTimeout)
	zkexectest.Run(t, func(*testing.T) engine.Node { return node })
}

// TestRandomSchedules plays conversations that are drawn, and compares all replies, events,
// znodes and sessions with those of the embedded node.
func TestRandomSchedules(t *testing.T) {
	node := start(t).Node(zkexectest.SessionTimeout)
	for _, seed := range luaexectest.Watches.Seeds(t) {
		want, err := zkexectest.Random(t.Context(), seed)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := zkexectest.Play(t.Context(), node, want); err != nil || got != want {
			t.Errorf("seed %d: %v\n%s\nembedded:\n%s", seed, err, got, want)
		}
	}
}
