package port_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"lockstep/engine/reply"
	"lockstep/node/redis/conversations"
	"lockstep/node/redis/port"
)

// patience is how long a test waits for what must come, however busy the machine is: less than go
// test gives them all.
const patience = 20 * time.Minute

// address is where a server listens.
type address struct{ network, at string }

// open starts an embedded server that ends with the test.
func open(tb testing.TB, clock port.Clock) address {
	tb.Helper()
	at, stop := serve(tb, clock, slog.New(slog.NewTextHandler(tb.Output(), nil)))
	tb.Cleanup(func() {
		if err := stop(); err != nil {
			tb.Errorf("Serve: %v", err)
		}
	})
	return at
}

// serve starts an embedded server and returns what stops it.
func serve(tb testing.TB, clock port.Clock, log *slog.Logger) (address, func() error) {
	tb.Helper()
	return start(tb, port.New(clock, log))
}

func start(tb testing.TB, server *port.Server) (address, func() error) {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, listener) }()
	return address{"tcp", listener.Addr().String()}, func() error {
		cancel()
		return <-ended
	}
}

// openReal starts a server, Redis or Valkey, that ends with the test.
func openReal(tb testing.TB, name string) address {
	tb.Helper()
	binary := conversations.RedisServer(tb)
	if name == "Valkey" {
		binary = conversations.ValkeyServer(tb)
	}
	url := conversations.StartServer(tb, binary, "--enable-debug-command", "yes")
	return address{"unix", strings.TrimPrefix(url, "unix://")}
}

// wire is a connection on which nothing is hidden.
type wire struct {
	tb   testing.TB
	conn net.Conn
	in   *bufio.Reader
}

func dial(tb testing.TB, a address) *wire {
	tb.Helper()
	conn, err := net.Dial(a.network, a.at)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = conn.Close() })
	return &wire{tb, conn, bufio.NewReader(conn)}
}

func (w *wire) write(text string) {
	w.tb.Helper()
	if _, err := io.WriteString(w.conn, text); err != nil {
		w.tb.Fatalf("write: %v", err)
	}
}

// read is one reply or push, byte for byte. The end of the connection is "EOF".
func (w *wire) read() string {
	w.tb.Helper()
	if err := w.conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		w.tb.Fatal(err)
	}
	var text strings.Builder
	if err := w.copyValue(&text); err != nil {
		if strings.Contains(err.Error(), "timeout") {
			w.tb.Fatalf("nothing came for %s, after %q", patience, text.String())
		}
		return text.String() + "EOF"
	}
	return text.String()
}

func (w *wire) copyValue(to *strings.Builder) error {
	line, err := w.in.ReadString('\n')
	to.WriteString(line)
	if err != nil {
		return err
	}
	n, _ := strconv.Atoi(strings.TrimRight(line[1:], "\r\n"))
	switch line[0] {
	case '$', '=':
		if n >= 0 {
			_, err = io.CopyN(to, w.in, int64(n)+2)
		}
	case '%':
		n *= 2
		fallthrough
	case '*', '~', '>':
		for ; n > 0 && err == nil; n-- {
			err = w.copyValue(to)
		}
	}
	return err
}

// do sends words as a command and reads its reply.
func (w *wire) do(words ...string) string {
	w.tb.Helper()
	w.write(command(words...))
	return w.read()
}

// pipeline sends commands at once and reads their replies.
func (w *wire) pipeline(commands ...[]string) []reply.Reply {
	w.tb.Helper()
	var text strings.Builder
	for _, args := range commands {
		text.WriteString(command(args...))
	}
	w.write(text.String())
	replies := make([]reply.Reply, len(commands))
	for i := range replies {
		replies[i] = parse(w.read())
	}
	return replies
}

func command(words ...string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "*%d\r\n", len(words))
	for _, word := range words {
		fmt.Fprintf(&text, "$%d\r\n%s\r\n", len(word), word)
	}
	return text.String()
}

// expect fails the test when a reply is another one.
func (w *wire) expect(want string, words ...string) {
	w.tb.Helper()
	if got := w.do(words...); got != want {
		w.tb.Errorf("%q answers %q, want %q", words, got, want)
	}
}

// eventually asks again and again until something holds, and fails the test when
// patience ends.
func eventually(tb testing.TB, what string, holds func() bool) {
	tb.Helper()
	for start := time.Now(); !holds(); <-time.After(time.Millisecond) {
		if time.Since(start) > patience {
			tb.Fatalf("after %s it is not so that %s", patience, what)
		}
	}
}
