package redis

import (
	"testing"
	"time"

	"lockstep/engine"
)

// A search takes two nodes for the same whose clocks show different things, unless a result says that it is dated.
func TestWhatANodeAnswersDoesNotDependOnItsClock(t *testing.T) {
	for _, script := range []string{
		"return redis.call('set', 'k', 'v', 'px', 500)",
		"return redis.call('pttl', 'lock')",
		"return redis.call('ttl', 'lock')",
		"return redis.call('pexpire', 'lock', 7)",
		"return redis.call('xadd', 's', '5-1', 'f', 'v')",
		"return redis.call('xadd', 's', '*', 'f', 'v')",
		"return redis.call('time')",
		"return redis.call('ti' .. 'me')",
		"return redis.call('pexpireat', 'lock', 1700000099000)",
		"return redis.call('set', 'k', 'v', 'PXAT', 1700000099000)",
		"return redis.call('set', 'k', 'v', ARGV[1], 1700000099000)",
		"return redis.call('pexpiretime', 'lock')",
		"return redis.call('expiretime', 'lock')",
		"return redis.call('object', 'idletime', 'lock')",
	} {
		run := func(at time.Duration) (string, uint64, bool) {
			n := NewNode()
			do(t, n, "set", "lock", "A", "px", "30000")
			do(t, n, "rpush", "queue", "B")
			n.Shift(at)
			res, err := n.Exec(t.Context(), engine.Op{Script: &engine.Script{Name: "s", Source: script}, Args: []string{"pxat"}})
			if err != nil {
				t.Fatal(err)
			}
			n.Shift(-at)
			return res.Reply.String(), n.Digest(), res.Dated
		}
		reply, digest, dated := run(0)
		for _, at := range []time.Duration{time.Second, 98_765 * time.Second} {
			if other, otherDigest, otherDated := run(at); dated != otherDated || !dated && (reply != other || digest != otherDigest) {
				t.Errorf("%s: %v at 0s, %v at %v, or it left something else", script, reply, other, at)
			}
		}
	}
}

func TestAShiftedNodeExpiresAsMuchLater(t *testing.T) {
	n := NewNode()
	do(t, n, "set", "lock", "A", "px", "30000")
	do(t, n, "set", "stock", "1")
	before := n.Digest()
	fork := n.Fork().(*Node)
	fork.Shift(10 * time.Second)
	if due, ok := fork.NextDue(); !ok || due != 40*time.Second {
		t.Errorf("the shifted lease ends at %v, %v", due, ok)
	}
	if n.Digest() != before {
		t.Error("shifting a fork changed the node that it was made from")
	}
	fork.Shift(-10 * time.Second)
	if fork.Digest() != before {
		t.Error("there and back again is another node")
	}
}

func do(t *testing.T, n *Node, args ...string) {
	t.Helper()
	if res, err := n.Exec(t.Context(), engine.Op{Args: args}); err != nil || res.Reply.IsError() {
		t.Fatalf("%v: %v %v", args, res.Reply, err)
	}
}
