package real_test

import (
	"bufio"
	"errors"
	"net"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/node/redis/conversations"
	"lockstep/node/redis/real"
)

// same checks what an error is about and that it says something.
func same(t testing.TB, err error, want string, needsReset bool) {
	t.Helper()
	var e *real.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want a problem %q", err, want)
	}
	if e.What.Code != want || e.NeedsReset != needsReset {
		t.Errorf("got %q (reset %v), want %q (reset %v): %v", e.What.Code, e.NeedsReset, want, needsReset, err)
	}
	if strings.Count(err.Error(), ": ") < 2 || strings.Contains(err.Error(), "secret") {
		t.Errorf("this does not say where, what and what to do, or says too much: %v", err)
	}
}

// answering is a server that answers every command with the same reply, and
// does not know HELLO.
func answering(t *testing.T, answer string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				lines := bufio.NewScanner(c)
				for lines.Scan() { // *words, $length, name, …
					if answer == "" || !strings.HasPrefix(lines.Text(), "*") || !lines.Scan() || !lines.Scan() {
						continue
					}
					reply := answer
					if strings.EqualFold(lines.Text(), "hello") && !strings.HasPrefix(answer, "-") && !strings.HasPrefix(answer, "H") {
						reply = "-ERR unknown command 'hello'\r\n"
					}
					if _, err := c.Write([]byte(reply)); err != nil {
						return
					}
				}
			}()
		}
	}()
	return "redis://" + l.Addr().String()
}

func TestDialProblems(t *testing.T) {
	redis := conversations.RedisServer(t)
	start := func(args ...string) string { return conversations.StartServer(t, redis, args...) }
	withUser := func(url, user string) string { return strings.Replace(url, "://", "://"+user+"@", 1) }
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := closed.Addr().String()
	_ = closed.Close()
	for _, c := range []struct {
		name string
		url  string
		want string
	}{
		{"not a URL", "localhost:6379", "not-a-url"},
		{"a broken URL", "redis://user:secret@[::1", "not-a-url"},
		{"another scheme", "http://localhost:6379", "not-a-url"},
		{"nobody listens", "redis://" + address, "not-connected"},
		{"no socket", "unix:///nowhere/redis.sock", "not-connected"},
		{"no answer", answering(t, ""), "no-answer"},
		{"not a Redis", answering(t, "HTTP/1.1 400 Bad Request\r\n\r\n"), "not-connected"},
		{"no password", start("--requirepass", "secret"), "no-password"},
		{"a wrong password", withUser(start("--requirepass", "secret"), ":secretly"), "wrong-user"},
		{"a wrong user", withUser(start(), "nobody:secret"), "wrong-user"},
		{"a cluster", start("--cluster-enabled", "yes"), "cluster"},
		{"moved", answering(t, "-MOVED 3999 127.0.0.1:6381\r\n"), "cluster"},
		{"a replica", start("--replicaof", "127.0.0.1", "1"), "replica"},
		{"loading", answering(t, "-LOADING Redis is loading the dataset in memory\r\n"), "loading"},
		{"no scripts", withUser(start("--user", "shy", "on", "nopass", "~*", "&*", "+@all", "-eval"), "shy:x"), "no-permission"},
		{"no INFO", withUser(start("--user", "shy", "on", "nopass", "~*", "&*", "+@all", "-info"), "shy:x"), "no-permission"},
		{"old", answering(t, "$22\r\nredis_version:6.2.14\r\n\r\n"), "too-old"},
		{"too many clients", answering(t, "-ERR max number of clients reached\r\n"), "maxclients"},
		{"busy", answering(t, "-BUSY Redis is busy running a script.\r\n"), "busy"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := real.Dial(t.Context(), c.url)
			if err == nil {
				_ = s.Close()
			}
			same(t, err, c.want, false)
			t.Log(err)
		})
	}
}

