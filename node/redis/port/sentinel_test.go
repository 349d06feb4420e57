package port_test

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"lockstep/node/redis/conversations"
	"lockstep/node/redis/port"
)

// startSentinel starts a real sentinel of a master and returns its address.
func startSentinel(t *testing.T, name, master, at string) address {
	t.Helper()
	host, masterPort, _ := net.SplitHostPort(master)
	file := filepath.Join(t.TempDir(), "sentinel.conf")
	text := fmt.Sprintf("port %s\nbind 127.0.0.1\nsentinel monitor %s %s %s 1\n", at, name, host, masterPort)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	sentinel := exec.Command(conversations.RedisServer(t), file, "--sentinel") //nolint:gosec // it is what tests install
	if err := sentinel.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = sentinel.Process.Kill()
		_ = sentinel.Wait()
	})
	a := address{"tcp", "127.0.0.1:" + at}
	eventually(t, "the sentinel takes connections", func() bool {
		c, err := net.Dial(a.network, a.at)
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	})
	return a
}

// A sentinel answers what a real one does, and tells of a new master in the same words.
func TestASentinelAnswersAsARealOne(t *testing.T) {
	ports := freePorts(t, 3)
	master, replica := "127.0.0.1:"+ports[0], "127.0.0.1:"+ports[1]
	binary := conversations.RedisServer(t)
	conversations.StartServer(t, binary, "--port", ports[0], "--bind", "127.0.0.1")
	conversations.StartServer(t, binary, "--port", ports[1], "--bind", "127.0.0.1", "--replicaof", "127.0.0.1 "+ports[0])
	at := startSentinel(t, "mymaster", master, ports[2])
	server := port.New(port.Real, slog.New(slog.NewTextHandler(io.Discard, nil)))
	server.Monitor("mymaster", master)
	own, stop := start(t, server)
	defer func() { _ = stop() }()
	real, embedded := dial(t, at), dial(t, own)
	says := func(w *wire, line string) string {
		return regexp.MustCompile(`\$2\r\nid\r\n:\d+|7\.\d+\.\d+`).ReplaceAllString(w.do(strings.Fields(line)...), "")
	}
	same := func(line string) {
		t.Helper()
		if want, got := says(real, line), says(embedded, line); got != want {
			t.Errorf("%s:\n%q, not\n%q", line, got, want)
		}
	}
	for line := range strings.SplitSeq("HELLO 2|SENTINEL GET-MASTER-ADDR-BY-NAME mymaster|sentinel get-master-addr-by-name MyMaster|sentinel sentinels mymaster|sentinel sentinels no|"+
		"sentinel|sentinel nothing|sentinel sentinels|sentinel get-master-addr-by-name a b|PING|"+
		"HELLO 3|SENTINEL get-master-addr-by-name mymaster|sentinel get-master-addr-by-name no|sentinel sentinels mymaster|subscribe +switch-master", "|") {
		same(line)
	}
	asks := dial(t, at)
	eventually(t, "the sentinel knows the replica", func() bool { return strings.Contains(asks.do("SENTINEL", "REPLICAS", "mymaster"), ports[1]) })
	eventually(t, "another is the master", func() bool {
		asks.do("SENTINEL", "FAILOVER", "mymaster")
		return strings.Contains(asks.do("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "mymaster"), ports[1])
	})
	dial(t, own).do("PUBLISH", "+switch-master", port.Switched("mymaster", master, replica))
	server.Monitor("mymaster", replica)
	if want, got := real.read(), embedded.read(); got != want {
		t.Errorf("%q, not %q", got, want)
	}
	same("SENTINEL get-master-addr-by-name mymaster")
}

// What a server takes over is as it was, with what is left of its leases, and is its own from then on.
func TestASnapshotIsTakenOver(t *testing.T) {
	first, second := port.New(port.Virtual, slog.New(slog.DiscardHandler)), port.New(port.Virtual, slog.New(slog.DiscardHandler))
	a, stop := start(t, first)
	defer func() { _ = stop() }()
	old := dial(t, a)
	old.do("SET", "lock", "A", "PX", "5000")
	old.do("RPUSH", "queue", "B")
	snapshot := first.Snapshot()
	old.do("RPUSH", "queue", "C")
	second.Restore(snapshot)
	b, stopSecond := start(t, second)
	defer func() { _ = stopSecond() }()
	w := dial(t, b)
	w.expect("$1\r\nA\r\n", "GET", "lock")
	w.expect(":5000\r\n", "PTTL", "lock")
	w.expect(":2\r\n", "RPUSH", "queue", "D")
	listening := dial(t, b)
	listening.expect("*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n", "SUBSCRIBE", "c")
	w.expect(":1\r\n", "PUBLISH", "c", "x")
	old.expect(":2\r\n", "LLEN", "queue")
}
