package redistest_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

// throughSentinel is the scenario of two clients that look for the master, lock and work.
func throughSentinel(release func(ctx context.Context, rdb *redis.Client, owner string)) func(w *redistest.World) {
	return func(w *redistest.World) {
		w.Sentinel("n1", "n2")
		for _, name := range []string{"A", "B"} {
			w.Process(name, func(ctx context.Context, p *redistest.Process) {
				rdb := p.Sentinel()
				for range 4 {
					if rdb.SetNX(ctx, "lock", name, 8*time.Second).Val() {
						w.Inside(ctx, "the section", func() { time.Sleep(time.Second) })
						release(ctx, rdb, name)
						return
					}
					time.Sleep(700 * time.Millisecond)
				}
			})
		}
		w.HasTTL("n1", "lock") // of whoever is the master
	}
}

func TestALockOfTheMasterHolds(t *testing.T) {
	for name, b := range map[string]redistest.Bounds{"crashes": {Crashes: 1}, "losses": {Losses: 1}, "pauses": {Pauses: 1, LongestPause: time.Second}, "outages": {Outages: 1}} {
		t.Run(name, func(t *testing.T) {
			if v := redistest.Search(t, throughSentinel(withScript), b); !v.Holds() || v.Schedules < 10 {
				t.Error(v)
			}
		})
	}
}

// A replica that lacks the lock gives it to the next.
func TestAFailoverLosesALock(t *testing.T) {
	b := redistest.Bounds{Failovers: 1, Outages: 1}
	v := redistest.Search(t, throughSentinel(withScript), b)
	if v.Broken == nil || !strings.Contains(v.String(), "n1 is gone, and n2 takes over, without the last write\n") || v.WriteLesson(t.TempDir()) == nil {
		t.Fatal(v)
	}
	if again := redistest.Replay(t, throughSentinel(withScript), b, v.Schedule); again.String() != v.Story.String() {
		t.Errorf("it was\n%sand is\n%s", v.Story, again)
	}
}

// What a process is told before it ends may be lost after that: checks still notice it.
func TestWhatWasSaidLastMayBeLost(t *testing.T) {
	for name, b := range map[string]redistest.Bounds{"starts again, empty": {Restarts: 1}, "without the last write": {Failovers: 1}} {
		v := redistest.Search(t, func(w *redistest.World) {
			w.Sentinel("n1", "n2")
			var said atomic.Bool
			w.Process("A", func(ctx context.Context, p *redistest.Process) {
				said.Store(p.Sentinel().Set(ctx, "k", 1, 0).Err() == nil)
			})
			w.Check("what was said is so", func() error {
				if w.Do("n1", "GET", "k") != "1" && said.Load() {
					return errors.New("it is not")
				}
				return nil
			})
		}, b)
		if v.Broken == nil || !strings.Contains(v.Story.String(), name) || len(v.Schedule) != 1 {
			t.Errorf("%s: %s", name, v)
		}
	}
}

// Whatever client there is, it is told of the new master, which has all that was written but for the last.
func TestClientsFollowTheMaster(t *testing.T) {
	seen := map[string]bool{}
	v := redistest.Search(t, func(w *redistest.World) {
		w.Sentinel("n1", "n2", "n3")
		got := ""
		w.Process("A", func(ctx context.Context, p *redistest.Process) {
			rdb := p.Sentinel()
			rdb.Set(ctx, "k", 1, 0)
			rdb.Set(ctx, "k", 2, 0)
			time.Sleep(time.Second)
			got = rdb.Get(ctx, "k").Val()
			if _, err := p.Dial(ctx, "n3"); err == nil {
				t.Error("a replica takes connections")
			}
			time.Sleep(time.Second)
		})
		w.Eventually("2 is there", func() error {
			seen[got+w.Do("n3", "GET", "k")] = true
			return nil
		})
	}, redistest.Bounds{Failovers: 1})
	if !v.Holds() || len(seen) != 3 || !seen["22"] || !seen["11"] || !seen["21"] {
		t.Errorf("%v %s", seen, v)
	}
}

