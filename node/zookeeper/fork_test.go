package zookeeper_test

import (
	"fmt"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/node/zookeeper"
)

const sessionTimeout = 10 * time.Second

// TestForksAreApart changes a fork and its origin, and looks whether the other one changed.
func TestForksAreApart(t *testing.T) {
	ctx := t.Context()
	node := zookeeper.NewNode(sessionTimeout)
	ask := func(n engine.Node, args ...string) {
		if _, err := n.Exec(ctx, engine.Op{From: engine.Client{Process: "app"}, Args: args}); err != nil {
			t.Fatal(err)
		}
	}
	ask(node, "create", "/a", "", "ephemeral")
	before := node.Digest()
	fork := node.Fork().(engine.Forker)
	if fork.Digest() != before {
		t.Fatal("a fork has another digest")
	}
	for _, args := range [][]string{{"create", "/b", ""}, {"set", "/a", "x"}, {"get", "/a", "watch"}, {"delete", "/a"}} {
		was := fork.Digest()
		ask(fork, args...)
		if fork.Digest() == was {
			t.Errorf("%q changed no digest", args)
		}
		if node.Digest() != before {
			t.Fatalf("%q in a fork changed its origin", args)
		}
	}
}

// TestShift moves the clock of a node while a session is silent: it lasts as long as before.
func TestShift(t *testing.T) {
	ctx := t.Context()
	node := zookeeper.NewNode(sessionTimeout)
	if _, err := node.Exec(ctx, engine.Op{From: engine.Client{Process: "app"}, Args: []string{"create", "/a", "", "ephemeral"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := node.Fault(ctx, "app", engine.Pause); err != nil {
		t.Fatal(err)
	}
	node.Shift(-3 * time.Second)
	if due, ok := node.NextDue(); !ok || due != 7*time.Second {
		t.Error("the session expires at", due)
	}
	effects, err := node.AdvanceTo(ctx, 7*time.Second)
	if err != nil || fmt.Sprint(effects.Expired) != "[{ /a 7s}]" {
		t.Error(effects, err)
	}
}
