package port_test

import (
	"fmt"
	"strings"
	"testing"

	"lockstep/node/redis/port"
)

// TestInvalidKeysMayBeToldToAnotherClient, as clients of RESP2 need it.
func TestInvalidKeysMayBeToldToAnotherClient(t *testing.T) {
	for name, at := range map[string]address{"embedded": open(t, port.Real), "Redis": openReal(t, "Redis"), "Valkey": openReal(t, "Valkey")} {
		t.Run(name, func(t *testing.T) {
			reader, listener, writer := dial(t, at), dial(t, at), dial(t, at)
			id := strings.Trim(listener.do("CLIENT", "ID"), ":\r\n")
			listener.do("SUBSCRIBE", "__redis__:invalidate")
			reader.expect("+OK\r\n", "CLIENT", "TRACKING", "ON", "REDIRECT", id)
			reader.expect(":"+id+"\r\n", "CLIENT", "GETREDIR")
			reader.expect("$-1\r\n", "GET", "k")
			const message = "*3\r\n$7\r\nmessage\r\n$20\r\n__redis__:invalidate\r\n"
			writer.expect("+OK\r\n", "SET", "k", "v")
			if got := listener.read(); got != message+"*1\r\n$1\r\nk\r\n" {
				t.Errorf("when k was written, it heard %q", got)
			}
			writer.expect("+OK\r\n", "FLUSHALL")
			if got := listener.read(); got != message+"*-1\r\n" && got != message+"$-1\r\n" {
				t.Errorf("when all keys were deleted, it heard %q", got)
			}
			check(t, listener.conn.Close())
			eventually(t, "it has gone", func() bool { return !strings.Contains(writer.do("CLIENT", "LIST"), "id="+id+" ") })
			reader.do("HELLO", "3")
			reader.expect("_\r\n", "GET", "k")
			writer.expect("+OK\r\n", "SET", "k", "v")
			if got := reader.read(); got != ">2\r\n$21\r\ntracking-redir-broken\r\n:"+id+"\r\n" {
				t.Errorf("without it, the client reads %q", got)
			}
		})
	}
}

// TestWhatClientsHaveReadCannotTakeAllMemory: what is forgotten must be read again.
func TestWhatClientsHaveReadCannotTakeAllMemory(t *testing.T) {
	w := dial(t, open(t, port.Real))
	w.do("HELLO", "3")
	w.expect("+OK\r\n", "CLIENT", "TRACKING", "ON")
	name := strings.Repeat("k", 1<<20)
	for i := range 63 {
		w.expect("_\r\n", "GET", name+fmt.Sprint(i))
	}
	w.expect("_\r\n", "GET", "one more")
	w.expect("_\r\n", "GET", name)
	if got := w.read(); !strings.HasPrefix(got, ">2\r\n$10\r\ninvalidate\r\n*1\r\n") {
		t.Errorf("the client reads %.80q", got)
	}
}
