package real_test

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
)

// TestEveryKeyIsFrozen inspects the server between steps, errors included: no key
// may be there without the safety TTL.
func TestEveryKeyIsFrozen(t *testing.T) {
	onEachServer(t, func(t *testing.T, binary string) {
		url, owner := startForeign(t, binary, "--lua-time-limit", "500")
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
			"lockstep:ID:s1:redis:a:q", "lockstep:ID:s1:redis:b", "lockstep:ID:s1:redis:b:more",
			"lockstep:ID:s1:redis:i", "lockstep:ID:s1:redis:short", "my:lockstep:ID:s1:redis:a",
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

// frozen checks the TTL of every key on a server and lists them.
func frozen(t testing.TB, owner *redis.Client) []string {
	t.Helper()
	names, err := owner.Keys(t.Context(), "*").Result()
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	for i, name := range names {
		names[i] = named(name)
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
	onEachServer(t, func(t *testing.T, binary string) {
		n := newNode(t, startPrivate(t, binary), "s1")
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

// long is a script's part that takes several milliseconds.
const long = "for i = 1, 20000 do redis.call('exists', KEYS[1]) end "

// TestSlowStep: where time moves inside EXEC, a step that is not over within a
// millisecond is undone and said to be too slow, because a TTL in it would be wrong.
// Where time stands still it is as good as any.
func TestSlowStep(t *testing.T) {
	for name, find := range binaries {
		t.Run(name, func(t *testing.T) {
			n := newNode(t, startPrivate(t, find(t)), "s1")
			run(t, n, command("set", "n", "1"))
			run(t, n, command("set", "lease", "1", "px", "30000"))
			before := view(t, n)
			for _, source := range []string{
				"redis.call('incr', KEYS[1]) " + long + "return redis.call('pttl', KEYS[2])",
				"redis.call('incr', KEYS[1]) redis.call('pexpire', KEYS[2], 12345) " + long + "return 30000",
				"redis.call('pex' .. 'pire', KEYS[2], 12345) " + long + "return 30000", // no word tells that it sets a deadline
				"redis.call('pex' .. 'pire', KEYS[2], 40000) " + long + "return 30000",
				"redis.call('set', KEYS[2], 1, 'px', 30000) " + long + "redis.call('incr', KEYS[1]) return redis.call('pttl', KEYS[2])",
				"redis.call('set', KEYS[1], 1, 'px', 30000) " + long + "local left = redis.call('pttl', KEYS[1]) redis.call('del', KEYS[1], KEYS[2]) return left",
			} {
				r, err := n.Exec(t.Context(), script(source, "n", "lease"))
				if name == "valkey" {
					if err != nil || r.Reply.Int != 30000 {
						t.Fatalf("got %v, %v", r.Reply, err)
					}
					continue
				}
				same(t, err, "clock-moved", false)
				if !errors.Is(err, engine.ErrSlow) {
					t.Errorf("%v is not ErrSlow", err)
				}
				if after := view(t, n); !slices.EqualFunc(before.Keys, after.Keys, engine.Key.Equal) {
					t.Errorf("the node shows %v, want %v", after.Keys, before.Keys)
				}
			}
			if name == "valkey" {
				return
			}
			if got := run(t, n, script("return {redis.call('incr', KEYS[1]), redis.call('pttl', KEYS[2])}", "n", "lease")).String(); got != "[2, 30000]" {
				t.Errorf("after the undone steps the server answers %s", got)
			}
		})
	}
}

// TestSlowStepWithoutTime: a step that neither reads nor sets a deadline may take its time.
func TestSlowStepWithoutTime(t *testing.T) {
	for name, find := range binaries {
		t.Run(name, func(t *testing.T) {
			n := newNode(t, startPrivate(t, find(t)), "s1")
			if got := run(t, n, script(long+"return redis.call('incr', KEYS[1])", "n")).Int; got != 1 {
				t.Errorf("it answers %d", got)
			}
			run(t, n, command("set", "lease", "1", "px", "30000"))
			if got := run(t, n, script(long+"return redis.call('incr', KEYS[1])", "n", "lease")).Int; got != 2 {
				t.Errorf("it answers %d", got)
			}
			if k, _ := view(t, n).Key("lease"); k.Deadline != 30*time.Second {
				t.Errorf("the lease ends at %v", k.Deadline)
			}
			if _, err := n.Exec(t.Context(), script(long+"redis.call('rename', KEYS[1], KEYS[2])", "lease", "moved")); name == "redis" {
				same(t, err, "clock-moved", false)
			}
			_, err := n.Exec(t.Context(), script("redis.call('set', KEYS[1], 1, 'px', 10000) "+long+
				"local left = redis.call('pttl', KEYS[1]) redis.call('set', KEYS[1], 2) return left", "n"))
			if name == "redis" {
				same(t, err, "clock-moved", false)
			} else if err != nil {
				t.Error(err)
			}
			if k, _ := view(t, n).Key("n"); k.Deadline != engine.NoDeadline {
				t.Errorf("the node shows %v", k)
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
			if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "lockstep-server-*")); len(left) > 0 {
				t.Errorf("folders are left: %q", left)
			}
		})
	}
}
