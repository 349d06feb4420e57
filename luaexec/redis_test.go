package luaexec_test

import (
	"bufio"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/reply"
	"lockstep/node/redis"
	"lockstep/node/redis/conversations"
)

// realRedis is a redis-server of the test's own, spoken to in raw RESP2.
type realRedis struct {
	tb   testing.TB
	conn net.Conn
	in   *bufio.Reader
}

// startRedis runs a redis-server until the test ends, and returns its socket.
func startRedis(tb testing.TB) string {
	tb.Helper()
	return strings.TrimPrefix(conversations.StartServer(tb, conversations.RedisServer(tb)), "unix://")
}

func dialRedis(tb testing.TB, socket string) *realRedis {
	tb.Helper()
	conn, err := net.Dial("unix", socket)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = conn.Close() })
	return &realRedis{tb: tb, conn: conn, in: bufio.NewReader(conn)}
}

func (r *realRedis) do(args ...string) reply.Reply {
	r.tb.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(args))
	for _, a := range args {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(a), a)
	}
	if _, err := io.WriteString(r.conn, b.String()); err != nil {
		r.tb.Fatal(err)
	}
	return r.read()
}

func (r *realRedis) read() reply.Reply {
	r.tb.Helper()
	line, err := r.in.ReadString('\n')
	if err != nil {
		r.tb.Fatal(err)
	}
	line = strings.TrimSuffix(line, "\r\n")
	kind, rest := line[0], line[1:]
	n, _ := strconv.ParseInt(rest, 10, 64)
	switch kind {
	case '+':
		return reply.OfStatus(rest)
	case '-':
		return reply.OfError(rest)
	case ':':
		return reply.OfInt(n)
	}
	switch {
	case n < 0:
		return reply.Reply{}
	case kind == '$':
		text := make([]byte, n+2)
		if _, err := io.ReadFull(r.in, text); err != nil {
			r.tb.Fatal(err)
		}
		return reply.OfBulk(string(text[:n]))
	}
	elems := make([]reply.Reply, n)
	for i := range elems {
		elems[i] = r.read()
	}
	return reply.OfArray(elems...)
}

func readFile(tb testing.TB, path string) string {
	tb.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

// newNode is the embedded server, which scripts need to run on.
func newNode() *redis.Node { return redis.NewNode() }

func sha1Of(script string) string {
	sum := sha1.Sum([]byte(script))
	return hex.EncodeToString(sum[:])
}
