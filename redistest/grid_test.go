package redistest_test

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

// startedLate is the scenario of a lock that is given up when it took most of its lease, and is else held for as
// long as if it had taken no time.
func startedLate(w *redistest.World) {
	w.Client("A", func(ctx context.Context, rdb *redis.Client) {
		begin := time.Now()
		got := rdb.Do(ctx, "SET", "lock", "A", "NX", "PXAT", begin.Add(lease).UnixMilli()).Err() == nil
		if got && time.Since(begin) < 4*time.Second {
			w.Inside(ctx, "the section", func() { time.Sleep(4 * time.Second) })
			withScript(ctx, rdb, "A")
		}
	})
	w.Client("B", func(ctx context.Context, rdb *redis.Client) {
		time.Sleep(lease + 100*time.Millisecond)
		if rdb.SetNX(ctx, "lock", "B", lease).Val() {
			w.Inside(ctx, "the section", func() { time.Sleep(work) })
		}
	})
}

// What breaks only when a delay ends while nothing happens is found with a grid.
func TestDelaysEndOnTheGrid(t *testing.T) {
	for name, bounds := range map[string]redistest.Bounds{
		"a pause": {Pauses: 1}, "a slow network": {Slow: 1}, "a delay of all": {Ticks: 1},
	} {
		t.Run(name, func(t *testing.T) {
			bounds.Schedules = 1000
			if v := redistest.Search(t, startedLate, bounds); v.Broken != nil || v.Schedules == bounds.Schedules {
				t.Error(v)
			}
			bounds.Grid = time.Second
			if v := redistest.Search(t, startedLate, bounds); v.Broken == nil {
				t.Error(v)
			}
		})
	}
}

// neverAtOnce is the scenario of two who enter at different times, and ask for nothing meanwhile. B says when A may
// enter, or A may from the beginning.
func neverAtOnce(told bool) func(w *redistest.World) {
	return func(w *redistest.World) {
		w.Client("A", func(ctx context.Context, rdb *redis.Client) {
			if rdb.Exists(ctx, "closed", "told").Val() == 0 != told {
				w.Inside(ctx, "the section", func() { time.Sleep(100 * time.Millisecond) })
			}
		})
		w.Client("B", func(ctx context.Context, rdb *redis.Client) {
			for range 2 {
				time.Sleep(time.Second)
				w.Inside(ctx, "the section", func() { time.Sleep(time.Second) })
			}
			time.Sleep(time.Second)
			if told {
				rdb.Set(ctx, "told", "yes", 0)
				w.Inside(ctx, "the section", func() { time.Sleep(time.Second) })
			}
			rdb.Set(ctx, "closed", "yes", 0)
		})
	}
}

// Without a grid, too, somebody who is late may come as another enters, or only as it asks for something later.
func TestDelaysEndAsOthersEnter(t *testing.T) {
	for name, bounds := range map[string]redistest.Bounds{
		"a pause": {Pauses: 1}, "a slow network": {Slow: 1}, "a delay of all": {Ticks: 1}, "a server that hangs": {Hangs: 1},
	} {
		for _, told := range []bool{false, true} {
			if told && bounds.Pauses > 0 {
				continue // it knows nothing that is told later
			}
			if v := redistest.Search(t, neverAtOnce(told), bounds); v.Broken == nil {
				t.Errorf("%s, told %v: %v", name, told, v)
			}
		}
	}
}

// A fault, too, may come as another enters: here A waits for the lock to be free, and finds that a server has lost it.
func TestServersRestartAsOthersEnter(t *testing.T) {
	v := redistest.Search(t, func(w *redistest.World) {
		w.Client("B", func(ctx context.Context, rdb *redis.Client) {
			rdb.Set(ctx, "lock", "B", 0)
			time.Sleep(time.Second)
			w.Inside(ctx, "the section", func() { time.Sleep(time.Second) })
			time.Sleep(time.Second)
			rdb.RPush(ctx, "free", "yes")
		})
		w.Process("A", func(ctx context.Context, p *redistest.Process) {
			dial := func(ctx context.Context, _, _ string) (net.Conn, error) { return p.Dial(ctx, "redis") }
			rdb := redis.NewClient(&redis.Options{Addr: "127.0.0.1:6379", MaxRetries: -1, PoolSize: 100, Dialer: dial})
			defer rdb.Close()
			time.Sleep(time.Millisecond)
			if rdb.BLPop(ctx, time.Minute, "free").Err() != nil && rdb.SetNX(ctx, "lock", "A", time.Minute).Val() {
				w.Inside(ctx, "the section", func() { time.Sleep(100 * time.Millisecond) })
			}
		})
	}, redistest.Bounds{Restarts: 1})
	if v.Broken == nil {
		t.Error(v)
	}
}
