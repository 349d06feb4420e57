package found_test

import (
	"context"
	"crypto/tls"
	"net"
	"testing"
	"time"

	"github.com/valkey-io/valkey-go"
	"github.com/valkey-io/valkey-go/valkeylock"

	"lockstep/redistest"
)

// valkeyLocker is a locker of one key on one server.
func valkeyLocker(p *redistest.Process, options valkeylock.LockerOption) (valkeylock.Locker, error) {
	options.KeyMajority, options.KeyValidity = 1, lease
	options.ClientOption.ForceSingleClient = true // or it asks for a cluster after each timeout
	options.ClientOption.InitAddress = []string{"127.0.0.1:6379"}
	options.ClientOption.DialCtxFn = func(ctx context.Context, _ string, _ *net.Dialer, _ *tls.Config) (net.Conn, error) {
		return p.Dial(ctx, "redis")
	}
	return valkeylock.NewLocker(options)
}

func throughValkey(options valkeylock.LockerOption) take {
	return func(ctx context.Context, p *redistest.Process) (func(), bool) {
		l, err := valkeyLocker(p, options)
		if err != nil {
			return nil, false
		}
		context.AfterFunc(ctx, l.Close)
		_, cancel, err := l.WithContext(ctx, "lock")
		return func() { cancel(); l.Close() }, err == nil
	}
}

func TestValkeylock(t *testing.T) {
	polls := valkeylock.LockerOption{ClientOption: valkey.ClientOption{DisableCache: true}, TryNextAfter: time.Second}
	holds(t, rivals("redis", "valkeylock:0:lock", throughValkey(polls)), redistest.Bounds{Ticks: 1})
}

// Without NoLoopTracking each renewal invalidates the key that the holder itself tracks, which asks for the next
// renewal at once, and so on for as long as the lock is held.
func TestValkeylockRenewsAllTheTime(t *testing.T) {
	v := redistest.Search(t, func(w *redistest.World) {
		w.Process("A", func(ctx context.Context, p *redistest.Process) {
			if release, ok := throughValkey(valkeylock.LockerOption{})(ctx, p); ok {
				w.Inside(ctx, "the section", func() { time.Sleep(lease) })
				release()
			}
		})
		w.Allow(redistest.Uncontested)
	}, redistest.Bounds{Schedules: 1})
	t.Log(v)
	if len(v.Doubts) == 0 || v.Doubts[0].Doubt != redistest.Endless {
		t.Error("it was expected to renew without end")
	}
}
