package redis

import (
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/redis/portable"
)

// What newer servers do in a command, Redis 7.0 does in a script: both answer the same, and leave the same behind.
func TestNewerCommandsDoWhatScriptsDid(t *testing.T) {
	const (
		remove = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`
		renew  = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('set', KEYS[1], ARGV[1], 'px', 5000) end return false`
	)
	held := map[string][]string{"mine": {"SET", "lock", "A"}, "somebody else's": {"SET", "lock", "B"}, "free": {"PING"}, "a hash": {"HSET", "lock", "A", "1"}}
	for _, c := range []struct {
		version, script string
		args            []string
	}{
		{Redis84, remove, []string{"DELEX", "lock", "IFEQ", "A"}},
		{Valkey90, remove, []string{"DELIFEQ", "lock", "A"}},
		{Redis84, renew, []string{"SET", "lock", "A", "IFEQ", "A", "PX", "5000"}},
		{Valkey90, renew, []string{"set", "lock", "A", "ifeq", "A", "px", "5000"}},
	} {
		for name, made := range held {
			newer, older := NewNode(), NewNode()
			newer.Be(c.version)
			for _, n := range []*Node{newer, older} {
				answered(t, n, made)
			}
			got := answered(t, newer, c.args)
			want := runScript(t, older, c.script, []string{"lock"}, []string{"A"}).Reply
			if got.String() != want.String() && !(got.IsError() && want.IsError()) {
				t.Errorf("%v, %s: %v, and the script says %v", c.args, name, got, want)
			}
			got = answered(t, newer, []string{"PTTL", "lock"})
			if want := answered(t, older, []string{"PTTL", "lock"}); got.String() != want.String() {
				t.Errorf("%v, %s: the lock lives for %v, and after the script for %v", c.args, name, got, want)
			}
		}
	}
}

// A server has its own newer commands only, and a fork and a reset leave it what it is.
func TestOnlyTheNewerServerHasTheCommand(t *testing.T) {
	n := NewNode()
	for _, c := range []struct {
		version, command, want string
	}{
		{"", "DELEX", "unknown command"},
		{Redis84, "DELIFEQ", "unknown command"},
		{Valkey90, "DELEX", "unknown command"},
		{Redis84, "DELEX", "0"},
	} {
		n.Be(c.version)
		if err := n.Reset(t.Context()); err != nil {
			t.Fatal(err)
		}
		args := []string{c.command, "lock", "A"}
		if c.command == "DELEX" {
			args = []string{c.command, "lock", "IFEQ", "A"}
		}
		for _, on := range []*Node{n, n.Fork().(*Node)} {
			if got := answered(t, on, args).String(); !strings.Contains(got, c.want) {
				t.Errorf("%s of %q: %s", c.command, c.version, got)
			}
		}
	}
}

// What only a newer server has is a write like any other: where none is taken, nothing is done.
func TestNewerCommandsAreWrites(t *testing.T) {
	n := NewNode()
	n.Be(Redis84)
	answered(t, n, []string{"SET", "lock", "A"})
	op := engine.Op{Args: []string{"DELEX", "lock"}}
	if _, aborts, _ := n.Abort(t.Context(), []engine.Op{op}); aborts {
		t.Error("a transaction with DELEX is not done")
	}
	for _, tooFew := range []bool{false, true} {
		op.ReadOnly, op.TooFew = true, tooFew
		r, _ := n.Exec(t.Context(), op)
		_, aborts, _ := n.Abort(t.Context(), []engine.Op{op})
		if want := portable.TakesNone(op); !r.Reply.Equal(want) || !aborts {
			t.Errorf("DELEX is answered %v, not %v; in a transaction it is refused: %v", r.Reply, want, aborts)
		}
	}
	if got := answered(t, n, []string{"EXISTS", "lock"}); got.Int != 1 {
		t.Error("the lock is gone")
	}
}

func answered(t *testing.T, n *Node, args []string) reply.Reply {
	t.Helper()
	r, err := n.Exec(t.Context(), engine.Op{Args: args})
	if err != nil {
		t.Fatal(err)
	}
	return r.Reply
}
