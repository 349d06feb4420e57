package redistest

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// aLock is a plain lock of three processes.
func aLock(w *World, lease time.Duration) {
	for _, name := range []string{"A", "B", "C"} {
		w.Client(name, func(ctx context.Context, rdb *redis.Client) {
			if ok, _ := rdb.SetNX(ctx, "lock", name, lease).Result(); !ok {
				return
			}
			w.Inside(ctx, "the section", func() { rdb.Incr(ctx, "n") })
			if rdb.Get(ctx, "lock").Val() == name {
				rdb.Del(ctx, "lock")
			}
		})
	}
}

func TestWorkersComeToTheSame(t *testing.T) {
	for name, c := range map[string]struct {
		scenario func(w *World)
		bounds   Bounds
	}{
		"holds":               {func(w *World) { aLock(w, time.Hour) }, Bounds{Losses: 1, Crashes: 1}},
		"holds in all orders": {func(w *World) { aLock(w, time.Hour) }, Bounds{Crashes: 1, AllOrders: true}},
		"breaks at once":      {func(w *World) { aLock(w, time.Second) }, Bounds{Ticks: 1, AllOrders: true}},
		"breaks late": {func(w *World) {
			aLock(w, time.Hour)
			w.Check("one gets it", func() error {
				if w.Do("redis", "GET", "n") == "2" {
					return errors.New("two did")
				}
				return nil
			})
		}, Bounds{Crashes: 1, AllOrders: true}},
		"reads more in the end": {func(w *World) {
			aLock(w, time.Hour)
			w.Check("n", func() error {
				if w.Do("redis", "GET", "n") == "2" {
					w.Do("redis", "GET", "lock")
				}
				return nil
			})
		}, Bounds{Losses: 1, Crashes: 1}},
		"reads more in a worker": {func(w *World) {
			aLock(w, time.Hour)
			w.Check("n", func() error {
				if w.Do("redis", "GET", "n") == "2" && ordered != nil {
					w.Do("redis", "GET", "lock")
				}
				return nil
			})
		}, Bounds{Crashes: 1}},
		"all that is left is a worker's": {func(w *World) {
			w.Allow(Missing)
			for _, name := range []string{"A", "B"} {
				w.Client(name, func(ctx context.Context, rdb *redis.Client) { rdb.Incr(ctx, "n") })
			}
		}, Bounds{Pauses: 1}},
		"all that is dealt is a worker's": {func(w *World) {
			w.Allow(Missing, Idle)
			w.Client("A", func(ctx context.Context, rdb *redis.Client) { rdb.Incr(ctx, "n") })
		}, Bounds{Losses: 3}},
		"one schedule": {func(w *World) { aLock(w, time.Hour) }, Bounds{Schedules: 1}},
		"a worker dies": {func(w *World) {
			if ordered != nil {
				os.Exit(3)
			}
			aLock(w, time.Hour)
		}, Bounds{Crashes: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			alone := Search(t, c.scenario, c.bounds)
			c.bounds.Workers = 3
			shared := Search(t, c.scenario, c.bounds)
			if shared.Broken != nil {
				shared.Schedules = alone.Schedules
			}
			if shared.String() != alone.String() {
				t.Errorf("three processes:\n%s\n\none:\n%s", shared, alone)
			}
		})
	}
}

// Which schedules are left out when there are more than may be run is a matter of luck; how many are run is not.
func TestWorkersRunAsManyAsMayBeRun(t *testing.T) {
	for _, workers := range []int{0, 2} {
		v := Search(t, func(w *World) { aLock(w, time.Hour) }, Bounds{Losses: 1, Crashes: 1, Schedules: 701, Walks: 3, Workers: workers})
		if v.Schedules != 701 || v.Walks != 3 || v.exhausted {
			t.Errorf("%d workers: %s", workers, v)
		}
	}
}

func TestWhatStraysInAWorkerIsTold(t *testing.T) {
	runs := 0
	v := Search(t, func(w *World) {
		aLock(w, time.Hour)
		if runs++; ordered != nil && runs > 200 {
			w.Client("D", func(ctx context.Context, rdb *redis.Client) { rdb.Get(ctx, "n") })
		}
	}, Bounds{Losses: 1, Crashes: 1, Workers: 2})
	if v.Holds() || len(v.Doubts) == 0 || v.Doubts[0].Doubt != Chance {
		t.Errorf("the code of the worker did something else, and the verdict is\n%s", v)
	}
}

func TestWhatBreaksInAWorkerAloneIsTold(t *testing.T) {
	v := Search(t, func(w *World) {
		aLock(w, time.Hour)
		w.Check("it is no worker", func() error {
			if ordered != nil && w.Do("redis", "GET", "n") == "2" {
				return errors.New("it is one")
			}
			return nil
		})
	}, Bounds{Crashes: 1, Workers: 2})
	if v.Holds() || len(v.Doubts) == 0 || v.Doubts[0].Doubt != Chance {
		t.Errorf("an invariant broke in a worker and not here, and the verdict is\n%s", v)
	}
}
