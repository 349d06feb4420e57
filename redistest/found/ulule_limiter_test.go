package found_test

import (
	"context"
	"testing"
	"time"

	"github.com/ulule/limiter/v3"
	limiterredis "github.com/ulule/limiter/v3/drivers/store/redis"

	"lockstep/redistest"
)

func TestUluleLimiter(t *testing.T) {
	scenario := limited("limiter:key", func(ctx context.Context, p *redistest.Process) bool {
		store, err := limiterredis.NewStore(client(ctx, p, "redis"))
		if err != nil {
			return false
		}
		got, err := limiter.New(store, limiter.Rate{Period: time.Second, Limit: 1}).Get(ctx, "key")
		return err == nil && !got.Reached
	})
	holds(t, scenario, redistest.Bounds{Losses: 1})
	holds(t, scenario, redistest.Bounds{Crashes: 1})
}
