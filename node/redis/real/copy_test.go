package real_test

import (
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/node/redis/conversations"
)

// TestCopyOnASharedServer: data reaches another node there, unless a value holds a name, which is
// another one on each node.
func TestCopyOnASharedServer(t *testing.T) {
	url, _ := startForeign(t, conversations.RedisServer(t))
	s := dial(t, url)
	leader, replica := s.Node("s1", "m"), s.Node("s1", "r")
	defer leader.Close(t.Context())
	defer replica.Close(t.Context())
	run(t, leader, command("set", "k", "v"))
	copyTo := func() error {
		data, err := leader.Copy(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return replica.Load(t.Context(), data)
	}
	if err := copyTo(); err != nil {
		t.Fatal(err)
	}
	if got := run(t, replica, command("get", "k")).String(); got != `"v"` {
		t.Errorf("the replica has %s", got)
	}
	run(t, leader, engine.Op{Script: &engine.Script{Source: "return redis.call('set', KEYS[1], KEYS[2])"}, Keys: []string{"named", "k"}})
	if err := copyTo(); err == nil || !strings.Contains(err.Error(), "the key named holds the name of a key") {
		t.Errorf("got %v", err)
	}
}
