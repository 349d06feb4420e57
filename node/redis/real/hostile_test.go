package real_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/node/redis/real"
)

// heavy is how a script may end that takes what it can get: which limit it meets
// first depends on how fast the machine is.
var heavy = []string{"clock-moved", "too-much-data", "server-stopped", "out-of-memory", "server-died"}

// cut is what it is told if it wrote nothing.
const cut = "not enough memory|Script killed by user"

// hostile are scripts that a visitor may write, on purpose or not. Each ends with
// an answer like this, or with one of the problems.
var hostile = []struct {
	name     string
	source   string
	answer   string
	problems []string
}{
	{"endless", "while true do end", "Script killed by user", nil},
	{"endless, catching", "while true do pcall(function() while true do end end) end", "Script killed by user", nil},
	{"endless after a write", "while true do redis.call('incr', 'x') end", "", []string{"server-stopped"}},
	{"endless in one function", "return string.find(string.rep('a', 40), string.rep('a*', 30) .. 'b')", "", []string{"server-stopped"}},
	{"a crash", "error({})", "", []string{"server-died"}},
	{"a crash of the stack", "return string.find(string.rep('a', 3e5), string.rep('a?', 3e5))", "", []string{"server-died"}},
	{"recursion", "local function f() return f() + 1 end return f()", "stack overflow", nil},
	{"nested", "local t = {} for i = 1, 1e4 do t = {t} end return cjson.encode(t)", "excessive nesting", nil},
	{"sleep", "return redis.call('de' .. 'bug', 'sleep', 10)", "not allowed from script", nil},
	{"a string of 1 GB", "return #string.rep('x', 1e9)", cut, heavy},
	{"a table without end", "local t = {} for i = 1, 1e9 do t[i] = i end", cut, heavy},
	{"an answer of 50 MB", "return string.rep('x', 5e7)", cut, heavy},
	{"an error of 20 MB", "return {err = string.rep('x', 2e7)}", cut, heavy},
	{"a key of 10 MB", "redis.call('set', 'x', string.rep('x', 1e7))", "", heavy},
	{"50 MB in keys", "for i = 1, 50 do redis.call('set', 'x' .. i, string.rep('x', 1e6)) end", "", heavy},
	{"a million keys", "for i = 1, 1e6 do redis.call('set', 'x' .. i, i) end", "", heavy},
	{"20 MB of messages", "for i = 1, 200 do redis.call('publish', 'ch', string.rep('x', 1e5)) end", "", heavy},
}

// TestHostileScripts runs them on private servers: each is told for what it is,
// soon, and the session goes on. A server spends seconds on them.
func TestHostileScripts(t *testing.T) {
	onOneServer(t, func(t *testing.T, binary string) {
		s := startPrivate(t, binary)
		bystander := newNode(t, s, "s2")
		run(t, bystander, command("set", "mine", "1"))
		t.Run("all", func(t *testing.T) {
			for _, c := range hostile {
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					outlive(t, newNode(t, s, "s1"), c.source, c.answer, c.problems)
				})
			}
		})
		if got := run(t, bystander, command("get", "mine")).String(); got != `"1"` {
			t.Errorf("another session's key is %s", got)
		}
	})
}

// TestHostileOnASharedServer: nothing of it is left when the session has ended.
func TestHostileOnASharedServer(t *testing.T) {
	onEachServer(t, func(t *testing.T, binary string) {
		url, owner := startForeign(t, binary)
		n := newNode(t, dial(t, url), "s1")
		const manyNames = "for i = 1, 1500 do redis.call('set', KEYS[1] .. string.rep('x', 5000) .. i, i) end"
		_, err := n.Exec(t.Context(), script(manyNames, "a"))
		same(t, err, "too-much-data", true)
		if err := n.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if left := owner.DBSize(t.Context()).Val(); left != 0 {
			t.Errorf("%d keys are left", left)
		}
	})
}

// outlive runs a script that goes wrong, and a step after it.
func outlive(t *testing.T, n *real.Node, source, answer string, problems []string) {
	t.Helper()
	if err := n.Subscribe(t.Context(), "jvm-1", "ch"); err != nil {
		t.Fatal(err)
	}
	r, err := n.Exec(t.Context(), script(source))
	var problem *real.Error
	switch {
	case errors.As(err, &problem):
		if !slices.Contains(problems, problem.What.Code) {
			t.Errorf("got %v, want the answer %q or one of %q", err, answer, problems)
		}
	case err != nil:
		t.Fatal(err)
	case !r.Reply.IsError() || answer == "" || !regexp.MustCompile(answer).MatchString(r.Reply.Str):
		t.Errorf("got %.200s, want the answer %q or one of %q", r.Reply, answer, problems)
	}
	if problem != nil && problem.NeedsReset {
		if err := n.Reset(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := run(t, n, script("return redis.call('incr', KEYS[1])", "n")).String(); got != "1" {
		t.Errorf("the next step answers %s", got)
	}
}

// TestNothingDangerousOnASharedServer: of the commands that a server calls dangerous or
// its administrator's, the user of a node may send none but those that stay among its names.
func TestNothingDangerousOnASharedServer(t *testing.T) {
	onEachServer(t, func(t *testing.T, binary string) {
		url, owner := startForeign(t, binary)
		n := newNode(t, dial(t, url), "s1")
		run(t, n, command("set", "a", "1"))
		if err := owner.Set(t.Context(), "theirs", "1", 0).Err(); err != nil {
			t.Fatal(err)
		}
		users, err := owner.Do(t.Context(), "acl", "users").StringSlice()
		if err != nil || len(users) != 2 {
			t.Fatalf("the users are %q, %v", users, err)
		}
		tried := 0
		for _, category := range []string{"dangerous", "admin"} {
			commands, err := owner.Do(t.Context(), "acl", "cat", category).StringSlice()
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range commands {
				tried++
				args := []any{"acl", "dryrun", users[1]}
				for _, word := range append(strings.Split(c, "|"), "1", "1", "1", "1") {
					args = append(args, word)
				}
				got, err := owner.Do(t.Context(), args...).Result()
				said := fmt.Sprint(got, err)
				if !strings.Contains(said, "no permissions") && !strings.Contains(said, "wrong number of arguments") {
					t.Errorf("%s: %s", c, said)
				}
			}
		}
		if tried < 50 {
			t.Errorf("the server names %d commands", tried)
		}
		for _, line := range []string{"flushall", "flushdb async", "swapdb 0 1", "shutdown nosave", "config set maxmemory 1", "debug sleep 0", "replicaof 127.0.0.1 1"} {
			words := strings.Fields(line)
			inScript := engine.Op{Script: &engine.Script{Source: "return redis.call(unpack(ARGV))"}, Args: words}
			for _, op := range []engine.Op{command(words...), inScript} {
				r, err := n.Exec(t.Context(), op)
				if errors.Is(err, &real.Error{What: fact.Of("all-keys")}) && op.Script == nil {
					continue // it is not even sent
				}
				if err != nil || !r.Reply.IsError() {
					t.Errorf("%s: got %v, %v", line, r.Reply, err)
				}
			}
		}
		if got := owner.Get(t.Context(), "theirs").Val(); got != "1" {
			t.Errorf("the owner's key is %q", got)
		}
		if got := run(t, n, command("get", "a")).String(); got != `"1"` {
			t.Errorf("the session's key is %s", got)
		}
	})
}
