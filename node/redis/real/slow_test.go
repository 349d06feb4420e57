package real

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/engine/fact"
)

// TestASlowAnswer: a server that needs long to send an answer is told from one that has
// stopped sending, and an answer is too big however long it took to come.
func TestASlowAnswer(t *testing.T) {
	const pause = answerLimit - time.Second
	piece := strings.Repeat("x", replyLimit/4)
	for _, c := range []struct {
		name   string
		pieces []string
		want   string
	}{
		{"complete", []string{"-ERR ", "late ", "but ", "here\r\n"}, ""},
		{"too big", []string{piece, piece, piece, piece, "x"}, "too-much-data"},
		{"cut short", []string{"-ERR ", "late "}, "no-answer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := &Node{server: &Server{}}
				n.steps = &wire{conn: answered(t, pause, c.pieces...)}
				n.control = idleServer(t)
				defer n.control.Close()
				done, killed, problem := n.send(t.Context(), nil)
				switch {
				case killed:
					t.Error("a script was killed")
				case c.want == "" && (problem != nil || len(done.queued) != 1 || done.queued[0].Str != "ERR late but here"):
					t.Errorf("got %v, %v", done, problem)
				case c.want != "" && !errors.Is(problem, &Error{What: fact.Of(c.want)}):
					t.Errorf("got %v, want %s", problem, c.want)
				}
			})
		})
	}
}

// answered is a connection to a server that sends pieces of an answer, each after a pause,
// and then no more.
func answered(t *testing.T, pause time.Duration, pieces ...string) net.Conn {
	ours, theirs := net.Pipe()
	t.Cleanup(func() { _, _ = ours.Close(), theirs.Close() })
	go func() {
		for _, p := range pieces {
			<-time.After(pause)
			_, _ = io.WriteString(theirs, p)
		}
	}()
	go func() { _, _ = io.Copy(io.Discard, theirs) }()
	return ours
}

// idleServer is a client of a server that runs no script.
func idleServer(t *testing.T) *redis.Client {
	ours, theirs := net.Pipe()
	t.Cleanup(func() { _, _ = ours.Close(), theirs.Close() })
	go func() {
		for in := bufio.NewScanner(theirs); in.Scan(); {
			switch in.Text() {
			case "hello":
				_, _ = io.WriteString(theirs, "-ERR unknown command\r\n")
			case "PING":
				_, _ = io.WriteString(theirs, "+PONG\r\n")
			}
		}
	}()
	dialer := func(context.Context, string, string) (net.Conn, error) { return ours, nil }
	return newClient(redis.Options{Addr: "127.0.0.1:1", Dialer: dialer})
}
