package redisexec_test

import (
	"bufio"
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/luaexec/luaexectest"
	"lockstep/luaexec/redisexec"
)

const resolution = 100 * time.Millisecond

// binaries are the servers that a test runs on.
var binaries = map[string]func(testing.TB) string{
	"redis":  luaexectest.RedisServer,
	"valkey": luaexectest.ValkeyServer,
}

func startPrivate(t testing.TB, binary string) *redisexec.Server {
	t.Helper()
	s, err := redisexec.StartPrivate(t.Context(), binary)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// foreign is a server that does not belong to the playground.
type foreign struct {
	url    string
	client *redis.Client
	cmd    *exec.Cmd
}

// startForeign starts a server on a socket of its own and waits until it is ready.
func startForeign(t testing.TB, binary string, args ...string) *foreign {
	t.Helper()
	dir := t.TempDir()
	socket := filepath.Join(dir, "s")
	f := &foreign{url: "unix://" + socket}
	f.cmd = exec.Command(binary, append([]string{
		"--port", "0", "--unixsocket", socket, "--dir", dir, "--save", "", "--appendonly", "no",
	}, args...)...)
	out, err := f.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = f.cmd.Process.Kill()
		_ = f.cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	var log strings.Builder
	for lines.Scan() && !strings.Contains(lines.Text(), "eady to accept connections") {
		log.WriteString(lines.Text() + "\n")
	}
	if !strings.Contains(lines.Text(), "eady to accept connections") {
		t.Fatalf("the server did not start:\n%s", log.String())
	}
	go func() {
		for lines.Scan() {
			continue // the server's log must not fill the pipe
		}
	}()
	f.client = redis.NewClient(&redis.Options{Network: "unix", Addr: socket, MaxRetries: -1})
	t.Cleanup(func() { _ = f.client.Close() })
	return f
}

func dial(t testing.TB, url string) *redisexec.Server {
	t.Helper()
	s, err := redisexec.Dial(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func newNode(t testing.TB, s *redisexec.Server, session string) *redisexec.Node {
	t.Helper()
	n := s.Node(session, "redis", resolution)
	t.Cleanup(func() { _ = n.Close(context.WithoutCancel(t.Context())) })
	return n
}

func script(source string, keys ...string) engine.Op {
	return engine.Op{Script: &engine.Script{Name: "test", Source: source}, Keys: keys}
}

func command(args ...string) engine.Op { return engine.Op{Args: args} }

func run(t testing.TB, n *redisexec.Node, op engine.Op) reply.Reply {
	t.Helper()
	r, err := n.Exec(t.Context(), op)
	if err != nil {
		t.Fatalf("%v: %v", op, err)
	}
	return r.Reply
}

func advance(t testing.TB, n *redisexec.Node, to time.Duration) []engine.Expiry {
	t.Helper()
	gone, err := n.AdvanceTo(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	return gone
}

func view(t testing.TB, n *redisexec.Node) engine.NodeView {
	t.Helper()
	v, err := n.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return v
}
