package redistest

import (
	"context"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// Who sleeps ten times a tenth of a second and who sleeps a second once ask at one moment, and either may be first.
func TestSleepsThatAddUpEndAtOneMoment(t *testing.T) {
	seen := map[string]bool{}
	v := Search(t, func(w *World) {
		for i, times := range []int{10, 1} {
			name := string(rune('A' + i))
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				for range times {
					rdb.Get(ctx, "of "+name)
					time.Sleep(time.Second / time.Duration(times))
				}
				rdb.Append(ctx, "n", name)
			})
		}
		w.Eventually("both are there", func() error {
			seen[w.Do("redis", "GET", "n")] = true
			return nil
		})
	}, Bounds{})
	if !seen["AB"] || !seen["BA"] {
		t.Errorf("only %v\n%s", seen, v)
	}
}

// Who sleeps and who reads for as long ask at one moment, and either may be first.
func TestAReadAndASleepEndAtOneMoment(t *testing.T) {
	seen := map[string]bool{}
	v := Search(t, func(w *World) {
		for i, waits := range []func(ctx context.Context, s *redis.PubSub){
			func(context.Context, *redis.PubSub) { time.Sleep(time.Second) },
			func(ctx context.Context, s *redis.PubSub) { _, _ = s.ReceiveTimeout(ctx, time.Second) },
		} {
			name := string(rune('A' + i))
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				s := rdb.Subscribe(ctx, "nothing")
				defer func() { _ = s.Close() }()
				_, _ = s.Receive(ctx)
				time.Sleep(time.Second)
				rdb.Get(ctx, "of "+name)
				waits(ctx, s)
				rdb.Append(ctx, "n", name)
			})
		}
		w.Eventually("both are there", func() error {
			seen[w.Do("redis", "GET", "n")] = true
			return nil
		})
	}, Bounds{})
	if !seen["AB"] || !seen["BA"] {
		t.Errorf("only %v\n%s", seen, v)
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