// TestResetAfterTheServerClosed: a reset does not trust that the connection of the last
// step is still there, however short ago that was.
func TestResetAfterTheServerClosed(t *testing.T) {
	onEachServer(t, func(t *testing.T, binary string) {
		url, owner := startForeign(t, binary)
		n := newNode(t, dial(t, url), "s1")
		for _, op := range []engine.Op{command("ping"), command("set", "a", "1")} { // without keys a reset would send nothing
			run(t, n, op)
			if err := owner.Do(t.Context(), "client", "kill", "type", "normal").Err(); err != nil {
				t.Fatal(err)
			}
			if err := n.Reset(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := run(t, n, command("get", "a")).String(); got != "nil" {
				t.Errorf("after the reset a is %s", got)
			}
		}
	})
}

func TestPrivateProblems(t *testing.T) {
	_, err := real.StartPrivate(t.Context(), "/nowhere/redis-server")
	same(t, err, "not-started", false)
	_, err = real.StartPrivate(t.Context(), "/bin/false")
	same(t, err, "not-started", false)
	t.Setenv("PATH", t.TempDir())
	_, err = real.StartPrivate(t.Context(), "")
	same(t, err, "no-server-program", false)
}

func TestProblemsInALesson(t *testing.T) {
	binary := conversations.RedisServer(t)
	write := script("redis.call('del', KEYS[1]) redis.call('set', KEYS[1], 1)", "a")
	for _, c := range []struct {
		name       string
		break_     []any // what the owner of the server does
		op         engine.Op
		want       string
		needsReset bool
	}{
		{"memory, plain", []any{"config", "set", "maxmemory", "1"}, command("set", "b", "1"), "maxmemory", false},
		{"memory, script", []any{"config", "set", "maxmemory", "1"}, write, "maxmemory", false},
		{"replica, plain", []any{"replicaof", "127.0.0.1", "1"}, command("set", "b", "1"), "replica", false},
		{"flushed", []any{"flushall"}, command("get", "a"), "keys-gone", true},
		{"shut down", []any{"shutdown", "nosave"}, command("get", "a"), "not-connected", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			url, owner := startForeign(t, binary)
			n := newNode(t, dial(t, url), "s1")
			run(t, n, command("set", "a", "1"))
			_ = owner.Do(t.Context(), c.break_...).Err() // SHUTDOWN answers with the end of the connection
			_, err := n.Exec(t.Context(), c.op)
			same(t, err, c.want, c.needsReset)
			t.Log(err)
			if c.needsReset {
				_, again := n.Exec(t.Context(), command("get", "a"))
				same(t, again, c.want, true)
				_, again = n.View(t.Context())
				same(t, again, c.want, true)
			}
		})
	}
}

// TestAllServersTaken: when no more servers are started it is said, and the end of
// a session makes room.
func TestAllServersTaken(t *testing.T) {
	s := startPrivate(t, conversations.RedisServer(t))
	var first *real.Node
	for i := range 65 {
		n := newNode(t, s, "s"+strconv.Itoa(i))
		if i == 0 {
			first = n
		}
		_, err := n.Exec(t.Context(), command("ping"))
		if i < 64 {
			if err != nil {
				t.Fatal(err)
			}
			continue
		}
		same(t, err, "servers-taken", false)
		if !strings.Contains(err.Error(), "64 of 64 in use") {
			t.Errorf("got %v", err)
		}
		if err := first.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		_, err = first.Exec(t.Context(), command("ping"))
		same(t, err, "node-closed", false)
		run(t, newNode(t, s, "next"), command("ping"))
	}
}

// TestPermissionProblems: where the lesson runs as the user of the URL, what that
// user may not do is the server's trouble and not the lesson's.
func TestPermissionProblems(t *testing.T) {
	url := conversations.StartServer(t, conversations.RedisServer(t), "--user", "shy", "on", "nopass", "~*", "&*", "+@all", "-acl", "-publish")
	s := dial(t, strings.Replace(url, "://", "://shy:x@", 1))
	same(t, s.Confined(), "no-account", false)
	n := newNode(t, s, "s1")
	_, err := n.Exec(t.Context(), command("publish", "b", "1"))
	same(t, err, "no-permission", false)
	_, err = n.Exec(t.Context(), script("redis.call('publish', KEYS[1], 1)", "b"))
	same(t, err, "script-not-permitted", true)
}

// TestPrivateServerComesBack: whatever ends a private server, the step says so
// and a reset starts another.
func TestPrivateServerComesBack(t *testing.T) {
	for name, find := range binaries {
		s := startPrivate(t, find(t))
		for _, c := range []struct {
			name string
			op   engine.Op
			want string
		}{
			{"crash", script("error({})"), "server-died"},
			{"shutdown", script("return redis.pcall('shutdown', 'nosave')"), ""},
			{"endless after a write", script("redis.call('set', KEYS[1], 2) while true do end", "a"), "server-stopped"},
		} {
			t.Run(name+", "+c.name, func(t *testing.T) {
				n := newNode(t, s, "s1")
				bystander := newNode(t, s, "s2")
				run(t, bystander, command("set", "mine", "1"))
				if err := n.Subscribe(t.Context(), "jvm-1", "ch"); err != nil {
					t.Fatal(err)
				}
				run(t, n, command("set", "a", "1"))
				_, err := n.Exec(t.Context(), c.op)
				if c.want == "" {
					if err != nil {
						t.Fatal(err) // a script may not do this
					}
					return
				}
				same(t, err, c.want, true)
				t.Log(err)
				if err := n.Reset(t.Context()); err != nil {
					t.Fatal(err)
				}
				if got := run(t, n, command("get", "a")).String(); got != "nil" {
					t.Errorf("after the reset a is %s", got)
				}
				if got := run(t, bystander, command("get", "mine")).String(); got != `"1"` {
					t.Errorf("another session's key is %s", got)
				}
			})
		}
	}
}

// TestEndlessOnASharedServer: a script that has written cannot be killed there.
func TestEndlessOnASharedServer(t *testing.T) {
	url, _ := startForeign(t, conversations.RedisServer(t), "--lua-time-limit", "100")
	n := newNode(t, dial(t, url), "s1")
	_, err := n.Exec(t.Context(), script("redis.call('set', KEYS[1], 2) while true do end", "a"))
	same(t, err, "server-blocked", true)
	t.Log(err)
}
