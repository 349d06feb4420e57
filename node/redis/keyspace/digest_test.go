package keyspace

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// after is a keyspace after commands, one a line.
func after(commands string) *Keyspace {
	k := New()
	for line := range strings.Lines(commands) {
		if args := words(line); len(args) > 0 {
			k.Do(args)
		}
	}
	return k
}

func TestDigestForgetsHistory(t *testing.T) {
	for _, c := range []struct{ name, a, b string }{
		{"order of keys", "MSET a 1 b 2", "MSET b 2 a 1"},
		{"a field come and gone", "HSET h a 1 b 2", "HSET h c 3 a 1 b 2\nHDEL h c"},
		{"order of members", "SADD s x y", "SADD s y x"},
		{"order of scores", "ZADD z 1 a 2 b", "ZADD z 2 b 1 a"},
		{"ways to fill a list", "RPUSH l a b", "LPUSH l b a"},
		{"a key come and gone", "SET a 1", "SET b 2\nSET a 1\nDEL b"},
		{"a value come and gone", "SET a 1", "RPUSH a 1\nDEL a\nSET a 1"},
		{"a deadline come and gone", "SET a 1", "SET a 1 EX 100\nPERSIST a"},
		{"another name", "SET a 1", "SET b 1\nRENAME b a"},
		{"ways to count", "SET a 3", "INCR a\nINCRBY a 2"},
	} {
		a, b := after(c.a), after(c.b)
		if a.Digest() != b.Digest() {
			t.Errorf("%s: the digest differs after %q and after %q", c.name, c.a, c.b)
		}
	}
}

func TestDigestTellsApart(t *testing.T) {
	seen := map[uint64]string{}
	for _, commands := range []string{
		"", "SET a 1", "SET a 2", "SET b 1", "SET a 1 EX 100", "SET a 1 EX 101", "SET a ''",
		"MSET a 1 b 2", "MSET a 2 b 1", "SET ab 1", "SET a b1", "SET a 1\\0", "SET a 1\\0\\0",
		"RPUSH a 1", "RPUSH a 1 2", "RPUSH a 2 1", "RPUSH a 12", "RPUSH a 1 ''", "RPUSH a '' 1",
		"SADD a 1", "SADD a 1 2", "HSET a 1 2", "HSET a 2 1", "HSET a 1 ''", "HSET a 1 1 2 2", "HSET a 1 2 2 1", "HSET a 2 2 1 1",
		"ZADD a 1 1", "ZADD a 2 1", "ZADD a 1 2", "ZADD a 1 x 2 y", "ZADD a 2 x 1 y",
		"XADD a 1-1 f v", "XADD a 1-2 f v", "XADD a 2-1 f v", "XADD a 1-1 f w", "XADD a 1-1 g v", "XADD a 1-1 f v g v",
		"XADD a 1-1 f v\nXADD a 2-1 f v", "XADD a 1-1 f v\nXADD a 2-1 f v\nXDEL a 1-1", "XADD a 1-1 f v\nXADD a 2-1 f v\nXTRIM a MAXLEN 1",
		"XADD a 1-1 f v\nXADD a 2-1 f v\nXDEL a 2-1", "XADD a 1-1 f v\nXTRIM a MAXLEN 0", "XADD a 2-1 f v\nXTRIM a MAXLEN 0",
		"SET abcdefgh 1", "SET abcdefghi 1", "SET abcdefghabcdefgh 1",
	} {
		d := after(commands).Digest()
		if other, ok := seen[d]; ok {
			t.Errorf("the digest is the same after %q and after %q", commands, other)
		}
		seen[d] = commands
	}
	later := after("SET a 1")
	later.AdvanceTo(time.Millisecond)
	listened := after("SET a 1")
	listened.Subscribe(ToChannel, "p", "c")
	swapped := after("SET a 1")
	swapped.Subscribe(ToChannel, "c", "p")
	for _, k := range []*Keyspace{later, listened, swapped} {
		if other, ok := seen[k.Digest()]; ok {
			t.Errorf("clock or subscriptions do not count: the digest is that of %q", other)
		}
		seen[k.Digest()] = "clock and subscriptions"
	}
}

// TestDigestFollowsEveryWrite asks for the digest after each command, so that a
// write that left a remembered digest behind would show.
func TestDigestFollowsEveryWrite(t *testing.T) {
	k := New()
	for _, c := range conversationsOf(t) {
		for line := range strings.Lines(c.commands) {
			args := words(line)
			if len(args) == 0 {
				continue
			}
			k.Do(deadlines(k, args))
			if k.Digest() != rebuild(k).Digest() {
				t.Fatalf("%s, %s: the digest is not that of the entries", c.name, strings.TrimSpace(line))
			}
		}
	}
}

// TestDigestIsTheSameEverywhere pins one digest: native and browser builds must agree.
func TestDigestIsTheSameEverywhere(t *testing.T) {
	k := after("SET text abcdefghij\nHSET hash a 1\nRPUSH list a b\nSADD set a\nZADD zset 1.5 a\nPEXPIRE hash 30000")
	k.Subscribe(ToChannel, "jvm-1", "channel")
	if got, want := fmt.Sprintf("%016x", k.Digest()), "e0e665d66398eda5"; got != want {
		t.Errorf("the digest is %s, want %s", got, want)
	}
}
