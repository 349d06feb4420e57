package found_test

import (
	"context"
	"crypto/tls"
	"net"
	"testing"
	"time"

	"github.com/redis/rueidis"
	"github.com/redis/rueidis/rueidislock"

	"lockstep/redistest"
)

// rueidisLocker is a locker of one key on one server.
func rueidisLocker(p *redistest.Process, options rueidislock.LockerOption) (rueidislock.Locker, error) {
	options.KeyMajority, options.KeyValidity = 1, lease
	options.ClientOption.ForceSingleClient = true // or it asks for a cluster after each timeout
	options.ClientOption.InitAddress = []string{"127.0.0.1:6379"}
	options.ClientOption.DialCtxFn = func(ctx context.Context, _ string, _ *net.Dialer, _ *tls.Config) (net.Conn, error) {
		return p.Dial(ctx, "redis")
	}
	return rueidislock.NewLocker(options)
}

func throughRueidis(options rueidislock.LockerOption) take {
	return func(ctx context.Context, p *redistest.Process) (func(), bool) {
		l, err := rueidisLocker(p, options)
		if err != nil {
			return nil, false
		}
		context.AfterFunc(ctx, l.Close)
		_, cancel, err := l.WithContext(ctx, "lock")
		return func() { cancel(); l.Close() }, err == nil
	}
}

func TestRueidislock(t *testing.T) {
	polls := rueidislock.LockerOption{ClientOption: rueidis.ClientOption{DisableCache: true}, TryNextAfter: time.Second}
	holds(t, rivals("redis", "rueidislock:0:lock", throughRueidis(polls)), redistest.Bounds{Ticks: 1})
}

// Without NoLoopTracking each renewal invalidates the key that the holder itself tracks, which asks for the next
// renewal at once, and so on for as long as the lock is held.
func TestRueidislockRenewsAllTheTime(t *testing.T) {
	v := redistest.Search(t, func(w *redistest.World) {
		w.Process("A", func(ctx context.Context, p *redistest.Process) {
			if release, ok := throughRueidis(rueidislock.LockerOption{})(ctx, p); ok {
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
