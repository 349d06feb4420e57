package port_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"lockstep/node/redis/keyspace"
	"lockstep/node/redis/port"
)

func TestAFaultCostsOneCommand(t *testing.T) {
	defer port.AddFault()()
	var log lockedBuffer
	at, stop := serve(t, port.Real, slog.New(slog.NewTextHandler(&log, nil)))
	w := dial(t, at)
	w.expect("-ERR internal error in 'boom': this is a fault of the server, and it is in its log\r\n", "BOOM")
	w.expect("+OK\r\n", "MULTI")
	w.expect("+QUEUED\r\n", "BOOM")
	w.expect("+QUEUED\r\n", "PING")
	w.expect("*2\r\n-ERR internal error in 'boom': this is a fault of the server, and it is in its log\r\n+PONG\r\n", "EXEC")
	w.expect("+PONG\r\n", "PING")
	check(t, stop())
	if got := log.String(); !strings.Contains(got, "it went off") || !strings.Contains(got, "export_test.go") {
		t.Errorf("the log says %s", got)
	}
}

type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func TestMaxClients(t *testing.T) {
	at := open(t, port.Real)
	first := dial(t, at)
	first.expect("+OK\r\n", "CONFIG", "SET", "maxclients", "2")
	dial(t, at).expect("+PONG\r\n", "PING")
	third := dial(t, at)
	if got := third.read(); got != "-ERR max number of clients reached\r\n" {
		t.Errorf("the third client reads %q", got)
	}
	if got := third.read(); got != "EOF" {
		t.Errorf("and then %q", got)
	}
	first.expect("+PONG\r\n", "PING")
}

func TestIdleClientsGo(t *testing.T) {
	at := open(t, port.Real)
	idle, subscriber, blocked, busy := dial(t, at), dial(t, at), dial(t, at), dial(t, at)
	idle.expect("+PONG\r\n", "PING")
	subscriber.do("SUBSCRIBE", "c")
	blocked.write(command("BLPOP", "q", "0"))
	busy.expect("+OK\r\n", "CONFIG", "SET", "timeout", "1")
	eventually(t, "two clients are left besides the one that asks", func() bool {
		return strings.Contains(busy.do("INFO", "clients"), "connected_clients:3\r\n")
	})
	if got := idle.read(); got != "EOF" {
		t.Errorf("the idle client reads %q", got)
	}
}

// TestASlowSubscriberGoes: what cannot be told to slow down must not fill the memory.
func TestASlowSubscriberGoes(t *testing.T) {
	at := open(t, port.Real)
	slow, publisher := dial(t, at), dial(t, at)
	slow.do("SUBSCRIBE", "c")
	payload := strings.Repeat("x", 1<<20)
	sent := 0
	eventually(t, "the slow subscriber was closed", func() bool {
		sent++
		return publisher.do("PUBLISH", "c", payload) == ":0\r\n"
	})
	if sent < 32 {
		t.Errorf("it was closed after %d MiB, and it may hold 32", sent)
	}
	if _, err := io.Copy(io.Discard, slow.conn); err != nil && !strings.Contains(err.Error(), "reset") {
		t.Errorf("the subscriber ends with %v", err)
	}
}

func TestTooLargeRequestsEndTheConnection(t *testing.T) {
	at := open(t, port.Real)
	for _, c := range []struct{ request, want string }{
		{fmt.Sprintf("*1\r\n$%d\r\n", keyspace.MaxText+1), "-ERR Protocol error: invalid bulk length\r\n"},
		{strings.Repeat("x", port.MaxLine+1), "-ERR Protocol error: too big inline request\r\n"},
		{"*" + strings.Repeat("1", port.MaxLine+1), "-ERR Protocol error: too big mbulk count string\r\n"},
		{"*1\r\n$" + strings.Repeat("1", port.MaxLine+1), "-ERR Protocol error: too big bulk count string\r\n"},
		{
			fmt.Sprintf("*9\r\n"+strings.Repeat("$%[1]d\r\n%[2]s\r\n", 3)+"$%[1]d\r\n", port.MaxRequest/4, strings.Repeat("x", port.MaxRequest/4)),
			fmt.Sprintf("-ERR Protocol error: the request is over the limit of %d bytes\r\n", port.MaxRequest),
		},
	} {
		w := dial(t, at)
		w.write(c.request)
		if got := w.read(); got != c.want {
			t.Errorf("%.40q… of %d bytes answers %q, want %q", c.request, len(c.request), got, c.want)
		}
		if got := w.read(); got != "EOF" {
			t.Errorf("after %.40q… comes %q", c.request, got)
		}
	}
	// What is just within the limit works, and so does the next request.
	value := strings.Repeat("v", keyspace.MaxText)
	w := dial(t, at)
	w.expect("+OK\r\n", "SET", "k", value)
	w.expect(fmt.Sprintf(":%d\r\n", len(value)), "STRLEN", "k")
}

// TestABlockedClientThatGoesIsForgotten: an item must not be lost to it.
func TestABlockedClientThatGoesIsForgotten(t *testing.T) {
	at := open(t, port.Real)
	gone, other := dial(t, at), dial(t, at)
	gone.write(command("BLPOP", "q", "0"))
	awaitBlocked(t, other, "1")
	check(t, gone.conn.Close())
	awaitBlocked(t, other, "0")
	other.expect(":1\r\n", "RPUSH", "q", "item")
	other.expect("*2\r\n$1\r\nq\r\n$4\r\nitem\r\n", "BLPOP", "q", "0")
}

