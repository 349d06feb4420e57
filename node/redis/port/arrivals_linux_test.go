package port_test

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"testing"

	"lockstep/node/redis/port"
)

// TestCommandsRunInTheOrderInWhichTheyArrive sends two commands on two connections,
// one right after the other, and reads no reply in between. The connections are
// local sockets: TCP itself may deliver the second command first.
func TestCommandsRunInTheOrderInWhichTheyArrive(t *testing.T) {
	at := openLocally(t)
	first, second := dial(t, at), dial(t, at)
	first.expect("+PONG\r\n", "PING") // both are accepted
	second.expect("+PONG\r\n", "PING")
	for i := range 300 {
		channel := fmt.Sprint("c", i)
		first.write(command("SUBSCRIBE", channel))
		second.expect(":1\r\n", "PUBLISH", channel, "hello")
		first.read()
		if got, want := first.read(), "*3\r\n"+bulk("message")+bulk(channel)+bulk("hello"); got != want {
			t.Fatalf("the subscriber reads %q, want %q", got, want)
		}
		first.write(command("UNSUBSCRIBE") + command("SET", "k", channel))
		second.expect(bulk(channel), "GET", "k")
		first.read()
		first.read()
	}
}

// openLocally starts an embedded server on a local socket.
func openLocally(t *testing.T) address {
	t.Helper()
	at := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", at)
	check(t, err)
	ended := make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	go func() { ended <- port.New(port.Real, slog.New(slog.DiscardHandler)).Serve(ctx, listener) }()
	t.Cleanup(func() {
		cancel()
		check(t, <-ended)
	})
	return address{"unix", at}
}

func bulk(text string) string { return fmt.Sprintf("$%d\r\n%s\r\n", len(text), text) }
