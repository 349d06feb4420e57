package luaexectest_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"lockstep/engine"
	"lockstep/luaexec"
	"lockstep/luaexec/luaexectest"
	"lockstep/node/redis/real"
)

var update = flag.Bool("update", false, "write what Redis 7.0 answers into the cases")

func TestEmbedded(t *testing.T) {
	excuses := luaexectest.ExcusesFor(luaexectest.Scripts, luaexectest.Commands)
	luaexectest.Run(t, luaexectest.Nodes{
		New: func(*testing.T) engine.Node { return luaexec.NewNode() },
		Excuse: func(sent, redis, node string) bool {
			return excuses.Excuse(luaexectest.Exchange{Server: "Redis", Sent: sent, Theirs: redis, Ours: node}) != nil
		},
	})
}

// real are nodes of a real server.
func real(name string, s *real.Server, shared bool) luaexectest.Nodes {
	return luaexectest.Nodes{
		New: nodesOf(s), Shared: shared, Excuse: excuse(name),
	}
}

// excuse tells whether a real server may differ from Redis 7.0.
func excuse(server string) func(sent, redis, node string) bool {
	excuses := luaexectest.ExcusesFor(luaexectest.Scripts, luaexectest.Commands)
	return func(sent, redis, node string) bool {
		return server == "valkey" && excuses.Excuse(luaexectest.Exchange{Server: "Valkey", Sent: sent, Theirs: node, Ours: redis}) != nil
	}
}

func TestPrivate(t *testing.T) {
	for name, find := range map[string]func(testing.TB) string{
		"redis": luaexectest.RedisServer, "valkey": luaexectest.ValkeyServer,
	} {
		t.Run(name, func(t *testing.T) {
			s, err := real.StartPrivate(t.Context(), find(t))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if name == "redis" && *update {
				rewrite(t, s)
			}
			luaexectest.Run(t, real(name, s, false))
		})
	}
}

// TestShared runs on servers behind a URL, where names have a prefix.
func TestShared(t *testing.T) {
	for name, find := range map[string]func(testing.TB) string{
		"redis": luaexectest.RedisServer, "valkey": luaexectest.ValkeyServer,
	} {
		t.Run(name, func(t *testing.T) {
			s, err := real.Dial(t.Context(), luaexectest.StartServer(t, find(t), "--lua-time-limit", "500"))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			luaexectest.Run(t, real(name, s, true))
		})
	}
}

func nodesOf(s *real.Server) func(*testing.T) engine.Node {
	return func(t *testing.T) engine.Node {
		n := s.Node(t.Name(), "redis")
		t.Cleanup(func() {
			if err := n.Close(context.WithoutCancel(t.Context())); err != nil {
				t.Error(err)
			}
		})
		return n
	}
}

func rewrite(t *testing.T, s *real.Server) {
	names, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := luaexectest.Play(t.Context(), nodesOf(s)(t), string(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Log("rewritten; run again without -update")
}
