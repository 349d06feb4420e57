package real

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

// TestCrashOfAPrivateServer: its process is killed, and a reset starts another, which is empty
// and has no subscribers.
func TestCrashOfAPrivateServer(t *testing.T) {
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
	if _, err := n.Exec(t.Context(), engine.Op{Args: []string{"SET", "a", "1"}}); err != nil {
		t.Fatal(err)
	}
	if err := n.Subscribe(t.Context(), "p1", "ch"); err != nil {
		t.Fatal(err)
	}
	crashed := n.process
	if err := n.Crash(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !crashed.Ended() {
		t.Error("the server runs on")
	}
	if err := n.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n.process == crashed {
		t.Error("no other server was started")
	}
	for args, want := range map[string]string{"GET a": "nil", "PUBLISH ch m": "0"} {
		r, err := n.Exec(t.Context(), engine.Op{Args: strings.Fields(args)})
		if err != nil || r.Reply.String() != want {
			t.Errorf("%s is answered %v, %v: want %s", args, r.Reply, err, want)
		}
	}
}
