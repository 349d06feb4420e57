package real_test

import (
	"context"
	"crypto/sha1" //nolint:gosec // Redis names scripts so
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/node/redis/conversations"
	"lockstep/node/redis/real"
)

// TestSessionsShareAServer: each sees its own keys and messages, and none touches
// what is somebody else's.
func TestSessionsShareAServer(t *testing.T) {
	for name, find := range binaries {
		t.Run(name, func(t *testing.T) {
			url, owner := startForeign(t, find(t))
			if err := owner.MSet(t.Context(), "a", "theirs", "lockstep:s", "theirs", "lockstep:s10:redis:a", "theirs").Err(); err != nil {
				t.Fatal(err)
			}
			s := dial(t, url)
			one, two := newNode(t, s, "s1"), newNode(t, s, "s2")
			other := s.Node("s1", "second node")
			for i, n := range []*real.Node{one, two, other} {
				if err := n.Subscribe(t.Context(), "jvm-1", "ch"); err != nil {
					t.Fatal(err)
				}
				run(t, n, command("set", "a", strconv.Itoa(i)))
			}
			for i, n := range []*real.Node{one, two, other} {
				if got := run(t, n, command("get", "a")).Str; got != strconv.Itoa(i) {
					t.Errorf("node %d reads %q", i, got)
				}
				r, err := n.Exec(t.Context(), command("publish", "ch", "x"))
				if err != nil || r.Reply.Int != 1 || len(r.Delivered) != 1 || r.Delivered[0].Channel != "ch" {
					t.Errorf("node %d publishes %v, %v", i, r, err)
				}
				if got := run(t, n, command("keys", "*")).String(); got != `["a"]` {
					t.Errorf("node %d lists %s", i, got)
				}
				if got := run(t, n, script("return {KEYS[1], redis.pcall('incr', KEYS[1] .. ':x')}", "a")).String(); got != `["a", 1]` {
					t.Errorf("node %d sees its prefix: %s", i, got)
				}
			}
			if err := one.Reset(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := two.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := view(t, other); len(got.Keys) != 2 {
				t.Errorf("the other node holds %v", got.Keys)
			}
			want := []string{
				"a", "lockstep:s", "lockstep:s10:redis:a",
				"lockstep:ID:s1:second+node:a", "lockstep:ID:s1:second+node:a:x",
			}
			slices.Sort(want)
			got, err := owner.Keys(t.Context(), "*").Result()
			for i, name := range got {
				got[i] = named(name)
			}
			slices.Sort(got)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("the server holds %q, want %q (%v)", got, want, err)
			}
		})
	}
}

// TestScriptsAreASessionsOwn: the cache of the server is everybody's, and each session finds in it
// what it has run or loaded itself.
func TestScriptsAreASessionsOwn(t *testing.T) {
	url, owner := startForeign(t, conversations.RedisServer(t))
	s := dial(t, url)
	one, two := newNode(t, s, "s1"), newNode(t, s, "s2")
	theirs, err := owner.ScriptLoad(t.Context(), "return 'theirs'").Result()
	if err != nil {
		t.Fatal(err)
	}
	loaded := run(t, one, command("script", "load", "return 'loaded'")).Str
	sum := sha1.Sum([]byte("return 'run'"))
	ran := hex.EncodeToString(sum[:])
	run(t, one, script("return 'run'"))
	exist := func(n *real.Node) string { return run(t, n, command("script", "exists", theirs, loaded, ran)).String() }
	if got := exist(one) + exist(two); got != "[0, 1, 1][0, 0, 0]" {
		t.Errorf("of those of the owner, loaded and run by one, there are for one and two %s", got)
	}
	for i, sha := range []string{theirs, loaded, ran} {
		if got := run(t, two, command("evalsha", sha, "0")); got.Str != "NOSCRIPT No matching script. Please use EVAL." {
			t.Errorf("two runs the script %d of another: %v", i, got)
		}
	}
	run(t, two, script("return 'run'"))
	run(t, one, command("script", "flush"))
	if got := exist(one) + exist(two); got != "[0, 0, 0][0, 0, 1]" {
		t.Errorf("after one has forgotten all there are %s", got)
	}
	if got := run(t, two, command("evalsha", ran, "0")); got.Str != "run" {
		t.Errorf("two runs its own, which one has forgotten: %v", got)
	}
}

