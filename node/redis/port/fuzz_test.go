package port_test

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lockstep/node/redis/port"
)

// conversationLines are what the clients of the recorded conversations say.
func conversationLines(tb testing.TB) []string {
	tb.Helper()
	files, err := filepath.Glob("testdata/conversations/*.txt")
	if err != nil || len(files) == 0 {
		tb.Fatalf("no conversations: %v", err)
	}
	var lines []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if _, what, ok := strings.Cut(strings.TrimRight(line, "\n"), " "); ok {
				lines = append(lines, what)
			}
		}
	}
	return lines
}

// FuzzRequests cuts the same bytes at different places: the commands must be the
// same, because where the network cuts them is chance.
func FuzzRequests(f *testing.F) {
	for _, line := range conversationLines(f) {
		f.Add([]byte(line+"\r\n"), 1)
		f.Add([]byte(command(strings.Fields(line)...)), 3)
	}
	f.Add([]byte("*2\r\n$4\r\nECHO\r\n$3\r\na\r\nb"), 2)
	f.Fuzz(func(t *testing.T, bytes []byte, n int) {
		whole, broken := port.Requests(bytes, len(bytes)+1)
		parts, brokenParts := port.Requests(bytes, max(n, 1))
		if !slices.EqualFunc(whole, parts, slices.Equal[[]string]) {
			t.Errorf("as a whole it is %q, in parts of %d it is %q", whole, n, parts)
		}
		if fmt.Sprint(broken) != fmt.Sprint(brokenParts) {
			t.Errorf("as a whole it ends with %v, in parts of %d with %v", broken, n, brokenParts)
		}
		for _, args := range whole {
			if again, err := port.Requests([]byte(command(args...)), 7); err != nil || !slices.Equal(again[0], args) {
				t.Errorf("%q, written and read again, is %q, %v", args, again, err)
			}
		}
	})
}

// FuzzServer says anything to a server, which must go on and serve the next client.
func FuzzServer(f *testing.F) {
	for _, line := range conversationLines(f) {
		f.Add([]byte(line + "\r\n"))
	}
	server := port.New(port.Virtual, slog.New(slog.DiscardHandler))
	server.LimitScripts(1_000_000) // some never end
	at, stop := start(f, server)
	f.Cleanup(func() { _ = stop() })
	f.Fuzz(func(t *testing.T, bytes []byte) {
		commands, _ := port.Requests(bytes, len(bytes)+1)
		for _, args := range commands {
			switch strings.ToLower(args[0]) {
			case "shutdown", "config", "debug": // what they are for is to take the server from others
				return
			case "client":
				if len(args) > 1 && strings.EqualFold(args[1], "pause") {
					return
				}
			}
		}
		client, err := net.Dial(at.network, at.at)
		if err != nil {
			t.Fatal(err)
		}
		tcp, ok := client.(*net.TCPConn)
		if !ok {
			t.Fatal("this is no TCP connection")
		}
		_, _ = tcp.Write(bytes)
		_ = tcp.CloseWrite()
		_ = tcp.SetReadDeadline(time.Now().Add(patience))
		replies, err := io.ReadAll(tcp)
		_ = tcp.Close()
		if strings.Contains(string(replies), "internal error") {
			t.Errorf("%q answers %q", bytes, replies)
		}
		if err != nil && strings.Contains(err.Error(), "timeout") {
			t.Errorf("after %q the connection does not end: %v", bytes, err)
		}
		dial(t, at).expect("+PONG\r\n", "PING")
	})
}
