package found_test

import (
	"context"
	"testing"

	throttled1 "github.com/throttled/throttled"
	redigostore1 "github.com/throttled/throttled/store/redigostore"
	"github.com/throttled/throttled/v2"
	"github.com/throttled/throttled/v2/store/goredisstore.v9"
	"github.com/throttled/throttled/v2/store/redigostore"

	"lockstep/redistest"
)

// allowed asks a store whether this is allowed.
func allowed(ctx context.Context, store throttled.GCRAStoreCtx) bool {
	l, err := throttled.NewGCRARateLimiterCtx(store, throttled.RateQuota{MaxRate: throttled.PerSec(1)})
	if err != nil {
		return false
	}
	no, _, err := l.RateLimitCtx(ctx, "key", 1)
	return err == nil && !no
}

func throughGoRedis(ctx context.Context, p *redistest.Process) bool {
	store, err := goredisstore.NewCtx(client(ctx, p, "redis"), "")
	return err == nil && allowed(ctx, store)
}

func throughRedigo(ctx context.Context, p *redistest.Process) bool {
	store, err := redigostore.NewCtx(redigoPool(ctx, p, "redis"), "", 0)
	return err == nil && allowed(ctx, store)
}

func throughRedigo1(ctx context.Context, p *redistest.Process) bool {
	store, err := redigostore1.New(redigoPool(ctx, p, "redis"), "", 0)
	if err != nil {
		return false
	}
	l, err := throttled1.NewGCRARateLimiter(store, throttled1.RateQuota{MaxRate: throttled1.PerSec(1)})
	if err != nil {
		return false
	}
	no, _, err := l.RateLimit("key", 1)
	return err == nil && !no
}

// SETNX and EXPIRE are two requests. Who dies in between leaves a key for ever, until somebody asks again.
func TestThrottled(t *testing.T) {
	for name, allow := range map[string]allow{
		"2, go-redis": throughGoRedis, "2, redigo": throughRedigo, "1, redigo": throughRedigo1,
	} {
		t.Run(name, func(t *testing.T) {
			holds(t, limitedOnly(allow), redistest.Bounds{Losses: 1})
			holds(t, limitedOnly(allow), redistest.Bounds{Crashes: 1})
			breaks(t, forgetful("key", allow), redistest.Bounds{Crashes: 1}, "it expires in the end")
		})
	}
}
