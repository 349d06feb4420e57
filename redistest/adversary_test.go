package redistest_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

// both adds two clients with one program.
func both(w *redistest.World, program func(ctx context.Context, rdb *redis.Client, name string)) {
	for _, name := range []string{"A", "B"} {
		w.Client(name, func(ctx context.Context, rdb *redis.Client) { program(ctx, rdb, name) })
	}
}

// Locks with a known bug, and scenarios in which no lock is needed: none of them holds.
func TestNoneOfTheseHolds(t *testing.T) {
	inside := func(ctx context.Context, w *redistest.World) {
		w.Inside(ctx, "S", func() { time.Sleep(time.Second) })
	}
	for name, c := range map[string]struct {
		scenario func(w *redistest.World)
		bounds   redistest.Bounds
		told     string
	}{
		"long tokens that begin alike": {func(w *redistest.World) {
			both(w, func(ctx context.Context, rdb *redis.Client, name string) {
				rdb.Set(ctx, "lock", strings.Repeat("x", 60)+name, time.Minute)
			})
			w.ReleasedByItsHolder("redis", "lock")
		}, redistest.Bounds{}, "released by its holder"},
		"a hash whose owner another replaces": {func(w *redistest.World) {
			both(w, func(ctx context.Context, rdb *redis.Client, name string) { rdb.HSet(ctx, "lock", "owner", name) })
			w.ReleasedByItsHolder("redis", "lock")
		}, redistest.Bounds{}, "released by its holder"},
		"a set is no token": {func(w *redistest.World) {
			both(w, func(ctx context.Context, rdb *redis.Client, name string) { rdb.SAdd(ctx, "lock", name) })
			w.ReleasedByItsHolder("redis", "lock")
		}, redistest.Bounds{}, "lock is neither a string nor a hash"},
		"a deadline that is over at once": {func(w *redistest.World) {
			both(w, func(ctx context.Context, rdb *redis.Client, _ string) {
				rdb.Get(ctx, "lock")
				w.InsideUntil(ctx, "S", time.Now(), func() { time.Sleep(time.Second); rdb.Get(ctx, "lock") })
			})
		}, redistest.Bounds{}, "it proves nothing"},
		"as many may be inside as there are": {func(w *redistest.World) {
			w.AtMost("S", 2)
			both(w, func(ctx context.Context, rdb *redis.Client, _ string) { rdb.Get(ctx, "lock"); inside(ctx, w) })
		}, redistest.Bounds{}, "it proves nothing"},
		"a word that is published before it is listened for": {func(w *redistest.World) {
			both(w, func(ctx context.Context, rdb *redis.Client, name string) {
				if !rdb.SetNX(ctx, "lock", name, 0).Val() {
					s := rdb.Subscribe(ctx, "free")
					_, _ = s.Receive(ctx)
					_, _ = s.ReceiveMessage(ctx)
					return
				}
				inside(ctx, w)
				rdb.Del(ctx, "lock")
				rdb.Publish(ctx, "free", "now")
			})
		}, redistest.Bounds{Ticks: 1}, "nobody waits for ever"},
		"a timer that deletes whatever is there": {func(w *redistest.World) {
			both(w, func(ctx context.Context, rdb *redis.Client, name string) {
				for range 6 {
					if rdb.SetNX(ctx, "lock", name, 3*time.Second).Val() {
						time.AfterFunc(4*time.Second, func() { rdb.Del(ctx, "lock") })
						inside(ctx, w)
						return
					}
					time.Sleep(700 * time.Millisecond)
				}
			})
			w.ReleasedByItsHolder("redis", "lock")
		}, redistest.Bounds{}, "released by its holder"},
		"a goroutine that outlives its process": {func(w *redistest.World) {
			w.Client("A", func(ctx context.Context, rdb *redis.Client) {
				rdb.SetNX(ctx, "lock", "A", 3*time.Second)
				go func() { time.Sleep(4 * time.Second); w.Inside(ctx, "S", func() { time.Sleep(5 * time.Second) }) }()
			})
			w.Client("B", func(ctx context.Context, rdb *redis.Client) {
				time.Sleep(5 * time.Second)
				if rdb.SetNX(ctx, "lock", "B", 3*time.Second).Val() {
					inside(ctx, w)
				}
			})
		}, redistest.Bounds{}, "mutual exclusion"},
		"a pipeline that counts and reads": {func(w *redistest.World) {
			both(w, func(ctx context.Context, rdb *redis.Client, _ string) {
				var n *redis.StringCmd
				_, _ = rdb.Pipelined(ctx, func(p redis.Pipeliner) error { n = p.Get(ctx, "n"); return nil })
				if n.Val() == "" {
					_, _ = rdb.Pipelined(ctx, func(p redis.Pipeliner) error { p.Incr(ctx, "n"); p.Expire(ctx, "n", lease); return nil })
					inside(ctx, w)
				}
			})
		}, redistest.Bounds{}, "mutual exclusion"},
		"a transaction that watches another key": {func(w *redistest.World) {
			both(w, func(ctx context.Context, rdb *redis.Client, name string) {
				err := rdb.Watch(ctx, func(tx *redis.Tx) error {
					if tx.Exists(ctx, "lock").Val() > 0 {
						return errOld
					}
					_, err := tx.TxPipelined(ctx, func(p redis.Pipeliner) error { p.Set(ctx, "lock", name, time.Minute); return nil })
					return err
				}, "lok")
				if err == nil {
					inside(ctx, w)
				}
			})
		}, redistest.Bounds{}, "mutual exclusion"},
		"a lock on either of two servers": {func(w *redistest.World) {
			for i, name := range []string{"A", "B"} {
				w.Process(name, func(ctx context.Context, p *redistest.Process) {
					for _, s := range []string{"n1", "n2", "n1"}[i : i+2] {
						if p.Redis(s).SetNX(ctx, "lock", name, time.Minute).Val() {
							inside(ctx, w)
							return
						}
					}
				})
			}
		}, redistest.Bounds{}, "mutual exclusion"},
		"a select of two that are ready": {func(w *redistest.World) {
			both(w, func(ctx context.Context, rdb *redis.Client, _ string) {
				path, ready := "", make(chan int)
				close(ready)
				for range 40 { // so that no two are alike
					select {
					case <-ready:
						path += "a"
					case <-ready:
						path += "b"
					}
				}
				rdb.Get(ctx, path)
				rdb.Incr(ctx, "n")
			})
			w.Check("n", func() error { w.Do("redis", "GET", "n"); return nil })
		}, redistest.Bounds{}, "did not do the same each time"},
		"a deadline of a request that is taken for no": {func(w *redistest.World) {
			both(w, func(ctx context.Context, rdb *redis.Client, name string) {
				short, cancel := context.WithTimeout(ctx, time.Second)
				defer cancel()
				ok, err := rdb.SetNX(short, "lock", name, time.Minute).Result()
				if err != nil || ok {
					inside(ctx, w)
					rdb.Del(ctx, "lock")
				}
			})
		}, redistest.Bounds{Hangs: 1}, "mutual exclusion"},
	} {
		t.Run(name, func(t *testing.T) {
			v := redistest.Search(t, c.scenario, c.bounds)
			if v.Holds() || !strings.Contains(v.String(), c.told) {
				t.Errorf("it was to be told: %s\n%s", c.told, v)
			}
		})
	}
}
