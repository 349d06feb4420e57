package found_test

import (
	"context"
	"net"
	"testing"

	redis8 "github.com/go-redis/redis/v8"
	redisrate10 "github.com/go-redis/redis_rate/v10"
	redisrate9 "github.com/go-redis/redis_rate/v9"

	"lockstep/redistest"
)

func TestRedisRate10(t *testing.T) {
	scenario := limited("rate:key", func(ctx context.Context, p *redistest.Process) bool {
		got, err := redisrate10.NewLimiter(client(ctx, p, "redis")).Allow(ctx, "key", redisrate10.PerSecond(1))
		return err == nil && got.Allowed > 0
	})
	holds(t, scenario, redistest.Bounds{Losses: 1})
	holds(t, scenario, redistest.Bounds{Crashes: 1})
}

func TestRedisRate9(t *testing.T) {
	scenario := limited("rate:key", func(ctx context.Context, p *redistest.Process) bool {
		got, err := redisrate9.NewLimiter(client8(ctx, p, "redis")).Allow(ctx, "key", redisrate9.PerSecond(1))
		return err == nil && got.Allowed > 0
	})
	holds(t, scenario, redistest.Bounds{Losses: 1})
	holds(t, scenario, redistest.Bounds{Crashes: 1})
}

// client8 is a client of go-redis 8.
func client8(ctx context.Context, p *redistest.Process, server string) *redis8.Client {
	rdb := redis8.NewClient(&redis8.Options{
		MinRetryBackoff: -1, MaxRetryBackoff: -1, IdleCheckFrequency: -1, PoolSize: 100,
		Dialer: func(ctx context.Context, _, _ string) (net.Conn, error) { return p.Dial(ctx, server) },
	})
	context.AfterFunc(ctx, func() { _ = rdb.Close() })
	return rdb
}
