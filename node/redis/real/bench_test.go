package real_test

import (
	"net"
	"strconv"
	"testing"

	"lockstep/engine"
	"lockstep/node/redis/conversations"
	"lockstep/node/redis/real"
)

const (
	acquire = `if (redis.call('exists', KEYS[1]) == 0) then redis.call('hincrby', KEYS[1], ARGV[2], 1); redis.call('pexpire', KEYS[1], ARGV[1]); return nil; end; if (redis.call('hexists', KEYS[1], ARGV[2]) == 1) then redis.call('hincrby', KEYS[1], ARGV[2], 1); redis.call('pexpire', KEYS[1], ARGV[1]); return nil; end; return redis.call('pttl', KEYS[1]);`
	release = `if (redis.call('hexists', KEYS[1], ARGV[3]) == 0) then return nil; end; local counter = redis.call('hincrby', KEYS[1], ARGV[3], -1); if (counter > 0) then redis.call('pexpire', KEYS[1], ARGV[2]); return 0; else redis.call('del', KEYS[1]); redis.call('publish', KEYS[2], ARGV[1]); return 1; end; return nil;`
)

var (
	lock = engine.Op{
		Script: &engine.Script{Source: acquire}, Keys: []string{"lock"}, Args: []string{"30000", "jvm-1:1"},
	}
	unlock = engine.Op{
		Script: &engine.Script{Source: release}, Keys: []string{"lock", "channel"}, Args: []string{"0", "30000", "jvm-1:1"},
	}
)

// overTCP starts a shared server on a port of its own.
func overTCP(t testing.TB, binary string) *real.Server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	_ = l.Close()
	conversations.StartServer(t, binary, "--port", strconv.Itoa(port), "--bind", "127.0.0.1")
	return dial(t, "redis://127.0.0.1:"+strconv.Itoa(port))
}

// BenchmarkReplay is one replay of 100 steps, with two subscribers and ten keys.
func BenchmarkReplay(b *testing.B) {
	for name, find := range binaries {
		for transport, start := range map[string]func(testing.TB, string) *real.Server{
			"unix": startPrivate, "tcp": overTCP,
		} {
			b.Run(name+"/"+transport, func(b *testing.B) {
				n := newNode(b, start(b, find(b)), "s1")
				for b.Loop() {
					replay(b, n)
				}
			})
		}
	}
}

func replay(t testing.TB, n *real.Node) {
	t.Helper()
	if err := n.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, process := range []string{"jvm-2", "jvm-3"} {
		if err := n.Subscribe(t.Context(), process, "channel"); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 10 {
		run(t, n, command("set", "k"+strconv.Itoa(i), "1", "ex", "30"))
	}
	for range 45 {
		run(t, n, lock)
		run(t, n, unlock)
	}
}