// TestResetRemovesLeftovers: the keys of a session that was cut off go when a
// session of that name begins anew.
func TestResetRemovesLeftovers(t *testing.T) {
	url, owner := startForeign(t, conversations.RedisServer(t))
	s := dial(t, url)
	lostNode := s.Node("s1", "redis")
	for i := range 2500 {
		run(t, lostNode, command("mset", "k"+strconv.Itoa(i%3), "1", "l"+strconv.Itoa(i%3), "2"))
	}
	n := newNode(t, s, "s1")
	if got := run(t, n, command("exists", "k0", "l0")).Int; got != 0 {
		t.Errorf("%d keys of the session before are there", got)
	}
	if left := frozen(t, owner); len(left) != 0 {
		t.Errorf("the server still holds %q", left)
	}
}

// TestNamesOutside: on a shared server a script may not write names of its own,
// and where the text tells so, it is not even run.
func TestNamesOutside(t *testing.T) {
	for _, c := range []struct {
		source  string
		problem string
	}{
		{"return redis.call('set', 'name', 'jack')", "name-in-script"},
		{`return redis.pcall( "GET" , "name")`, "name-in-script"},
		{"return redis.call('publish', 'ch', 'x')", "name-in-script"},
		{"return redis.call('set', 'my:' .. KEYS[1], 'jack')", ""},
		{"-- redis.call('set', 'name', 'jack')\nreturn redis.call('set', KEYS[1], 'jack')", ""},
		{"return redis.call('flushall')", "all-keys"},
		{"local names = redis.call('keys', '*') table.sort(names) return names", "all-keys"},
		{"return redis.call('echo', 'name')", ""},
		{"return #KEYS[1]", "letters-of-a-name"},
		{"local key = KEYS[1] return string.sub(key, 1, 3)", "letters-of-a-name"},
		{"return #KEYS", ""},
		{"redis.log(redis.LOG_WARNING, 'Ready to accept connections')", "servers-log"},
		{"pcall(redis.log, 3, 'x')", "servers-log"},
		{"local r = redis r['lo' .. 'g'](3, 'x')", "servers-log"},
		{"for name, f in pairs(redis) do if #name == 3 then f(3, 'x') end end", "servers-log"},
		{"local call = redis.call return math.log(call('incr', KEYS[1]))", ""},
		{"redis.call('set', KEYS[1], 1) redis.call('set', KEYS[1] .. 1, 1) return redis.call('del', KEYS[1])", ""},
	} {
		url, owner := startForeign(t, conversations.RedisServer(t))
		if err := owner.Set(t.Context(), "theirs", "1", 0).Err(); err != nil {
			t.Fatal(err)
		}
		n := newNode(t, dial(t, url), "s1")
		_, err := n.Exec(t.Context(), script(c.source, "k"))
		if c.problem != "" {
			same(t, err, c.problem, false)
		} else if err != nil {
			t.Errorf("%s: %v", c.source, err)
		}
	}
}

// TestCommandsOnEverything: what works on all keys of a server is refused where
// those of others are among them, and only there.
func TestCommandsOnEverything(t *testing.T) {
	url, owner := startForeign(t, conversations.RedisServer(t))
	if err := owner.Set(t.Context(), "theirs", "1", 0).Err(); err != nil {
		t.Fatal(err)
	}
	n := newNode(t, dial(t, url), "s1")
	for _, command := range []string{"FLUSHALL", "flushdb", "DBSIZE"} {
		_, err := n.Exec(t.Context(), engine.Op{Args: []string{command}})
		same(t, err, "all-keys", false)
	}
	if res, err := n.Exec(t.Context(), engine.Op{Args: []string{"KEYS", "*"}}); err != nil || len(res.Reply.Elems) != 0 {
		t.Errorf("KEYS *: %v, %v", res.Reply, err)
	}
	if err := owner.Get(t.Context(), "theirs").Err(); err != nil {
		t.Errorf("a key of others: %v", err)
	}
}

// TestLimitedUser needs no more than what the error for NOPERM asks for.
func TestLimitedUser(t *testing.T) {
	onEachServer(t, func(t *testing.T, binary string) {
		url := conversations.StartServer(t, binary, "--user", "limited", "on", "nopass", "~lockstep:*", "&lockstep:*",
			"+@all", "-@dangerous", "+info", "+keys", "+restore")
		n := newNode(t, dial(t, strings.Replace(url, "://", "://limited:x@", 1)), "s1")
		replay(t, n)
		run(t, n, script("return redis.call('set', KEYS[1] .. ':more', 1)", "a"))
		if err := n.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestCalledOff: a step that is called off ends at once, and a reset heals the node.
func TestCalledOff(t *testing.T) {
	n := newNode(t, startPrivate(t, conversations.RedisServer(t)), "s1")
	run(t, n, command("set", "a", "1"))
	ctx, cancel := context.WithCancel(t.Context())
	go cancel()
	_, err := n.Exec(ctx, script("while true do end"))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := n.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	run(t, n, command("set", "a", "1"))
}
