package conversations_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"lockstep/engine"
	"lockstep/node/redis"
	"lockstep/node/redis/conversations"
	"lockstep/node/redis/real"
)

var update = flag.Bool("update", false, "write what Redis 7.0 answers into the cases")

func TestEmbedded(t *testing.T) {
	excuses := conversations.ExcusesFor(conversations.Scripts, conversations.Commands)
	conversations.Run(t, conversations.Nodes{
		New: func(*testing.T) engine.Node { return redis.NewNode() },
		Excuse: func(sent, redis, node string) bool {
			return excuses.Excuse(conversations.Exchange{Server: "Redis", Sent: sent, Theirs: redis, Ours: node}) != nil
		},
	})
}

// realNodes are nodes of a real server.
func realNodes(name string, s *real.Server, shared bool) conversations.Nodes {
	return conversations.Nodes{
		New: nodesOf(s), Shared: shared, Excuse: excuse(name),
	}
}

// excuse tells whether a real server may differ from Redis 7.0.
func excuse(server string) func(sent, redis, node string) bool {
	excuses := conversations.ExcusesFor(conversations.Scripts, conversations.Commands)
	return func(sent, redis, node string) bool {
		return server == "valkey" && excuses.Excuse(conversations.Exchange{Server: "Valkey", Sent: sent, Theirs: node, Ours: redis}) != nil
	}
}

func TestPrivate(t *testing.T) {
	for name, find := range map[string]func(testing.TB) string{
		"redis": conversations.RedisServer, "valkey": conversations.ValkeyServer,
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
			conversations.Run(t, realNodes(name, s, false))
		})
	}
}

// TestShared runs on servers behind a URL, where names have a prefix.
func TestShared(t *testing.T) {
	for name, find := range map[string]func(testing.TB) string{
		"redis": conversations.RedisServer, "valkey": conversations.ValkeyServer,
	} {
		t.Run(name, func(t *testing.T) {
			s, err := real.Dial(t.Context(), conversations.StartServer(t, find(t), "--lua-time-limit", "500"))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			conversations.Run(t, realNodes(name, s, true))
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
		got, err := conversations.Play(t.Context(), nodesOf(s)(t), string(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Log("rewritten; run again without -update")
}
