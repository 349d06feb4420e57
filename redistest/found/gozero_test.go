package found_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	_ "unsafe" // for go:linkname

	"github.com/zeromicro/go-zero/core/limit"
	"github.com/zeromicro/go-zero/core/logx"
	"github.com/zeromicro/go-zero/core/stores/redis"
	"github.com/zeromicro/go-zero/core/syncx"

	"lockstep/redistest"
)

// goZeroClients are the clients that go-zero has, by address: it has no other way to be given one.
//
//go:linkname goZeroClients github.com/zeromicro/go-zero/core/stores/redis.clientManager
var goZeroClients *syncx.ResourceManager

var goZeroAddresses atomic.Int64

func goZero(ctx context.Context, p *redistest.Process) *redis.Redis {
	logx.Disable()
	address := fmt.Sprintf("%s-%d:6379", p.Name, goZeroAddresses.Add(1))
	goZeroClients.Inject(address, client(ctx, p, "redis"))
	return redis.New(address)
}

func TestGoZeroLock(t *testing.T) {
	scenario := rivals("redis", "lock", func(ctx context.Context, p *redistest.Process) (func(), bool) {
		l := redis.NewRedisLock(goZero(ctx, p), "lock")
		l.SetExpire(int(lease.Seconds()))
		return func() { _, _ = l.ReleaseCtx(ctx) }, untilTaken(func() bool { ok, err := l.AcquireCtx(ctx); return ok && err == nil })
	})
	holds(t, scenario, redistest.Bounds{Losses: 1, Ticks: 1})
	holds(t, scenario, redistest.Bounds{Pauses: 1, LongestPause: short, Crashes: 1})
}

func TestGoZeroPeriodLimit(t *testing.T) {
	scenario := limited("key", func(ctx context.Context, p *redistest.Process) bool {
		got, err := limit.NewPeriodLimit(1, 1, goZero(ctx, p), "").TakeCtx(ctx, "key")
		return err == nil && got != limit.OverQuota
	})
	holds(t, scenario, redistest.Bounds{Losses: 1})
	holds(t, scenario, redistest.Bounds{Crashes: 1})
}

// With a rate of more than twice the burst, the TTL that the script computes is 0, which SETEX refuses: each process
// limits only itself.
func TestGoZeroTokenLimiter(t *testing.T) {
	scenario := func(rate, burst int) func(w *redistest.World) {
		return limitedOnly(func(ctx context.Context, p *redistest.Process) bool {
			return limit.NewTokenLimiter(rate, burst, goZero(ctx, p), "key").AllowCtx(ctx)
		})
	}
	holds(t, scenario(1, 1), redistest.Bounds{Crashes: 1})
	breaks(t, scenario(3, 1), redistest.Bounds{}, "mutual exclusion")
}
