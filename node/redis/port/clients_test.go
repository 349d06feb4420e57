package port_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/node/redis/port"
)

// connect is a go-redis client of an embedded server.
func connect(t *testing.T, clock port.Clock, protocol int) *redis.Client {
	t.Helper()
	client := redis.NewClient(&redis.Options{Addr: open(t, clock).at, Protocol: protocol})
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// bothProtocols runs a test of a client in RESP2 and in RESP3.
func bothProtocols(t *testing.T, clock port.Clock, test func(*testing.T, *redis.Client)) {
	t.Helper()
	for _, protocol := range []int{2, 3} {
		t.Run(fmt.Sprintf("RESP%d", protocol), func(t *testing.T) { test(t, connect(t, clock, protocol)) })
	}
}

// advance moves a server's virtual clock.
func advance(t *testing.T, client redis.UniversalClient, by time.Duration) {
	t.Helper()
	if err := client.Do(t.Context(), "DEBUG", "ADVANCE", by.Milliseconds()).Err(); err != nil {
		t.Fatal(err)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestGoRedisReadsEveryShape(t *testing.T) {
	bothProtocols(t, port.Real, func(t *testing.T, client *redis.Client) {
		ctx := t.Context()
		check(t, client.HSet(ctx, "h", "a", "1", "b", "2").Err())
		check(t, client.ZAdd(ctx, "z", redis.Z{Score: 1.5, Member: "a"}, redis.Z{Score: 1e20, Member: "b"}).Err())
		check(t, client.SAdd(ctx, "s", "x").Err())
		for _, c := range []struct{ got, want any }{
			{client.HGetAll(ctx, "h").Val(), map[string]string{"a": "1", "b": "2"}},
			{client.ZRangeWithScores(ctx, "z", 0, -1).Val(), []redis.Z{{Score: 1.5, Member: "a"}, {Score: 1e20, Member: "b"}}},
			{client.ZScore(ctx, "z", "a").Val(), 1.5},
			{client.SMembersMap(ctx, "s").Val(), map[string]struct{}{"x": {}}},
			{client.Get(ctx, "nope").Err(), redis.Nil},
			{client.ZPopMin(ctx, "z").Val(), []redis.Z{{Score: 1.5, Member: "a"}}},
			{client.ConfigGet(ctx, "maxmemory").Val(), map[string]string{"maxmemory": "0"}},
			{client.LPopCount(ctx, "nope", 2).Err(), redis.Nil},
		} {
			if fmt.Sprint(c.got) != fmt.Sprint(c.want) {
				t.Errorf("got %v, want %v", c.got, c.want)
			}
		}
	})
}

func TestGoRedisPipelines(t *testing.T) {
	bothProtocols(t, port.Real, func(t *testing.T, client *redis.Client) {
		const n = 10_000
		filler := strings.Repeat("x", 1000)
		replies, err := client.Pipelined(t.Context(), func(p redis.Pipeliner) error {
			for i := range n {
				p.Set(t.Context(), fmt.Sprint(i), filler, 0)
				p.Get(t.Context(), fmt.Sprint(i)) // more than the sockets hold, before anything is read
			}
			return nil
		})
		check(t, err)
		for i, r := range replies {
			if get, ok := r.(*redis.StringCmd); ok && get.Val() != filler {
				t.Fatalf("reply %d is %.80q", i, get.Val())
			}
		}
		if got := client.DBSize(t.Context()).Val(); got != n {
			t.Errorf("there are %d keys, want %d", got, n)
		}
	})
}

func TestGoRedisOptimisticTransactions(t *testing.T) {
	bothProtocols(t, port.Real, func(t *testing.T, client *redis.Client) {
		ctx := t.Context()
		add := func(tx *redis.Tx) error {
			n, err := tx.Get(ctx, "counter").Int()
			if err != nil && !errors.Is(err, redis.Nil) {
				return err
			}
			_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
				p.Set(ctx, "counter", n+1, 0)
				return nil
			})
			return err
		}
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for done := 0; done < 25; {
					switch err := client.Watch(ctx, add, "counter"); {
					case err == nil:
						done++
					case !errors.Is(err, redis.TxFailedErr):
						t.Error(err)
						return
					}
				}
			})
		}
		all.Wait()
		if got := client.Get(ctx, "counter").Val(); got != "200" {
			t.Errorf("the counter is %s, want 200: updates were lost", got)
		}
	})
}

