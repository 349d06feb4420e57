package redistest

import (
	"context"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

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
