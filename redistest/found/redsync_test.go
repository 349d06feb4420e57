package found_test

import (
	"context"
	"testing"
	"time"

	redsync1 "github.com/go-redsync/redsync"
	redsync3 "github.com/go-redsync/redsync/v3"
	redis3 "github.com/go-redsync/redsync/v3/redis"
	redigo3 "github.com/go-redsync/redsync/v3/redis/redigo"
	redsync4 "github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"

	"lockstep/redistest"
)

// mutex is what the versions of redsync have in common.
type mutex interface {
	Lock() error
	Extend() (bool, error)
	Unlock() (bool, error)
}

type redsync func(ctx context.Context, p *redistest.Process) mutex

func version1(ctx context.Context, p *redistest.Process) mutex {
	pools := []redsync1.Pool{redigoPool(ctx, p, "n1")}
	return redsync1.New(pools).NewMutex("lock", redsync1.SetExpiry(lease), redsync1.SetTries(4), redsync1.SetRetryDelay(again))
}

func version3(ctx context.Context, p *redistest.Process) mutex {
	pools := []redis3.Pool{redigo3.NewRedigoPool(redigoPool(ctx, p, "n1"))}
	return redsync3.New(pools).NewMutex("lock", redsync3.SetExpiry(lease), redsync3.SetTries(4), redsync3.SetRetryDelay(again))
}

func version4(servers []string, options ...redsync4.Option) redsync {
	return func(ctx context.Context, p *redistest.Process) mutex {
		var pools []redis.Pool
		for _, s := range servers {
			pools = append(pools, goredis.NewPool(client(ctx, p, s)))
		}
		options := append([]redsync4.Option{redsync4.WithExpiry(lease), redsync4.WithTries(4), redsync4.WithRetryDelay(again)}, options...)
		return redsync4.New(pools...).NewMutex("lock", options...)
	}
}

func (r redsync) take(ctx context.Context, p *redistest.Process) (func(), bool) {
	m := r(ctx, p)
	return func() { _, _ = m.Unlock() }, m.Lock() == nil
}

// extended is the scenario of A, whose lease has ended, and who works on only if the lock says that it is extended.
func (r redsync) extended(w *redistest.World) {
	w.Process("A", func(ctx context.Context, p *redistest.Process) {
		m := r(ctx, p)
		if m.Lock() != nil {
			return
		}
		time.Sleep(lease + time.Second)
		until := time.Now().Add(lease)
		if ok, _ := m.Extend(); ok {
			w.InsideUntil(ctx, "the section", until, func() { time.Sleep(work) })
		}
	})
	w.Process("B", func(ctx context.Context, p *redistest.Process) {
		time.Sleep(lease + time.Second/2)
		if m := r(ctx, p); m.Lock() == nil {
			w.Inside(ctx, "the section", func() { time.Sleep(work) })
		}
	})
	w.Allow(redistest.Idle, redistest.Uncontested) // A rightly never enters
}

var one, three = []string{"n1"}, []string{"n1", "n2", "n3"}

func TestRedsync4(t *testing.T) {
	fast := redsync4.WithFailFast(true)
	holds(t, rivals("n1", "lock", version4(one).take), redistest.Bounds{Losses: 1, Ticks: 1})
	holds(t, rivals("n1", "lock", version4(one).take), redistest.Bounds{Pauses: 1, LongestPause: short, Crashes: 1})
	holds(t, rivals("n1", "lock", version4(three).take), redistest.Bounds{Switches: 1})
	holds(t, rivals("n1", "lock", version4(three, fast).take), redistest.Bounds{Switches: 1})
	holds(t, version4(one).extended, redistest.Bounds{Ticks: 1})
	holds(t, toldNo("n1", "lock", version4(one).take), redistest.Bounds{Losses: 1})
}

// WithFailFast goes on when two servers of three have answered: the third sets its key after it was asked to delete it.
func TestRedsync4FailsFast(t *testing.T) {
	r := version4(three, redsync4.WithFailFast(true))
	breaks(t, func(w *redistest.World) {
		w.Process("A", func(ctx context.Context, p *redistest.Process) {
			if release, ok := r.take(ctx, p); ok {
				release()
			}
		})
		nothingLeft(w, "lock", three...)
	}, redistest.Bounds{Switches: 2}, "nothing is left")
}

func TestRedsync3(t *testing.T) {
	holds(t, rivals("n1", "lock", redsync(version3).take), redistest.Bounds{Losses: 1, Ticks: 1})
	holds(t, rivals("n1", "lock", redsync(version3).take), redistest.Bounds{Pauses: 1, LongestPause: short, Crashes: 1})
	breaks(t, redsync(version3).extended, redistest.Bounds{Ticks: 1}, "mutual exclusion") // Extend says yes of a lock that is lost
}

func TestRedsync1(t *testing.T) {
	holds(t, rivals("n1", "lock", redsync(version1).take), redistest.Bounds{Losses: 1, Ticks: 1})
	holds(t, rivals("n1", "lock", redsync(version1).take), redistest.Bounds{Pauses: 1, LongestPause: short, Crashes: 1})
	holds(t, redsync(version1).extended, redistest.Bounds{Ticks: 1})
	breaks(t, toldNo("n1", "lock", redsync(version1).take), redistest.Bounds{Losses: 1}, "nothing is left")
}
