package found_test

import (
	"context"
	"testing"

	"github.com/bsm/redislock"

	"lockstep/redistest"
)

func throughRedislock(retry redislock.RetryStrategy) take {
	return func(ctx context.Context, p *redistest.Process) (func(), bool) {
		l, err := redislock.Obtain(ctx, client(ctx, p, "redis"), "lock", lease, &redislock.Options{RetryStrategy: retry})
		return func() { _ = l.Release(ctx) }, err == nil
	}
}

func TestRedislock(t *testing.T) {
	waits := throughRedislock(redislock.LinearBackoff(again))
	holds(t, rivals("redis", "lock", waits), redistest.Bounds{Losses: 1, Ticks: 1})
	holds(t, rivals("redis", "lock", waits), redistest.Bounds{Pauses: 1, LongestPause: short, Crashes: 1})
	holds(t, toldNo("redis", "lock", throughRedislock(redislock.NoRetry())), redistest.Bounds{Losses: 1})
}
