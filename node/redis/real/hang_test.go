package real_test

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestAServerThatHangsIsToldOfAtOnce: who comes after the first does not wait as long, and
// all goes on once the server does.
func TestAServerThatHangsIsToldOfAtOnce(t *testing.T) {
	onEachServer(t, func(t *testing.T, binary string) {
		url, owner := startForeign(t, binary)
		server := dial(t, url)
		n, next := newNode(t, server, "s1"), newNode(t, server, "s2")
		run(t, n, command("set", "a", "1"))
		id := regexp.MustCompile(`process_id:(\d+)`).FindStringSubmatch(owner.Info(t.Context(), "server").Val())
		pid, err := strconv.Atoi(id[1])
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = syscall.Kill(pid, syscall.SIGCONT) }()
		short, end := context.WithTimeout(t.Context(), time.Second)
		defer end()
		if err := next.Reset(short); err == nil {
			t.Fatal("a stopped server answers")
		}
		long, end := context.WithTimeout(t.Context(), 8*time.Second) // less than it has for an answer
		defer end()
		if err := next.Reset(long); err == nil || !strings.Contains(err.Error(), "the server does not answer") || long.Err() != nil {
			t.Errorf("it is told %v, and its time %v", err, long.Err())
		}
		if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
		if err := next.Reset(t.Context()); err != nil {
			t.Errorf("the server is back: %v", err)
		}
	})
}
