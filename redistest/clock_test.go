package redistest

import (
	"context"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// Who sleeps ten times a tenth of a second or reads for a second, and who sleeps a second once, ask at one moment, and either
// may be first.
func TestWaitsThatAreAsLongEndAtOneMoment(t *testing.T) {
	for name, wait := range map[string]func(ctx context.Context, rdb *redis.Client, s *redis.PubSub){
		"sleeps": func(ctx context.Context, rdb *redis.Client, _ *redis.PubSub) {
			for range 10 {
				rdb.Get(ctx, "of A")
				time.Sleep(time.Second / 10)
			}
		},
		"a read": func(ctx context.Context, _ *redis.Client, s *redis.PubSub) { _, _ = s.ReceiveTimeout(ctx, time.Second) },
	} {
		seen := map[string]bool{}
		program := func(name string, wait func(ctx context.Context, rdb *redis.Client, s *redis.PubSub)) func(ctx context.Context, rdb *redis.Client) {
			return func(ctx context.Context, rdb *redis.Client) {
				s := rdb.Subscribe(ctx, "nothing")
				defer func() { _ = s.Close() }()
				_, _ = s.Receive(ctx)
				time.Sleep(time.Second)
				rdb.Get(ctx, "of "+name)
				wait(ctx, rdb, s)
				rdb.Append(ctx, "n", name)
			}
		}
		v := Search(t, func(w *World) {
			w.Client("A", program("A", wait))
			w.Client("B", program("B", func(context.Context, *redis.Client, *redis.PubSub) { time.Sleep(time.Second) }))
			w.Eventually("both are there", func() error {
				seen[w.Do("redis", "GET", "n")] = true
				return nil
			})
		}, Bounds{})
		if !seen["AB"] || !seen["BA"] {
			t.Errorf("%s: only %v\n%s", name, seen, v)
		}
	}
}

// A process whose function has returned is paused no longer than others, as what it has begun goes on.
func TestNoPauseIsLongerThanTheLongest(t *testing.T) {
	const longest = time.Second
	v := Search(t, func(w *World) {
		w.Allow(Missing, Idle)
		w.Client("A", func(ctx context.Context, rdb *redis.Client) {
			go func() {
				rdb.Incr(context.WithoutCancel(ctx), "renewed")
				rdb.Incr(context.WithoutCancel(ctx), "renewed")
			}()
			time.Sleep(time.Millisecond)
		})
		w.Client("B", func(ctx context.Context, rdb *redis.Client) {
			time.Sleep(time.Hour)
			rdb.Incr(ctx, "n")
		})
	}, Bounds{Pauses: 1, Ticks: 1, LongestPause: longest})
	if v.seen.Pause == 0 || v.seen.Pause > longest {
		t.Errorf("the longest pause took %v\n%s", v.seen.Pause, v)
	}
}

// Who sleeps until the moment at which a request of theirs would have been waited for in vain does so at the same moment each time.
func TestAMomentEndsTheSameEachTime(t *testing.T) {
	v := Search(t, func(w *World) {
		for _, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				rdb.Exists(ctx, "lock")
				for range 4 {
					if rdb.SetNX(ctx, "lock", name, 3*time.Second).Val() {
						time.Sleep(2 * time.Second)
						rdb.Exists(ctx, "k")
						return
					}
					time.Sleep(time.Second)
				}
			})
		}
		w.HasTTL("redis", "lock")
	}, Bounds{Ticks: 1, Pauses: 1, Schedules: 2100})
	if v.Strayed > 0 {
		t.Error(v)
	}
}
