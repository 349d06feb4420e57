package redis

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"lockstep/engine"
	"lockstep/node/redis/conversations"
)

// The scripts of the reentrant lock.
const (
	lockSource = `
local key = KEYS[1]; local threadId = ARGV[1]; local releaseTime = ARGV[2];
if(redis.call('exists', key) == 0) then
  redis.call('hset', key, threadId, '1'); redis.call('expire', key, releaseTime); return 1;
end;
if(redis.call('hexists', key, threadId) == 1) then
  redis.call('hincrby', key, threadId, '1'); redis.call('expire', key, releaseTime); return 1;
end;
return 0;`
	unlockSource = `
local key = KEYS[1]; local threadId = ARGV[1]; local releaseTime = ARGV[2];
if (redis.call('hexists', key, threadId) == 0) then return nil; end;
local count = redis.call('hincrby', key, threadId, -1);
if (count > 0) then redis.call('expire', key, releaseTime); return nil;
else redis.call('del', key); return nil; end;`
)

// pair is one lock and one unlock.
type pair func() error

func nodePair() pair {
	ctx := context.Background()
	n := NewNode()
	keys, args := []string{"anyLock"}, []string{"jvm-1:1", "30"}
	lock := engine.Op{Script: &engine.Script{Name: "lock", Source: lockSource}, Keys: keys, Args: args}
	unlock := engine.Op{Script: &engine.Script{Name: "unlock", Source: unlockSource}, Keys: keys, Args: args}
	return func() error {
		r, err := n.Exec(ctx, lock)
		if err != nil || r.Reply.Int != 1 {
			return errors.New("the lock was refused: " + r.Reply.String())
		}
		_, err = n.Exec(ctx, unlock)
		return err
	}
}

func clientPair(client *redis.Client) pair {
	ctx := context.Background()
	lock, unlock := redis.NewScript(lockSource), redis.NewScript(unlockSource)
	keys := []string{"anyLock"}
	return func() error {
		n, err := lock.Run(ctx, client, keys, "jvm-1:1", "30").Int()
		if err != nil || n != 1 {
			return errors.Join(errors.New("the lock was refused"), err)
		}
		err = unlock.Run(ctx, client, keys, "jvm-1:1", "30").Err()
		if errors.Is(err, redis.Nil) {
			return nil
		}
		return err
	}
}

// startRedis runs a redis-server until the test ends, and returns its TCP address.
func startRedis(tb testing.TB) string {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	address := listener.Addr().String()
	_, port, _ := net.SplitHostPort(address)
	if err := listener.Close(); err != nil {
		tb.Fatal(err)
	}
	conversations.StartServer(tb, conversations.RedisServer(tb), "--port", port, "--bind", "127.0.0.1")
	return address
}

// BenchmarkReentrantPairs measures lock + unlock pairs a second on the node, on a
// real server and on miniredis, in turns, so that all see the same machine.
func BenchmarkReentrantPairs(b *testing.B) {
	tcp := startRedis(b)
	mini := miniredis.RunT(b)
	redisClient := redis.NewClient(&redis.Options{Addr: tcp})
	fake := redis.NewClient(&redis.Options{Addr: mini.Addr()})
	b.Cleanup(func() { _ = redisClient.Close(); _ = fake.Close() })
	contenders := []struct {
		name string
		run  pair
		n    int // pairs in a turn
	}{
		{"node", nodePair(), 20_000},
		{"redis", clientPair(redisClient), 1_000},
		{"miniredis", clientPair(fake), 200},
	}
	spent := make([]time.Duration, len(contenders))
	pairs := make([]int, len(contenders))
	for b.Loop() {
		for i, c := range contenders {
			start := time.Now()
			for range c.n {
				if err := c.run(); err != nil {
					b.Fatal(c.name, err)
				}
			}
			spent[i] += time.Since(start)
			pairs[i] += c.n
		}
	}
	rate := func(i int) float64 { return float64(pairs[i]) / spent[i].Seconds() }
	for i, c := range contenders {
		b.ReportMetric(rate(i), c.name+"-pairs/s")
	}
	b.ReportMetric(rate(0)/rate(1), "x-redis")
	b.ReportMetric(rate(0)/rate(2), "x-miniredis")
}

// BenchmarkNodePair is the node alone, for profiles.
func BenchmarkNodePair(b *testing.B) {
	run := nodePair()
	b.ReportAllocs()
	for b.Loop() {
		if err := run(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pairs/s")
}
