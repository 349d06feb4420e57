package redisexec

import (
	"os/exec"
	"strings"
	"testing"

	"lockstep/engine"
)

// TestPrivateServerEndsBetweenSteps: whoever ended it, the next step says so, and the one
// after a reset runs on another.
func TestPrivateServerEndsBetweenSteps(t *testing.T) {
	binary, err := exec.LookPath("redis-server")
	if err != nil {
		t.Fatal(err)
	}
	s, err := StartPrivate(t.Context(), binary)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	n := s.Node("s1", "redis")
	defer n.Close(t.Context())
	set := engine.Op{Args: []string{"SET", "a", "1"}}
	if _, err := n.Exec(t.Context(), set); err != nil {
		t.Fatal(err)
	}
	n.process.Kill()
	_, err = n.Exec(t.Context(), set)
	if err == nil || !strings.Contains(err.Error(), "has ended (signal: killed): go on: the next step starts another") {
		t.Errorf("got %v", err)
	}
	if err := n.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r, err := n.Exec(t.Context(), set); err != nil || r.Reply.Str != "OK" {
		t.Errorf("after a reset: %v, %v", r.Reply, err)
	}
}
