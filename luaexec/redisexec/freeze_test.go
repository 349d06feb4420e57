package redisexec_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/engine"
	"lockstep/luaexec/redisexec"
)

// TestEveryKeyIsFrozen inspects the server between steps, errors included: no key
// may be there without the safety TTL.
func TestEveryKeyIsFrozen(t *testing.T) {
	for name, find := range binaries {
		t.Run(name, func(t *testing.T) {
			url, owner := startForeign(t, find(t), "--lua-time-limit", "500")
			n := newNode(t, dial(t, url), "s1")
			if err := n.Subscribe(t.Context(), "jvm-1", "ch"); err != nil {
				t.Fatal(err)
			}
			for _, op := range []engine.Op{
				command("set", "a", "1"),
				command("set", "short", "1", "px", "100"),
				command("hset", "h", "f", "1"),
				command("set", "a"),
				command("lpush", "a", "1"),
				command("persist", "short"),
				script("redis.call('set', KEYS[1], 1) redis.call('set', KEYS[1]..':more', 1) error('boom')", "b"),
				script("redis.call('set', 'my:' .. KEYS[1], 1) return redis.call('hget', KEYS[1], 'f')", "a"),
				script("return (", "a"),
				script("redis.call('rename', KEYS[1], KEYS[2]) redis.call('publish', KEYS[1], 1)", "h", "i"),
				script("redis.call('del', KEYS[1]) redis.call('rpush', KEYS[1] .. ':q', 1)", "a"),
				script("while true do end", "a"),
			} {
				if _, err := n.Exec(t.Context(), op); err != nil {
					t.Fatalf("%v: %v", op, err)
				}
				frozen(t, owner)
			}
			want := []string{
				"lockstep:s1:redis:a:q", "lockstep:s1:redis:b", "lockstep:s1:redis:b:more",
				"lockstep:s1:redis:i", "lockstep:s1:redis:short", "my:lockstep:s1:redis:a",
			}
			if got := frozen(t, owner); !slices.Equal(got, want) {
				t.Errorf("the server holds %q, want %q", got, want)
			}
			if err := n.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			if left := frozen(t, owner); len(left) > 0 {
				t.Errorf("after Close the server still holds %q", left)
			}
		})
	}
}

// frozen checks the TTL of every key on a server and lists them.
func frozen(t testing.TB, owner *redis.Client) []string {
	t.Helper()
	names, err := owner.Keys(t.Context(), "*").Result()
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	for _, name := range names {
		ttl, err := owner.PTTL(t.Context(), name).Result()
		if err != nil {
			t.Fatal(err)
		}
		// The safety TTL has begun to run when it is read.
		if ttl <= 50*time.Minute || ttl > time.Hour {
			t.Errorf("%s has the TTL %v on the server", name, ttl)
		}
	}
	return names
}

// TestTTLsAreExact repeats what a lock asks for: on a server where time moves
// inside EXEC a reply or a deadline would be a millisecond off now and then.
func TestTTLsAreExact(t *testing.T) {
	const source = `
		redis.call('pexpire', KEYS[2], 30000)
		redis.call('set', KEYS[3], redis.call('pttl', KEYS[1]) + 5000)
		return {redis.call('pttl', KEYS[1]), redis.call('pttl', KEYS[2]), redis.call('get', KEYS[3])}`
	for name, find := range binaries {
		t.Run(name, func(t *testing.T) {
			n := newNode(t, startPrivate(t, find(t)), "s1")
			run(t, n, command("set", "a", "1", "px", "30000"))
			run(t, n, command("set", "b", "1"))
			advance(t, n, 12300*time.Millisecond)
			for range 500 {
				if got := run(t, n, script(source, "a", "b", "c")).String(); got != `[17700, 30000, "22700"]` {
					t.Fatalf("the script answered %s", got)
				}
			}
			for name, want := range map[string]engine.Instant{"a": 30 * time.Second, "b": 42300 * time.Millisecond} {
				if k, _ := view(t, n).Key(name); k.Deadline != want {
					t.Errorf("%s ends at %v, want %v", name, k.Deadline, want)
				}
			}
		})
	}
}

