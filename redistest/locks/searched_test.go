package locks_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/bsm/redislock"
	"github.com/go-redsync/redsync/v4"
	redsyncredis "github.com/go-redsync/redsync/v4/redis"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

const (
	lease = 5 * time.Second
	work  = 1500 * time.Millisecond
)

// throughRedsync is the scenario of two clients that lock on all these servers for so long.
func throughRedsync(work time.Duration, servers []string, options ...redsync.Option) func(w *redistest.World) {
	return func(w *redistest.World) {
		for _, name := range []string{"A", "B"} {
			w.Process(name, func(ctx context.Context, p *redistest.Process) {
				var pools []redsyncredis.Pool
				for _, s := range servers {
					pools = append(pools, goredis.NewPool(p.Redis(s)))
				}
				m := redsync.New(pools...).NewMutex("lock", append(options, redsync.WithExpiry(lease))...)
				if m.LockContext(ctx) == nil {
					w.Inside(ctx, "the section", func() { time.Sleep(work) })
					_, _ = m.UnlockContext(ctx)
				}
			})
		}
	}
}

// eachSecond has redsync try so often.
func eachSecond(tries int) []redsync.Option {
	return []redsync.Option{redsync.WithTries(tries), redsync.WithRetryDelay(time.Second)}
}

// throughRedislock is the scenario of two clients of bsm/redislock.
func throughRedislock(w *redistest.World) {
	for i, name := range []string{"A", "B"} {
		w.Client(name, func(ctx context.Context, rdb *redis.Client) {
			time.Sleep(time.Duration(i) * 600 * time.Millisecond) // Obtain gives up after a lease, and not in the moment in which another one ends
			l, err := redislock.Obtain(ctx, rdb, "lock", lease, &redislock.Options{RetryStrategy: redislock.LimitRetry(redislock.LinearBackoff(700*time.Millisecond), 9)})
			if err == nil {
				w.Inside(ctx, "the section", func() { time.Sleep(work) })
				_ = l.Release(ctx)
			}
		})
	}
	w.ReleasedByItsHolder("redis", "lock")
}

var one, three = []string{"n1"}, []string{"n1", "n2", "n3"}

func TestAPauseForLongerThanTheLeaseBreaks(t *testing.T) {
	for name, scenario := range map[string]func(w *redistest.World){
		"redsync": throughRedsync(work, one, eachSecond(7)...), "redislock": throughRedislock,
	} {
		t.Run(name, func(t *testing.T) {
			v := redistest.Search(t, scenario, redistest.Bounds{Pauses: 1})
			t.Log(v)
			if v.Broken == nil || !strings.HasPrefix(v.Broken.Error(), "mutual exclusion") {
				t.Fatalf("it broke with %v", v.Broken)
			}
			dir := t.TempDir()
			must(t, v.WriteLesson(dir))
			play(t, dir)
		})
	}
}

func TestLocksHold(t *testing.T) {
	for name, c := range map[string]struct {
		scenario func(w *redistest.World)
		bounds   redistest.Bounds
	}{
		"redsync on one server":         {throughRedsync(work, one, eachSecond(7)...), redistest.Bounds{Crashes: 1}},
		"redsync on three servers":      {throughRedsync(work, three, eachSecond(7)...), redistest.Bounds{Switches: 1}},
		"redsync with delays by chance": {throughRedsync(300*time.Millisecond, one), redistest.Bounds{Losses: 1}},
		"redislock":                     {throughRedislock, redistest.Bounds{Crashes: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			v := redistest.Search(t, c.scenario, c.bounds)
			t.Log(v)
			if !v.Holds() || v.Schedules < 10 {
				t.Error(v)
			}
		})
	}
}