func TestGoRedisHearsMessages(t *testing.T) {
	bothProtocols(t, port.Real, func(t *testing.T, client *redis.Client) {
		ctx := t.Context()
		sub := client.Subscribe(ctx, "news")
		t.Cleanup(func() { _ = sub.Close() })
		_, err := sub.Receive(ctx)
		check(t, err)
		check(t, sub.PSubscribe(ctx, "n*"))
		_, err = sub.Receive(ctx)
		check(t, err)
		script := redis.NewScript("return redis.call('publish', KEYS[1], ARGV[1])")
		heard, err := script.Run(ctx, client, []string{"news"}, "hello").Int()
		check(t, err)
		if heard != 2 {
			t.Errorf("%d subscriptions heard it, want 2", heard)
		}
		for _, pattern := range []string{"", "n*"} {
			m, err := sub.ReceiveMessage(ctx)
			check(t, err)
			if m.Channel != "news" || m.Payload != "hello" || m.Pattern != pattern {
				t.Errorf("heard %v, want hello by pattern %q", m, pattern)
			}
		}
		check(t, sub.Unsubscribe(ctx, "news"))
		check(t, sub.Ping(ctx))
	})
}

func TestGoRedisWaitsForItems(t *testing.T) {
	bothProtocols(t, port.Virtual, func(t *testing.T, client *redis.Client) {
		ctx := t.Context()
		type popped struct {
			items []string
			err   error
		}
		results := make(chan popped)
		go func() {
			items, err := client.BLPop(ctx, 30*time.Second, "q").Result()
			results <- popped{items, err}
		}()
		awaitBlockedClients(t, client, 1)
		check(t, client.RPush(ctx, "q", "item").Err())
		if got := <-results; got.err != nil || !slices.Equal(got.items, []string{"q", "item"}) {
			t.Errorf("BLPOP got %v", got)
		}
		go func() {
			items, err := client.BLPop(ctx, 30*time.Second, "q").Result()
			results <- popped{items, err}
		}()
		awaitBlockedClients(t, client, 1)
		advance(t, client, 29_999*time.Millisecond)
		awaitBlockedClients(t, client, 1)
		advance(t, client, time.Millisecond)
		if got := <-results; !errors.Is(got.err, redis.Nil) {
			t.Errorf("after 30 s BLPOP got %v, want nothing", got)
		}
	})
}

func awaitBlockedClients(t *testing.T, client *redis.Client, n int) {
	t.Helper()
	eventually(t, fmt.Sprintf("%d clients are blocked", n), func() bool {
		return strings.Contains(client.Info(t.Context(), "clients").Val(), fmt.Sprintf("blocked_clients:%d\r\n", n))
	})
}

func TestTheVirtualClockIsUnixTime(t *testing.T) {
	client := connect(t, port.Virtual, 3)
	ctx := t.Context()
	start := client.Time(ctx).Val()
	check(t, client.Set(ctx, "k", "v", time.Minute).Err())
	advance(t, client, 59_999*time.Millisecond)
	if got := client.PTTL(ctx, "k").Val(); got != time.Millisecond {
		t.Errorf("k has %v left, want 1ms", got)
	}
	if got := client.Time(ctx).Val().Sub(start); got != 59_999*time.Millisecond {
		t.Errorf("TIME moved by %v", got)
	}
	if got := client.PExpireTime(ctx, "k").Val(); got != time.Duration(start.Add(time.Minute).UnixMilli())*time.Millisecond {
		t.Errorf("k expires at %v", got)
	}
	advance(t, client, time.Millisecond)
	if got := client.Exists(ctx, "k").Val(); got != 0 {
		t.Error("k outlives its minute")
	}
}

func TestTheRealClockIsUnixTime(t *testing.T) {
	client := connect(t, port.Real, 3)
	ctx := t.Context()
	before := time.Now().Truncate(time.Microsecond)
	at := client.Time(ctx).Val()
	if at.Before(before) || at.After(time.Now()) {
		t.Errorf("TIME answers %v, which is not between %v and now", at, before)
	}
	deadline := time.Now().Add(time.Hour).Truncate(time.Millisecond)
	check(t, client.Set(ctx, "k", "v", 0).Err())
	check(t, client.PExpireAt(ctx, "k", deadline).Err())
	if got := client.PExpireTime(ctx, "k").Val(); got != time.Duration(deadline.UnixMilli())*time.Millisecond {
		t.Errorf("k expires at %v, want %v", got, deadline)
	}
	if err := client.Do(ctx, "DEBUG", "ADVANCE", 1).Err(); err == nil || !strings.Contains(err.Error(), "--clock virtual") {
		t.Errorf("DEBUG ADVANCE answers %v", err)
	}
	// A key that is read again and again is gone once its time has come.
	check(t, client.Set(ctx, "short", "v", 5*time.Millisecond).Err())
	eventually(t, "short has expired", func() bool { return client.Exists(ctx, "short").Val() == 0 })
	// So is one that nobody reads.
	check(t, client.Set(ctx, "unread", "v", 5*time.Millisecond).Err())
	eventually(t, "unread was deleted", func() bool { return client.DBSize(ctx).Val() == 1 })
}
