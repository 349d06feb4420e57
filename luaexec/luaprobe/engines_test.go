package luaprobe_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/reply"
	"lockstep/node/redis"
	"lockstep/node/redis/conversations"
)

// server runs commands: an embedded node or a real server.
type server interface {
	do(args ...string) reply.Reply
}

// servers are all that a probed script must agree on with the plain one.
func servers(t *testing.T) map[string]server {
	t.Helper()
	return map[string]server{
		"embedded": &embedded{t, redis.NewNode()},
		"redis":    dial(t, conversations.StartServer(t, conversations.RedisServer(t))),
		"valkey":   dial(t, conversations.StartServer(t, conversations.ValkeyServer(t))),
	}
}

type embedded struct {
	tb   testing.TB
	node *redis.Node
}

func (e *embedded) do(args ...string) reply.Reply {
	e.tb.Helper()
	return e.node.Do(args)
}

// renew forgets all that the node held.
func (e *embedded) renew() { e.node = redis.NewNode() }

// wire is a real server, spoken to in raw RESP2: a client library would not tell
// a status from a string.
type wire struct {
	tb   testing.TB
	conn net.Conn
	in   *bufio.Reader
}

func dial(tb testing.TB, url string) *wire {
	tb.Helper()
	conn, err := net.Dial("unix", strings.TrimPrefix(url, "unix://"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = conn.Close() })
	return &wire{tb, conn, bufio.NewReader(conn)}
}

func (w *wire) do(args ...string) reply.Reply {
	w.tb.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(args))
	for _, a := range args {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(a), a)
	}
	if _, err := io.WriteString(w.conn, b.String()); err != nil {
		w.tb.Fatal(err)
	}
	return w.read()
}

func (w *wire) read() reply.Reply {
	w.tb.Helper()
	line, err := w.in.ReadString('\n')
	if err != nil {
		w.tb.Fatal(err)
	}
	line = strings.TrimSuffix(line, "\r\n")
	kind, rest := line[0], line[1:]
	n, _ := strconv.Atoi(rest)
	switch {
	case kind == '+':
		return reply.Reply{Kind: reply.Status, Str: rest}
	case kind == '-':
		return reply.Reply{Kind: reply.Error, Str: rest}
	case kind == ':':
		i, _ := strconv.ParseInt(rest, 10, 64)
		return reply.Reply{Kind: reply.Int, Int: i}
	case n < 0:
		return reply.Reply{}
	case kind == '$':
		text := make([]byte, n+2)
		if _, err := io.ReadFull(w.in, text); err != nil {
			w.tb.Fatal(err)
		}
		return reply.Reply{Kind: reply.Bulk, Str: string(text[:n])}
	}
	r := reply.Reply{Kind: reply.Array}
	for range n {
		r.Elems = append(r.Elems, w.read())
	}
	return r
}

// eval runs a script.
func eval(s server, source string, keys, args []string) reply.Reply {
	command := append([]string{"EVAL", source, strconv.Itoa(len(keys))}, keys...)
	return s.do(append(command, args...)...)
}

// state is all that a server holds, as text. Of a deadline it tells only whether
// there is one: the real server's clock runs on.
func state(s server) string {
	var keys []string
	for _, k := range s.do("KEYS", "*").Elems {
		keys = append(keys, k.Str)
	}
	var b strings.Builder
	reads := map[string][]string{
		"string": {"GET"}, "hash": {"HGETALL"}, "list": {"LRANGE", "0", "-1"}, "set": {"SMEMBERS"},
		"zset": {"ZRANGE", "0", "-1", "WITHSCORES"}, "stream": {"XLEN"},
	}
	for _, k := range sorted(keys) {
		kind := s.do("TYPE", k).Str
		read := reads[kind]
		command := append([]string{read[0], k}, read[1:]...)
		value := s.do(command...)
		if kind == "set" {
			var members []string
			for _, m := range value.Elems {
				members = append(members, m.Str)
			}
			value = reply.Reply{Kind: reply.Bulk, Str: strings.Join(sorted(members), " ")}
		}
		fmt.Fprintf(&b, "%q %s %s deadline:%t\n", k, kind, show(value), s.do("PTTL", k).Int > 0)
	}
	return b.String()
}

// show writes a reply so that different ones differ.
func show(r reply.Reply) string {
	switch r.Kind { //nolint:exhaustive // the servers speak RESP2
	case reply.Nil:
		return "nil"
	case reply.Status:
		return "+" + r.Str
	case reply.Error:
		return "-" + r.Str
	case reply.Int:
		return strconv.FormatInt(r.Int, 10)
	case reply.Bulk:
		return strconv.Quote(r.Str)
	case reply.Array:
	}
	var parts []string
	for _, e := range r.Elems {
		parts = append(parts, show(e))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
