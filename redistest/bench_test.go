package redistest

import (
	"context"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// BenchmarkSchedule runs one schedule of two clients that SET, GET and DEL.
func BenchmarkSchedule(b *testing.B) {
	scenario := func(w *World) {
		for _, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				if rdb.SetNX(ctx, "lock", name, time.Minute).Val() && rdb.Get(ctx, "lock").Val() == name {
					rdb.Del(ctx, "lock")
				}
			})
		}
	}
	defer beginAlone()()
	s := newSearch(b, scenario, Bounds{})
	for b.Loop() {
		s.play(planned{})
	}
}
