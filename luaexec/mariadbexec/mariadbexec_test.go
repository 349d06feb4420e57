package mariadbexec_test

import (
	"testing"

	"lockstep/engine"
	"lockstep/luaexec/mariadbexec"
	"lockstep/luaexec/sqlexectest"
)

// start is where nodes can live until the test ends.
func start(t testing.TB) *mariadbexec.Server {
	t.Helper()
	if mariadbexec.Installed() == "" {
		t.Fatal("there is no MariaDB here: run make servers")
	}
	s, err := mariadbexec.StartPrivate(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestConversations(t *testing.T) {
	node := start(t).Node()
	sqlexectest.Run(t, func(*testing.T) engine.Node { return node })
}

// TestRandomSchedules plays conversations that are drawn, and compares each reply with that
// of the embedded node.
func TestRandomSchedules(t *testing.T) {
	node := start(t).Node()
	for seed := range uint64(300) {
		want, err := sqlexectest.Random(t.Context(), seed)
		if err != nil {
			t.Fatal(err)
		}
		got, err := sqlexectest.Play(t.Context(), node, want)
		if err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, want)
			continue
		}
		if got != want {
			t.Errorf("seed %d: %s\n%s", seed, got, want)
		}
	}
}