func TestClientUnblockAndKill(t *testing.T) {
	at := open(t, port.Real)
	w, other := dial(t, at), dial(t, at)
	id := strings.Trim(w.do("CLIENT", "ID"), ":\r\n")
	for _, c := range []struct{ reason, want string }{
		{"TIMEOUT", "*-1\r\n"},
		{"ERROR", "-UNBLOCKED client unblocked via CLIENT UNBLOCK\r\n"},
	} {
		w.write(command("BLPOP", "q", "0") + command("PING"))
		awaitBlocked(t, other, "1")
		other.expect(":1\r\n", "CLIENT", "UNBLOCK", id, c.reason)
		if got := w.read() + w.read(); got != c.want+"+PONG\r\n" {
			t.Errorf("unblocked by %s, the client reads %q", c.reason, got)
		}
	}
	if got := other.do("CLIENT", "LIST"); !strings.Contains(got, "id="+id+" addr=127.0.0.1:") || !strings.Contains(got, " cmd=ping ") {
		t.Errorf("CLIENT LIST answers %q", got)
	}
	other.expect(":1\r\n", "CLIENT", "KILL", "ID", id)
	if got := w.read(); got != "EOF" {
		t.Errorf("the killed client reads %q", got)
	}
	other.expect("+OK\r\n", "CLIENT", "KILL", other.conn.LocalAddr().String())
	if got := other.read(); got != "EOF" {
		t.Errorf("the client that killed itself reads %q", got)
	}
}

// TestAClientMayWriteAllBeforeItReads: a server that waited for it to read would
// wait for ever.
func TestAClientMayWriteAllBeforeItReads(t *testing.T) {
	w := dial(t, open(t, port.Real))
	value := strings.Repeat("v", 10_000)
	w.expect("+OK\r\n", "SET", "k", value)
	const n = 5000 // 50 MB of replies
	w.write(strings.Repeat(command("GET", "k"), n))
	want := fmt.Sprintf("$%d\r\n%s\r\n", len(value), value)
	for i := range n {
		if got := w.read(); got != want {
			t.Fatalf("reply %d is %.80q", i, got)
		}
	}
}

// TestAClientMayHangUpBeforeItReads as `printf … | nc` does.
func TestAClientMayHangUpBeforeItReads(t *testing.T) {
	w := dial(t, open(t, port.Real))
	w.write("SET a 1\r\nGET a\r\n")
	tcp, ok := w.conn.(*net.TCPConn)
	if !ok {
		t.Fatal("this is no TCP connection")
	}
	check(t, tcp.CloseWrite())
	if got := w.read() + w.read() + w.read(); got != "+OK\r\n$1\r\n1\r\nEOF" {
		t.Errorf("it reads %q", got)
	}
}

func TestShutdownEndsTheServer(t *testing.T) {
	for _, how := range [][]string{{"SHUTDOWN", "NOSAVE"}, {"SHUTDOWN"}} {
		at, stop := serve(t, port.Real, slog.New(slog.DiscardHandler))
		w := dial(t, at)
		w.write(command(how...))
		if got := w.read(); got != "EOF" {
			t.Errorf("%q answers %q", how, got)
		}
		check(t, stop())
		if conn, err := net.Dial(at.network, at.at); err == nil {
			_ = conn.Close()
			t.Errorf("after %q the port is still open", how)
		}
	}
}

// TestNothingIsLeftRunning: Serve waits for everything that it started, clients
// that are blocked, subscribed or in the middle of a request included.
func TestNothingIsLeftRunning(t *testing.T) {
	before := runtime.NumGoroutine()
	at, stop := serve(t, port.Real, slog.New(slog.DiscardHandler))
	for _, last := range []string{"BLPOP q 0\r\n", "SUBSCRIBE c\r\n", "*3\r\n$3\r\nSE", "PING\r\n", "MULTI\r\nPING\r\n"} {
		w := dial(t, at)
		w.expect("+PONG\r\n", "PING")
		w.write(last)
	}
	check(t, stop())
	eventually(t, "all goroutines have ended", func() bool {
		runtime.Gosched()
		return runtime.NumGoroutine() <= before
	})
}

// TestManyKeysExpire lets 100,000 keys that nobody asks for reach their time at
// once, while a client goes on asking other things.
func TestManyKeysExpire(t *testing.T) {
	w := dial(t, open(t, port.Real))
	const n = 100_000
	deadline := fmt.Sprint(time.Now().Add(1500 * time.Millisecond).UnixMilli())
	var load strings.Builder
	for i := range n {
		load.WriteString(command("SET", fmt.Sprintf("key:%d", i), "v", "PXAT", deadline))
	}
	w.write(load.String())
	for range n {
		if got := w.read(); got != "+OK\r\n" {
			t.Fatalf("SET answers %q", got)
		}
	}
	eventually(t, "all keys are gone", func() bool { return w.do("DBSIZE") == ":0\r\n" })
}