// A replica takes over all databases, not the first alone.
func TestEveryDatabaseIsTakenOver(t *testing.T) {
	seen := map[string]bool{}
	v := redistest.Search(t, func(w *redistest.World) {
		w.Sentinel("n1", "n2")
		w.Do("n1", "SELECT", "1")
		w.Process("A", func(ctx context.Context, p *redistest.Process) {
			own := p.Sentinel().Conn()
			own.Select(ctx, 1)
			own.Set(ctx, "k", 1, time.Minute)
			own.Set(ctx, "k", 2, time.Minute)
		})
		w.Eventually("k is there", func() error {
			seen[w.Do("n1", "GET", "k")] = true
			return nil
		})
	}, redistest.Bounds{Failovers: 1})
	if !seen["1"] || !seen["2"] || len(seen) != 3 { // and nil, if it is gone before k has been written, or with the first write
		t.Errorf("%v %s", seen, v)
	}
}

// A replica may lack that all keys were deleted, as it may lack any other write.
func TestAFailoverMayLoseAFlush(t *testing.T) {
	v := redistest.Search(t, func(w *redistest.World) {
		w.Sentinel("n1", "n2")
		flushed := false
		w.Process("A", func(ctx context.Context, p *redistest.Process) {
			rdb := p.Sentinel()
			rdb.Set(ctx, "k", 1, 0)
			flushed = rdb.FlushAll(ctx).Err() == nil
		})
		w.Eventually("k is gone", func() error {
			if w.Do("n1", "GET", "k") == "1" && flushed {
				return errors.New("it is there")
			}
			return nil
		})
	}, redistest.Bounds{Failovers: 1})
	if v.Broken == nil || !strings.Contains(v.Story.String(), "without the last write") {
		t.Error(v)
	}
}

// The last write of a master may be lost although another server has started again since.
func TestAnotherServersRestartKeepsNoWrite(t *testing.T) {
	v := redistest.Search(t, func(w *redistest.World) {
		w.Sentinel("n1", "n2")
		said := ""
		w.Process("A", func(ctx context.Context, p *redistest.Process) {
			rdb, other := p.Sentinel(), p.Redis("other")
			rdb.Set(ctx, "k", 1, 0)
			other.Set(ctx, "k", 1, 0)
			for _, r := range []*redis.Client{other, rdb, rdb} {
				said += r.Get(ctx, "k").Val() + ","
			}
		})
		w.Eventually("k is there", func() error {
			w.Do("n1", "GET", "k")
			if said == ",1,," {
				return errors.New("it was, once the other server had lost its own")
			}
			return nil
		})
	}, redistest.Bounds{Failovers: 1, Restarts: 1})
	if v.Broken == nil || len(v.Schedule) != 2 {
		t.Error(v)
	}
}

// Who reads a key that has expired has it be gone: that is not the last write, which a failover may still lose.
func TestAKeyThatHasExpiredIsNotTheLastWrite(t *testing.T) {
	v := redistest.Search(t, func(w *redistest.World) {
		w.Sentinel("n1", "n2")
		var known atomic.Bool
		w.Process("A", func(ctx context.Context, p *redistest.Process) {
			rdb := p.Sentinel()
			rdb.Set(ctx, "short", 1, time.Second)
			rdb.Set(ctx, "k", 1, 0)
			time.Sleep(time.Second + 500*time.Microsecond) // before the server has looked by itself
			rdb.Get(ctx, "short")
			known.Store(rdb.Get(ctx, "k").Val() == "1")
			time.Sleep(time.Second)
		})
		w.Check("what was read is there", func() error {
			if known.Load() && w.Do("n1", "GET", "k") != "1" {
				return errors.New("it is not")
			}
			return nil
		})
	}, redistest.Bounds{Failovers: 1})
	if v.Broken == nil {
		t.Error(v)
	}
}
