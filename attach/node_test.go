package attach_test

import (
	"fmt"
	"os/exec"
	"slices"
	"testing"

	"lockstep/static/built"
)

// node-redlock on ioredis, which make fetches.
func TestNodeRedlock(t *testing.T) {
	if err := built.Need("testdata/node/locks.mjs", "testdata/node/package-lock.json"); err != nil {
		t.Fatal(err)
	}
	r, client := follow(t)
	cmd := exec.CommandContext(t.Context(), "node", "locks.mjs", "redis://"+client("any").Options().Addr)
	cmd.Dir = "testdata/node"
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	trace, _, _ := r.Trace()
	var notes []string
	for _, s := range trace.Steps {
		for _, n := range s.Notes {
			notes = append(notes, fmt.Sprint(n.Actor, " ", n.Kind, " ", n.Text))
		}
		if len(s.Broken) > 0 {
			t.Errorf("a warning without a reason: %v", s.Broken)
		}
	}
	want := []string{"node-a enter order", "node-b want order", "node-b refused order", "node-a leave order"}
	if !slices.Equal(notes, want) {
		t.Errorf("it is %q, not %q", notes, want)
	}
	play(t, r)
}
