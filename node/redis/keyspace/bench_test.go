package keyspace

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

func tenKeys() *Keyspace {
	k := New()
	for i := range 10 {
		k.Do([]string{"HSET", fmt.Sprint("lock:", i), "jvm-1:1", "1"})
		k.Do([]string{"PEXPIRE", fmt.Sprint("lock:", i), "30000"})
	}
	return k
}

// forked makes forks outlive the loop, as they do in use.
var forked *Keyspace

func BenchmarkFork10Keys(b *testing.B) {
	b.ReportAllocs()
	k := tenKeys()
	for b.Loop() {
		forked = k.Fork()
	}
}

func BenchmarkForkAndWrite10Keys(b *testing.B) {
	b.ReportAllocs()
	k := tenKeys()
	write := words("HINCRBY lock:3 jvm-1:1 1")
	for b.Loop() {
		forked = k.Fork()
		forked.Do(write)
	}
}

func BenchmarkDigest10Keys(b *testing.B) {
	b.ReportAllocs()
	k := tenKeys()
	for b.Loop() {
		k.Digest()
	}
}

func BenchmarkWriteAndDigest10Keys(b *testing.B) {
	b.ReportAllocs()
	k := tenKeys()
	write := words("HINCRBY lock:3 jvm-1:1 1")
	for b.Loop() {
		k.Do(write)
		k.Digest()
	}
}

// BenchmarkLockUnlockPair runs the commands of a reentrant lock and of its unlock.
func BenchmarkLockUnlockPair(b *testing.B) {
	b.ReportAllocs()
	k := New()
	var pair [][]string
	for _, line := range []string{
		"EXISTS lock", "HINCRBY lock jvm-1:1 1", "PEXPIRE lock 30000",
		"HEXISTS lock jvm-1:1", "HINCRBY lock jvm-1:1 -1", "DEL lock", "PUBLISH channel 0",
	} {
		pair = append(pair, words(line))
	}
	for b.Loop() {
		for _, args := range pair {
			k.Do(args)
		}
	}
}

// pauses keeps the shortest time that each step of the same run took in any
// round: what is left is the step's own, without what else the machine did.
type pauses []time.Duration

func (p *pauses) note(step int, took time.Duration) {
	if step == len(*p) {
		*p = append(*p, took)
	}
	(*p)[step] = min((*p)[step], took)
}

func (p pauses) report(b *testing.B) {
	slices.Sort(p)
	b.ReportMetric(float64(p[len(p)-1].Nanoseconds()), "ns/longest")
	b.ReportMetric(float64(p[len(p)*99/100].Nanoseconds()), "ns/p99")
	b.ReportMetric(float64(p[len(p)/2].Nanoseconds()), "ns/median")
}

// BenchmarkLongestExpiryPause lets 100,000 keys expire at one instant, bit by bit.
func BenchmarkLongestExpiryPause(b *testing.B) {
	var p pauses
	for b.Loop() {
		k := New()
		for i := range 100_000 {
			k.Do([]string{"SET", fmt.Sprint("k", i), "v", "PX", fmt.Sprint(1 + i*7919%60_000)})
		}
		k.MoveTo(time.Hour)
		for step := 0; k.Late(); step++ {
			start := time.Now()
			k.Expire(256)
			p.note(step, time.Since(start))
		}
	}
	p.report(b)
}

// BenchmarkLongestCommandOf100000 fills a keyspace with 100,000 keys that have a
// TTL and renews each once.
func BenchmarkLongestCommandOf100000(b *testing.B) {
	var p pauses
	for b.Loop() {
		k := New()
		for i := range 200_000 {
			args := []string{"SET", fmt.Sprint("k", i%100_000), "v", "PX", fmt.Sprint(1 + i*7919%60_000)}
			start := time.Now()
			k.Do(args)
			p.note(i, time.Since(start))
		}
	}
	p.report(b)
}

// BenchmarkExpire100000Keys is per key: to give it a deadline and to expire it.
func BenchmarkExpire100000Keys(b *testing.B) {
	b.ReportAllocs()
	k := New()
	commands := make([][]string, 100_000)
	for i := range commands {
		commands[i] = []string{"SET", fmt.Sprint("k", i), "v", "PX", fmt.Sprint(1 + i*7919%60_000)}
	}
	i := 0
	for b.Loop() {
		k.Do(commands[i])
		if i++; i == len(commands) {
			i = 0
			k.AdvanceTo(k.Now() + time.Minute)
		}
	}
}