// TestUndoneTryLeavesNoMessage publishes and counts in each step: a try that was
// undone must not be seen, neither in the values nor by subscribers.
func TestUndoneTryLeavesNoMessage(t *testing.T) {
	for name, find := range binaries {
		t.Run(name, func(t *testing.T) {
			n := newNode(t, startPrivate(t, find(t)), "s1")
			for _, process := range []string{"jvm-2", "jvm-1"} {
				if err := n.Subscribe(t.Context(), process, "ch"); err != nil {
					t.Fatal(err)
				}
			}
			count := script(`
				for i = 1, 300 do redis.call('exists', KEYS[1]) end
				redis.call('publish', 'ch', redis.call('incr', KEYS[1]))
				return redis.call('rpush', KEYS[1] .. ':list', 'x')`, "n")
			for i := range int64(200) {
				r, err := n.Exec(t.Context(), count)
				if err != nil {
					t.Fatal(err)
				}
				if r.Reply.Int != i+1 || len(r.Delivered) != 2 || r.Delivered[0].Process != "jvm-1" {
					t.Fatalf("step %d answered %v and delivered %v", i+1, r.Reply, r.Delivered)
				}
			}
		})
	}
}

// TestSlowStep: on Redis 7.0 a step that takes longer than the resolution is
// undone and reported; where time stands still inside EXEC it is as good as any.
func TestSlowStep(t *testing.T) {
	slow := script(`
		redis.call('incr', KEYS[1])
		local began = redis.call('time')
		for i = 1, 40000 do
			local now = redis.call('time')
			if (now[1] - began[1]) * 1e6 + now[2] - began[2] > 30000 then break end
		end
		return redis.call('pttl', KEYS[2])`, "n", "lease")
	for name, find := range binaries {
		t.Run(name, func(t *testing.T) {
			s := startPrivate(t, find(t))
			n := s.Node("s1", "redis", 10*time.Millisecond)
			defer n.Close(t.Context())
			run(t, n, command("set", "n", "1"))
			run(t, n, command("set", "lease", "1", "px", "30000"))
			before := view(t, n)
			r, err := n.Exec(t.Context(), slow)
			if name == "valkey" {
				if err != nil || r.Reply.Int != 30000 {
					t.Fatalf("got %v, %v", r.Reply, err)
				}
				return
			}
			same(t, err, redisexec.Slow, false)
			if !errors.Is(err, redisexec.ErrSlow) {
				t.Errorf("%v is not ErrSlow", err)
			}
			if after := view(t, n); !slices.EqualFunc(before.Keys, after.Keys, engine.Key.Equal) {
				t.Errorf("the node shows %v, want %v", after.Keys, before.Keys)
			}
			if got := run(t, n, script("return {redis.call('incr', KEYS[1]), redis.call('pttl', KEYS[2])}", "n", "lease")).String(); got != "[2, 30000]" {
				t.Errorf("after the undone step the server answers %s", got)
			}
		})
	}
}

func TestCloseRemovesTheFolder(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for name, find := range binaries {
		t.Run(name, func(t *testing.T) {
			s := startPrivate(t, find(t))
			if !strings.HasPrefix(s.Version(), name+" ") {
				t.Errorf("its version is %q", s.Version())
			}
			n := newNode(t, s, "s1")
			run(t, n, command("set", "a", "1"))
			other := newNode(t, s, "s2")
			if got := run(t, other, command("get", "a")).String(); got != "nil" {
				t.Errorf("another session sees %s", got)
			}
			if err := n.Close(t.Context()); err != nil {
				t.Error(err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if _, err := other.Exec(t.Context(), command("get", "a")); err == nil {
				t.Error("a node works without its server")
			}
			if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "lockstep-redis-*")); len(left) > 0 {
				t.Errorf("folders are left: %q", left)
			}
		})
	}
}
