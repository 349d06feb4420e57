package port_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/node/redis/conversations"
	"lockstep/node/redis/port"
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

var lockScript, unlockScript = redis.NewScript(lockSource), redis.NewScript(unlockSource)

func lock(ctx context.Context, client *redis.Client, key string) error {
	n, err := lockScript.EvalSha(ctx, client, []string{key}, "jvm-1:1", "30").Int()
	if err != nil || n != 1 {
		return errors.Join(errors.New("the lock was refused"), err)
	}
	return nil
}

func unlock(ctx context.Context, client *redis.Client, key string) error {
	err := unlockScript.EvalSha(ctx, client, []string{key}, "jvm-1:1", "30").Err()
	if errors.Is(err, redis.Nil) {
		return nil
	}
	return err
}

// contender is a server to be measured through the same client.
type contender struct {
	name   string
	client *redis.Client
	calls  []time.Duration // with one client
	alone  rate
	crowd  rate // with many clients
}

type rate struct {
	pairs int
	spent time.Duration
}

func (r rate) perSecond() float64 { return float64(r.pairs) / r.spent.Seconds() }

// openRedisOnTCP starts a redis-server as clients in production meet it.
func openRedisOnTCP(tb testing.TB) address {
	tb.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	at := free.Addr().String()
	_, port, _ := net.SplitHostPort(at)
	if err := free.Close(); err != nil {
		tb.Fatal(err)
	}
	conversations.StartServer(tb, conversations.RedisServer(tb), "--port", port, "--bind", "127.0.0.1")
	return address{"tcp", at}
}

// BenchmarkEvalSHA measures pairs of lock and unlock through this port and
// through redis-server's, in turns, so that both see the same machine.
func BenchmarkEvalSHA(b *testing.B) {
	at, stop := serve(b, port.Real, slog.New(slog.NewTextHandler(io.Discard, nil)))
	b.Cleanup(func() { _ = stop() })
	contenders := []*contender{
		{name: "embedded", client: redis.NewClient(&redis.Options{Addr: at.at})},
		{name: "redis", client: redis.NewClient(&redis.Options{Addr: openRedisOnTCP(b).at})},
	}
	for _, c := range contenders {
		b.Cleanup(func() { _ = c.client.Close() })
		for _, script := range []*redis.Script{lockScript, unlockScript} {
			if err := script.Load(b.Context(), c.client).Err(); err != nil {
				b.Fatal(err)
			}
		}
	}
	for b.Loop() {
		for _, c := range contenders {
			if err := errors.Join(c.runAlone(b.Context(), 500), c.runCrowd(b.Context(), 8, 100)); err != nil {
				b.Fatal(c.name, err)
			}
		}
	}
	for _, c := range contenders {
		slices.Sort(c.calls)
		b.ReportMetric(micros(c.calls[len(c.calls)/2]), c.name+"-p50-µs")
		b.ReportMetric(micros(c.calls[len(c.calls)*99/100]), c.name+"-p99-µs")
		b.ReportMetric(c.alone.perSecond(), c.name+"-pairs/s")
		b.ReportMetric(c.crowd.perSecond(), c.name+"-pairs/s-by-8")
	}
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

func (c *contender) runAlone(ctx context.Context, pairs int) error {
	for range pairs {
		start := time.Now()
		if err := lock(ctx, c.client, "anyLock"); err != nil {
			return err
		}
		locked := time.Now()
		if err := unlock(ctx, c.client, "anyLock"); err != nil {
			return err
		}
		unlocked := time.Now()
		c.calls = append(c.calls, locked.Sub(start), unlocked.Sub(locked))
		c.alone.pairs++
		c.alone.spent += unlocked.Sub(start)
	}
	return nil
}

func (c *contender) runCrowd(ctx context.Context, clients, pairs int) error {
	var crowd sync.WaitGroup
	failed := make([]error, clients)
	start := time.Now()
	for i := range clients {
		crowd.Go(func() {
			for range pairs {
				key := "lock" + strconv.Itoa(i)
				if err := errors.Join(lock(ctx, c.client, key), unlock(ctx, c.client, key)); err != nil {
					failed[i] = fmt.Errorf("client %d: %w", i, err)
					return
				}
			}
		})
	}
	crowd.Wait()
	c.crowd.pairs += clients * pairs
	c.crowd.spent += time.Since(start)
	return errors.Join(failed...)
}

// BenchmarkExpiry lets 100,000 keys reach their time at once and measures how
// long a client's PINGs take meanwhile.
func BenchmarkExpiry(b *testing.B) {
	at, stop := serve(b, port.Real, slog.New(slog.DiscardHandler))
	b.Cleanup(func() { _ = stop() })
	w := dial(b, at)
	var calls []time.Duration
	for b.Loop() {
		deadline := time.Now().Add(time.Second)
		const n = 100_000
		var load strings.Builder
		for i := range n {
			load.WriteString(command("SET", strconv.Itoa(i), "v", "PXAT", strconv.FormatInt(deadline.UnixMilli(), 10)))
		}
		w.write(load.String())
		for range n {
			w.read()
		}
		runtime.GC() // the load's garbage is not the server's
		for ; w.do("DBSIZE") != ":0\r\n"; calls = append(calls, measure(w)) {
			continue
		}
	}
	slices.Sort(calls)
	b.ReportMetric(micros(calls[len(calls)/2]), "p50-µs")
	b.ReportMetric(micros(calls[len(calls)*999/1000]), "p99.9-µs")
	b.ReportMetric(micros(calls[len(calls)-1]), "slowest-µs")
}

func measure(w *wire) time.Duration {
	start := time.Now()
	w.do("PING")
	return time.Since(start)
}
