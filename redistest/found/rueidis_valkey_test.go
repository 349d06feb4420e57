package found_test

import (
	"context"
	"crypto/tls"
	"net"
	"testing"
	"time"

	"github.com/redis/rueidis"
	"github.com/redis/rueidis/rueidislock"
	"github.com/valkey-io/valkey-go"
	"github.com/valkey-io/valkey-go/valkeylock"

	"lockstep/redistest"
)

// locker is that of rueidislock and of valkeylock, which was made of it.
type locker interface {
	WithContext(ctx context.Context, name string) (context.Context, context.CancelFunc, error)
	Close()
}

// newLocker makes a locker of one key on one server, which looks for a free lock by itself, or waits to be told.
type newLocker func(p *redistest.Process, polls bool) (locker, error)

func dials(p *redistest.Process) func(ctx context.Context, _ string, _ *net.Dialer, _ *tls.Config) (net.Conn, error) {
	return func(ctx context.Context, _ string, _ *net.Dialer, _ *tls.Config) (net.Conn, error) {
		return p.Dial(ctx, "redis")
	}
}

const tryNext = time.Second

var newLockers = map[string]newLocker{
	"rueidislock": func(p *redistest.Process, polls bool) (locker, error) {
		o := rueidislock.LockerOption{KeyMajority: 1, KeyValidity: lease, ClientOption: rueidis.ClientOption{
			ForceSingleClient: true, // or it asks for a cluster after each timeout
			InitAddress:       []string{"127.0.0.1:6379"}, DialCtxFn: dials(p), DisableCache: polls,
		}}
		if polls {
			o.TryNextAfter = tryNext
		}
		return rueidislock.NewLocker(o)
	},
	"valkeylock": func(p *redistest.Process, polls bool) (locker, error) {
		o := valkeylock.LockerOption{KeyMajority: 1, KeyValidity: lease, ClientOption: valkey.ClientOption{
			ForceSingleClient: true,
			InitAddress:       []string{"127.0.0.1:6379"}, DialCtxFn: dials(p), DisableCache: polls,
		}}
		if polls {
			o.TryNextAfter = tryNext
		}
		return valkeylock.NewLocker(o)
	},
}

func (n newLocker) take(polls bool) take {
	return func(ctx context.Context, p *redistest.Process) (func(), bool) {
		l, err := n(p, polls)
		if err != nil {
			return nil, false
		}
		context.AfterFunc(ctx, l.Close)
		_, cancel, err := l.WithContext(ctx, "lock")
		return func() { cancel(); l.Close() }, err == nil
	}
}

func TestLockersThatPoll(t *testing.T) {
	for name, n := range newLockers {
		t.Run(name, func(t *testing.T) {
			holds(t, rivals("redis", name+":0:lock", n.take(true)), redistest.Bounds{Ticks: 1})
		})
	}
}

// Without NoLoopTracking each renewal invalidates the key that the holder itself tracks, which asks for the next
// renewal at once, and so on for as long as the lock is held.
func TestLockersRenewAllTheTime(t *testing.T) {
	for name, n := range newLockers {
		t.Run(name, func(t *testing.T) {
			v := redistest.Search(t, func(w *redistest.World) {
				w.Process("A", func(ctx context.Context, p *redistest.Process) {
					if release, ok := n.take(false)(ctx, p); ok {
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
		})
	}
}

// Who waits without polling is told of changes of the key, and so of none where its first try came late and has changed nothing.
func TestLockersWaitForAFreeLock(t *testing.T) {
	for name, n := range newLockers {
		t.Run(name, func(t *testing.T) {
			breaks(t, func(w *redistest.World) {
				w.Process("A", func(ctx context.Context, p *redistest.Process) {
					if release, ok := n.take(false)(ctx, p); ok {
						release()
					}
				})
				w.Allow(redistest.Missing)
			}, redistest.Bounds{Ticks: 1}, "nobody waits for ever: [A]")
		})
	}
}
