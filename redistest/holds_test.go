package redistest_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

// What once was said to break, or could not be run, holds.
func TestWhatHolds(t *testing.T) {
	for name, c := range map[string]struct {
		scenario func(w *redistest.World)
		bounds   redistest.Bounds
	}{
		"a process inside twice": {func(w *redistest.World) {
			for _, name := range []string{"A", "B"} {
				w.Client(name, func(ctx context.Context, rdb *redis.Client) {
					if lock(ctx, rdb, name, lease) {
						w.Inside(ctx, "S", func() { w.Inside(ctx, "S", func() { time.Sleep(time.Second) }) })
						withScript(ctx, rdb, name)
					}
				})
			}
		}, redistest.Bounds{}},
		"a mutex across requests":     {mutexes(0), redistest.Bounds{}},
		"two where two may be":        {semaphore(2), redistest.Bounds{}},
		"a key that stays for a time": {stays(time.Minute), redistest.Bounds{}},
		"a lease that is looked at": {func(w *redistest.World) {
			for _, name := range []string{"A", "B"} {
				w.Client(name, func(ctx context.Context, rdb *redis.Client) {
					until := time.Now().Add(lease)
					if lock(ctx, rdb, name, lease) {
						w.InsideUntil(ctx, "S", until, func() { time.Sleep(2 * lease) })
					}
				})
			}
		}, redistest.Bounds{Pauses: 1}},
		"a lock with random delays": {randomDelays(lease), redistest.Bounds{}},
		"a server that a client has pause for a while": {func(w *redistest.World) {
			served := true
			w.Process("A", func(ctx context.Context, p *redistest.Process) {
				rawRequest(ctx, p, "CLIENT PAUSE 200\r\n")
				served = rawRequest(ctx, p, "INCR n\r\n")
			})
			w.Eventually("A is served within a second", func() error {
				if n := w.Do("redis", "GET", "n"); !served || n != "1" {
					return fmt.Errorf("n is %s, and it is %v that A was served", n, served)
				}
				return nil
			})
		}, redistest.Bounds{}},
		"who sleeps longer than any delay lasts, when another has crashed in one": {func(w *redistest.World) {
			w.Client("A", func(ctx context.Context, rdb *redis.Client) { rdb.Get(ctx, "k") })
			w.Client("B", func(ctx context.Context, rdb *redis.Client) {
				time.Sleep(48 * time.Hour)
				rdb.Set(ctx, "k", 1, time.Minute)
			})
			w.HasTTL("redis", "k")
		}, redistest.Bounds{Pauses: 1, Crashes: 1}},
		"a pause of a goroutine that outlives its process": {func(w *redistest.World) {
			w.Client("A", func(ctx context.Context, rdb *redis.Client) {
				rdb.Set(ctx, "k", 1, time.Minute)
				go rdb.Get(ctx, "k")
			})
			w.Eventually("no key is left", isGone(w, "k"))
		}, redistest.Bounds{Pauses: 1, LongestPause: time.Second}},
		"who tries again and again while a server is away": {func(w *redistest.World) {
			w.Process("A", func(ctx context.Context, p *redistest.Process) {
				for ctx.Err() == nil && !rawRequest(ctx, p, "SET k v PX 100\r\n") {
					time.Sleep(time.Millisecond)
				}
			})
			w.HasTTL("redis", "k")
		}, redistest.Bounds{Outages: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			if v := redistest.Search(t, c.scenario, c.bounds); !v.Holds() {
				t.Error(v)
			}
		})
	}
}
