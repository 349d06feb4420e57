package keyspace

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/reply"
)

// server is a real redis-server of this test, on a unix socket.
type server struct {
	t      testing.TB
	name   string // as a Difference names it
	socket string
	conn   net.Conn
	in     *bufio.Reader
	// nilArray tells whether the last nil was one of an array.
	nilArray bool
}

// startServer fails the test when there is no redis-server: comparing with it
// is what these tests are for.
func startServer(t testing.TB) *server {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		t.Fatalf("no redis-server on PATH: run `make servers` first (%v)", err)
	}
	return startBinary(t, "Redis", path)
}

// startValkey fails the test when there is no Valkey.
func startValkey(t testing.TB) *server {
	t.Helper()
	path, err := filepath.Abs("../../../.cache/valkey/usr/bin/valkey-server")
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		path, err = exec.LookPath("valkey-server")
	}
	if err != nil {
		t.Fatalf("no Valkey: run `make servers` first (%v)", err)
	}
	return startBinary(t, "Valkey", path)
}

func startBinary(t testing.TB, name, path string) *server {
	t.Helper()
	dir := t.TempDir()
	socket := filepath.Join(dir, "s")
	cmd := exec.CommandContext(t.Context(), path, "--port", "0", "--unixsocket", socket, "--dir", dir,
		"--save", "", "--appendonly", "no", "--logfile", "", "--daemonize", "no")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("cannot start %s: %v", path, err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	var log strings.Builder
	for lines := bufio.NewScanner(out); ; {
		if !lines.Scan() {
			t.Fatalf("the server ended before it was ready:\n%s", log.String())
		}
		fmt.Fprintln(&log, lines.Text())
		if strings.Contains(lines.Text(), "eady to accept connections") {
			break
		}
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return (&server{t: t, name: name, socket: socket}).again()
}

// again is another connection to the same server.
func (s *server) again() *server {
	s.t.Helper()
	conn, err := net.Dial("unix", s.socket)
	if err != nil {
		s.t.Fatalf("cannot reach redis-server: %v", err)
	}
	s.t.Cleanup(func() { _ = conn.Close() })
	return &server{t: s.t, name: s.name, socket: s.socket, conn: conn, in: bufio.NewReader(conn)}
}

// send writes commands without waiting for their replies.
func (s *server) send(commands ...[]string) {
	s.t.Helper()
	var out strings.Builder
	for _, args := range commands {
		fmt.Fprintf(&out, "*%d\r\n", len(args))
		for _, arg := range args {
			fmt.Fprintf(&out, "$%d\r\n%s\r\n", len(arg), arg)
		}
	}
	if _, err := io.WriteString(s.conn, out.String()); err != nil {
		s.t.Fatalf("redis-server is gone: %v", err)
	}
}

// do runs one command.
func (s *server) do(args ...string) reply.Reply {
	s.t.Helper()
	s.send(args)
	return s.receive()
}

// receive reads one reply.
func (s *server) receive() reply.Reply {
	s.t.Helper()
	line, err := s.in.ReadString('\n')
	if err != nil {
		s.t.Fatalf("redis-server is gone: %v", err)
	}
	kind, text := line[0], strings.TrimSuffix(line[1:], "\r\n")
	switch kind {
	case '+':
		return reply.OfStatus(text)
	case '-':
		return reply.OfError(text)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		s.t.Fatalf("redis-server sent %q", line)
	}
	switch {
	case kind == ':':
		return reply.OfInt(n)
	case n < 0:
		s.nilArray = kind == '*'
		return reply.Reply{}
	case kind == '$':
		body := make([]byte, n+2)
		if _, err := io.ReadFull(s.in, body); err != nil {
			s.t.Fatalf("redis-server is gone: %v", err)
		}
		return reply.OfBulk(string(body[:n]))
	case kind == '*':
		items := make([]reply.Reply, n)
		for i := range items {
			items[i] = s.receive()
		}
		return reply.OfArray(items...)
	}
	s.t.Fatalf("redis-server sent %q", line)
	return reply.Reply{}
}
