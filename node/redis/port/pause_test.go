package port_test

import (
	"log/slog"
	"testing"
	"time"

	"lockstep/node/redis/port"
)

// TestAPauseEndsByTheClock: where time stands still, only DEBUG ADVANCE may go on, and
// what waits runs in the order in which it came.
func TestAPauseEndsByTheClock(t *testing.T) {
	at := open(t, port.Virtual)
	clock, first, second := dial(t, at), dial(t, at), dial(t, at)
	clock.expect("+OK\r\n", "CLIENT", "PAUSE", "1000")
	first.write(command("APPEND", "k", "a"))
	if got := clock.do("DEBUG", "ADVANCE", "999"); got[0] != ':' {
		t.Fatal(got)
	}
	if err := first.conn.SetReadDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if b, err := first.in.ReadByte(); err == nil {
		t.Fatalf("%q came although the pause goes on", b)
	}
	second.write(command("APPEND", "k", "b"))
	clock.do("DEBUG", "ADVANCE", "1")
	if got := first.read() + second.read(); got != ":1\r\n:2\r\n" {
		t.Errorf("the first and the second read %q", got)
	}
}

// A second pause neither narrows the first one nor ends it sooner.
func TestAPauseOutlastsAShorterOne(t *testing.T) {
	server := port.New(port.Virtual, slog.New(slog.DiscardHandler))
	heard := ""
	clock := server.Local(func([]byte) {}, func() {})
	reader := server.Local(func(b []byte) { heard += string(b) }, func() {})
	clock.Send([]byte("MULTI\r\nCLIENT PAUSE 1000 ALL\r\nCLIENT PAUSE 10 WRITE\r\nEXEC\r\n"))
	reader.Send([]byte("GET k\r\n"))
	clock.Send([]byte("DEBUG ADVANCE 999\r\n"))
	if heard != "" {
		t.Errorf("%q came although all clients pause", heard)
	}
	clock.Send([]byte("DEBUG ADVANCE 1\r\n"))
	if heard != "$-1\r\n" {
		t.Errorf("after the pause came %q", heard)
	}
}
