package real_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/redis/go-redis/v9"

	"lockstep/engine"
	"lockstep/node/redis/conversations"
	"lockstep/node/redis/real"
)

// TestKilled uses a node in a process that is killed, and looks what is left.
func TestKilled(t *testing.T) {
	url, owner := startForeign(t, conversations.RedisServer(t))
	child := startChild(t, url)
	held, _ := child.read.ReadString('\n')
	private, _ := child.read.ReadString('\n')
	if held == "" || private == "" {
		t.Fatal("the child said nothing")
	}
	folders, err := filepath.Glob(filepath.Join(os.TempDir(), fmt.Sprintf("lockstep-server-%d-*", child.cmd.Process.Pid)))
	if err != nil || len(folders) != 1 {
		t.Fatalf("the child's folders are %q, %v", folders, err)
	}
	server := redis.NewClient(&redis.Options{Network: "unix", Addr: filepath.Join(folders[0], "redis.sock"), MaxRetries: -1, ReadTimeout: -1})
	defer server.Close()
	waiting := server.Subscribe(t.Context(), "nothing")
	defer waiting.Close()
	if _, err := waiting.Receive(t.Context()); err != nil {
		t.Fatal(err)
	}

	if err := child.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.cmd.Wait()

	if names := frozen(t, owner); len(names) != 3 {
		t.Errorf("the killed process left %q", names)
	}
	// Its user is left as well, with a password that nobody has, and reaches no
	// more than the session's names.
	users := func() string { return named(owner.Do(t.Context(), "acl", "users").String()) }
	if got := users(); !strings.HasSuffix(got, "[default lockstep:ID:s1:redis:lesson]") {
		t.Errorf("the killed process left the users %s", got)
	}
	left := strings.Fields(strings.Trim(owner.Do(t.Context(), "acl", "users").String(), "]"))
	if err := owner.Do(t.Context(), "auth", left[len(left)-1], "").Err(); err == nil {
		t.Error("a user that is left takes an empty password")
	}
	// The next playground removes both.
	dial(t, url)
	if names := frozen(t, owner); len(names) != 0 {
		t.Errorf("the next playground left %q", names)
	}
	if got := users(); !strings.HasSuffix(got, "[default]") {
		t.Errorf("the next playground left the users %s", got)
	}
	// The private server goes with its parent: its connections end.
	if m, err := waiting.Receive(t.Context()); err == nil {
		t.Errorf("the private server still lives: %v", m)
	}
	startPrivate(t, conversations.RedisServer(t))
	if _, err := os.Stat(folders[0]); !os.IsNotExist(err) {
		t.Errorf("its folder is left: %v", err)
	}
}

// TestPlaygroundsLeaveEachOther: one that starts removes nothing that another is using,
// be it that this one stands still, nor what is not a playground's.
func TestPlaygroundsLeaveEachOther(t *testing.T) {
	onEachServer(t, func(t *testing.T, binary string) {
		url, owner := startForeign(t, binary)
		for _, user := range []string{"lockstep", "lockstep:s1:redis:lesson", "mylockstep:ABCDEFGHIJKL:s1:redis:lesson", "lockstep:ABCDEFGHIJKL:*:lesson"} {
			if err := owner.Do(t.Context(), "acl", "setuser", user).Err(); err != nil {
				t.Fatal(err)
			}
		}
		if err := owner.MSet(t.Context(), "theirs", "1", "lockstep:theirs", "1", "lockstep:ABCDEFGHIJKL", "1").Err(); err != nil {
			t.Fatal(err)
		}
		live := newNode(t, dial(t, url), "s1")
		run(t, live, command("set", "a", "1"))
		stopped := startChild(t, url)
		if line, _ := stopped.read.ReadString('\n'); line == "" {
			t.Fatal("the child said nothing")
		}
		if err := stopped.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = stopped.cmd.Process.Kill() }()
		everything := func() string {
			names := owner.Keys(t.Context(), "*").Val()
			users, err := owner.Do(t.Context(), "acl", "users").StringSlice()
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(names)
			return fmt.Sprint(names, users)
		}
		before := everything()
		if !strings.Contains(before, ":s1:redis:lesson") || len(owner.Keys(t.Context(), "*").Val()) != 7 {
			t.Errorf("there is %s", before)
		}
		next := newNode(t, dial(t, url), "s1")
		run(t, next, command("get", "a"))
		if err := next.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if after := everything(); after != before {
			t.Errorf("there was %s, now there is %s", before, after)
		}
		if got := run(t, live, command("get", "a")).String(); got != `"1"` {
			t.Errorf("another playground's key is %s", got)
		}
	})
}

// TestPresenceComesBack: a playground whose connections were closed says again that it
// lives, before the next one takes what it has for leftovers.
func TestPresenceComesBack(t *testing.T) {
	onEachServer(t, func(t *testing.T, binary string) {
		url, owner := startForeign(t, binary)
		live := newNode(t, dial(t, url), "s1")
		run(t, live, command("set", "a", "1"))
		if err := owner.Do(t.Context(), "client", "kill", "type", "pubsub").Err(); err != nil {
			t.Fatal(err)
		}
		for len(owner.PubSubChannels(t.Context(), "lockstep:#*").Val()) == 0 {
			runtime.Gosched() // it comes back
		}
		run(t, newNode(t, dial(t, url), "s1"), command("get", "a"))
		if got := run(t, live, command("get", "a")).String(); got != `"1"` {
			t.Errorf("the key is %s", got)
		}
	})
}

type child struct {
	cmd  *exec.Cmd
	read *bufio.Reader
}

const childURL = "LOCKSTEP_TEST_URL"

func startChild(t *testing.T, url string) child {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", "^TestMain$")
	cmd.Env = append(os.Environ(), childURL+"="+url)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() })
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return child{cmd, bufio.NewReader(out)}
}

func TestMain(m *testing.M) {
	url := os.Getenv(childURL)
	if url == "" {
		os.Exit(m.Run())
	}
	if err := useNodes(context.Background(), url); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_, _ = io.Copy(io.Discard, os.Stdin) // until it is killed
}

// useNodes is what the child does: it holds keys on both kinds of server.
func useNodes(ctx context.Context, url string) error {
	shared, err := real.Dial(ctx, url)
	if err != nil {
		return err
	}
	private, err := real.StartPrivate(ctx, "")
	if err != nil {
		return err
	}
	for _, s := range []*real.Server{shared, private} {
		n := s.Node("s1", "redis")
		for _, op := range []engine.Op{
			command("set", "a", "1"), command("set", "b", "1", "px", "100"),
			script("redis.call('set', KEYS[1] .. ':x', 1) error('boom')", "c"),
		} {
			if _, err := n.Exec(ctx, op); err != nil {
				return err
			}
		}
		fmt.Println("ready")
	}
	return nil
}
