package port_test

import (
	"io"
	"log/slog"
	"regexp"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lockstep/node/redis/port"
)

// TestClientsThatDoNotReadGo: all replies that wait for their clients together have
// one bound, and the client that holds most goes first.
func TestClientsThatDoNotReadGo(t *testing.T) {
	at := open(t, port.Real)
	modest, greedy, other := dial(t, at), dial(t, at), dial(t, at)
	other.expect("+OK\r\n", "SET", "k", strings.Repeat("v", 1<<20))
	for client, n := range map[*wire]int{modest: 30, greedy: 110} {
		client.write(strings.Repeat(command("GET", "k"), n))
	}
	waiting := func() string { return other.do("CLIENT", "LIST") }
	// As long as the replies are being made, another may have most to read.
	eventually(t, "the replies are there, but for what the sockets have taken", func() bool {
		made := 0
		for _, omem := range regexp.MustCompile(` omem=(\d+) `).FindAllStringSubmatch(waiting(), -1) {
			n, _ := strconv.Atoi(omem[1])
			made += n
		}
		return made > 115<<20
	})
	other.expect("+OK\r\n", "CONFIG", "SET", "maxmemory-clients", "100mb")
	eventually(t, "one of them is closed", func() bool { return strings.Count(waiting(), "id=") == 2 })
	if got := readAll(greedy); got >= 110<<20 {
		t.Errorf("the client with most to read read all of it, %d bytes", got)
	}
	for i := range 30 {
		if got := len(modest.read()); got < 1<<20 {
			t.Fatalf("reply %d has %d bytes", i, got)
		}
	}
	modest.expect("+PONG\r\n", "PING")
}

// TestManyClientsThatDoNotRead take less than 1 GB however fast they ask, and who asks for little does not wait
// until each of them has had a turn.
func TestManyClientsThatDoNotRead(t *testing.T) {
	// One processor alone that is never idle looks for what has come over the network a hundred times a second: Go's
	// turns, not the server's.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // as a server has it; make test collects garbage less often
	debug.FreeOSMemory()                              // what other tests have left
	before := resident()
	at, stop := serve(t, port.Real, slog.New(slog.DiscardHandler))
	other := dial(t, at)
	other.expect("+OK\r\n", "SET", "k", strings.Repeat("v", 1<<20))
	greedy := make([]*wire, 250)
	for i := range greedy {
		greedy[i] = dial(t, at)
	}
	var closed atomic.Int64
	for _, w := range greedy {
		go func() {
			for err := error(nil); err == nil; { // until it is closed
				_, err = io.WriteString(w.conn, strings.Repeat(command("GET", "k"), 100))
			}
			closed.Add(1)
		}()
	}
	var most int64
	commands := performed(t, other)
	var meanwhile []int
	for closed.Load() < 200 {
		n := performed(t, other)
		meanwhile, commands = append(meanwhile, n-commands), n
		most = max(most, resident()-before)
	}
	if most >= 1<<30 {
		t.Errorf("they take %d MB", most>>20)
	}
	slices.Sort(meanwhile)
	if got := meanwhile[len(meanwhile)/2]; got > len(greedy)/10 {
		t.Errorf("half of the time, %d commands of others run before one is answered", got)
	}
	check(t, stop())
}

// performed is how many commands the server has run.
func performed(t *testing.T, w *wire) int {
	_, after, _ := strings.Cut(w.do("INFO", "stats"), "total_commands_processed:")
	text, _, _ := strings.Cut(after, "\r\n")
	n, err := strconv.Atoi(text)
	check(t, err)
	return n
}

func readAll(w *wire) int64 {
	_ = w.conn.SetReadDeadline(time.Now().Add(patience))
	n, _ := io.Copy(io.Discard, w.in)
	return n
}

// TestASubscriberMayBeSlowForAWhile: what it holds must not stay there for ever,
// although it is less than what closes it at once.
func TestASubscriberMayBeSlowForAWhile(t *testing.T) {
	at := open(t, port.Virtual) // whose limits go by real time all the same
	slow, publisher := dial(t, at), dial(t, at)
	publisher.expect("+OK\r\n", "CONFIG", "SET", "client-output-buffer-limit", "pubsub 100mb 4mb 3")
	slow.do("SUBSCRIBE", "c")
	for range 12 {
		publisher.expect(":1\r\n", "PUBLISH", "c", strings.Repeat("x", 1<<20))
	}
	publisher.do("DEBUG", "ADVANCE", "3600000")
	publisher.expect(":1\r\n", "PUBLISH", "c", "x")
	eventually(t, "it is closed", func() bool { return publisher.do("PUBLISH", "c", "x") == ":0\r\n" })
}

// Redis does not count the 16 KiB that each client's replies have anyhow.
func TestSmallRepliesAreWithinAnyLimit(t *testing.T) {
	w := dial(t, open(t, port.Real))
	w.expect("+OK\r\n", "CONFIG", "SET", "client-output-buffer-limit", "normal 1 0 0")
	w.expect("+PONG\r\n", "PING")
}

// What a client has the server keep counts as well: half of a request, what it subscribes to, what it has queued.
func TestWhatIsKeptForAClientHasABound(t *testing.T) {
	part := strings.Repeat("x", 1<<19)
	for what, requests := range map[string][]string{
		"half of a request": {"*100\r\n", "$524288\r\n" + part + "\r\n"},
		"channels":          {command("PING"), command("SUBSCRIBE", "N"+part)},
		"a transaction":     {command("MULTI"), command("SET", "k", part)},
	} {
		at := open(t, port.Real)
		w, other := dial(t, at), dial(t, at)
		other.expect("+OK\r\n", "CONFIG", "SET", "maxmemory-clients", "4mb")
		for i := range 16 {
			request := strings.Replace(requests[min(i, 1)], "N", string(rune('a'+i)), 1)
			if _, err := io.WriteString(w.conn, request); err != nil {
				break
			}
			if what != "half of a request" && strings.HasSuffix(w.read(), "EOF") {
				break
			}
		}
		eventually(t, "a client with "+what+" of 8 MB is closed", func() bool { return strings.Count(other.do("CLIENT", "LIST"), "id=") == 1 })
	}
}

// TestAReplyCannotTakeAllMemory: a few bytes may ask for one value any number of times.
func TestAReplyCannotTakeAllMemory(t *testing.T) {
	at := open(t, port.Real)
	w, other := dial(t, at), dial(t, at)
	w.expect("+OK\r\n", "SET", "k", strings.Repeat("v", 1<<20))
	w.write("MGET" + strings.Repeat(" k", 300) + "\r\n")
	if got := w.read(); got != "EOF" {
		t.Errorf("the client reads %d bytes", len(got))
	}
	other.expect("+PONG\r\n", "PING")
}

// resident is about how many bytes of the system's memory the process has.
func resident() int64 {
	metrics.Read(held)
	return int64(held[0].Value.Uint64() - held[1].Value.Uint64())
}

// held is made once: to ask must not make garbage.
var held = []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
