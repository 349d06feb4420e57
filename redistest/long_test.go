package redistest_test

import (
	"context"
	"net"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

const day = 24 * time.Hour

// What takes hours, days or weeks is no wait for ever.
func TestWhatTakesLongEnds(t *testing.T) {
	for name, c := range map[string]struct {
		scenario func(w *redistest.World)
		bounds   redistest.Bounds
	}{
		"work of two hours": {func(w *redistest.World) {
			both(w, func(ctx context.Context, rdb *redis.Client, name string) {
				if rdb.SetNX(ctx, "lock", name, 3*time.Hour).Val() {
					w.Inside(ctx, "S", func() { time.Sleep(2 * time.Hour) })
				}
			})
		}, redistest.Bounds{Crashes: 1}},
		"a key of a week": {func(w *redistest.World) {
			both(w, func(ctx context.Context, rdb *redis.Client, name string) { rdb.SetNX(ctx, "k", name, 7*day) })
			w.Eventually("no key is left", isGone(w, "k"))
		}, redistest.Bounds{}},
		"a job each week": {func(w *redistest.World) {
			w.Allow(redistest.Missing)
			both(w, func(ctx context.Context, rdb *redis.Client, name string) {
				for week := range 2 {
					rdb.SetNX(ctx, "week "+strconv.Itoa(week), name, time.Hour)
					time.Sleep(7 * day)
				}
			})
		}, redistest.Bounds{}},
	} {
		t.Run(name, func(t *testing.T) {
			if v := redistest.Search(t, c.scenario, c.bounds); !v.Holds() {
				t.Error(v)
			}
		})
	}
}

// Who does nothing but ping waits for ever, and that is not waited for.
func TestPingsAreNoSignOfLife(t *testing.T) {
	waited := time.Duration(0)
	v := redistest.Search(t, func(w *redistest.World) {
		w.Client("A", func(ctx context.Context, rdb *redis.Client) {
			begin := time.Now()
			heard := rdb.Subscribe(ctx, "never")
			defer func() { _ = heard.Close() }()
			select {
			case <-heard.Channel():
			case <-ctx.Done():
			}
			waited = time.Since(begin)
		})
	}, redistest.Bounds{})
	if v.Broken == nil || !strings.Contains(v.Broken.Error(), "nobody waits for ever: [A] wait") || waited > day/2 {
		t.Errorf("after %v: %v", waited, v)
	}
}

// A program that takes no notice of the end is told to do so, and does not go on behind the tests that follow.
func TestWhoGoesOnInTheEndIsTold(t *testing.T) {
	var stop atomic.Bool
	for why, client := range map[string]func(p *redistest.Process) *redis.Client{
		"[B] does not end when its context does":          func(p *redistest.Process) *redis.Client { return p.Redis("redis") },
		"somebody goes on when its context has ended and": func(p *redistest.Process) *redis.Client { return ownClient(p, 10) },
	} {
		v := redistest.Search(t, func(w *redistest.World) {
			for _, name := range []string{"A", "B"} {
				w.Process(name, func(ctx context.Context, p *redistest.Process) {
					rdb := client(p)
					context.AfterFunc(ctx, func() { _ = rdb.Close() })
					for !stop.Load() {
						if ok, err := rdb.SetNX(ctx, "lock", 1, 0).Result(); err == nil && ok {
							return
						} else if err == nil {
							time.Sleep(time.Second)
						}
					}
				})
			}
		}, redistest.Bounds{Steps: 2})
		if v.Broken == nil || !strings.HasPrefix(v.Broken.Error(), why) {
			t.Error(v)
		}
	}
	stop.Store(true)
}

// Who is paused leaves no section, even if it sleeps in it.
func TestThePausedStayInside(t *testing.T) {
	for longest, holds := range map[time.Duration]bool{0: false, time.Second: true} {
		v := redistest.Search(t, func(w *redistest.World) {
			both(w, func(ctx context.Context, rdb *redis.Client, name string) {
				for range 8 {
					before := time.Now()
					if ok := rdb.SetNX(ctx, "lock", name, lease).Val(); ok && time.Since(before) <= time.Second {
						said := make(chan struct{})
						go func() {
							defer close(said)
							rdb.Set(ctx, "at work:"+name, 1, 0)
						}()
						w.Inside(ctx, "S", func() { time.Sleep(3 * time.Second) })
						<-said
						withScript(ctx, rdb, name)
						return
					}
					time.Sleep(time.Second)
				}
			})
		}, redistest.Bounds{Pauses: 1, LongestPause: longest})
		if v.Holds() != holds {
			t.Errorf("pauses of %v: %v", longest, v)
		}
	}
}

// Invariants look at the database that the scenario has selected, also on a server that starts again or takes over.
func TestInvariantsLookAtADatabase(t *testing.T) {
	for name, b := range map[string]redistest.Bounds{"restart": {Restarts: 1}, "failover": {Failovers: 1}} {
		v := redistest.Search(t, func(w *redistest.World) {
			w.Sentinel("n1", "n2")
			w.Process("A", func(ctx context.Context, p *redistest.Process) {
				rdb := redis.NewFailoverClient(&redis.FailoverOptions{
					MasterName: "mymaster", SentinelAddrs: []string{"10.0.2.1:26379"}, DB: 1,
					Dialer: func(ctx context.Context, _, addr string) (net.Conn, error) { return p.Dial(ctx, addr) },
				})
				defer func() { _ = rdb.Close() }()
				rdb.Set(ctx, "k", 1, 0)
				rdb.Set(ctx, "late", 1, 0)
			})
			w.Do("n1", "SELECT", "1")
			w.Check("no late key without another", func() error {
				if w.Do("n1", "EXISTS", "k")+w.Do("n1", "EXISTS", "late") == "01" {
					return errOld
				}
				return nil
			})
		}, b)
		if v.Broken == nil {
			t.Errorf("%s: %v", name, v)
		}
	}
}

// What is asked while the scenario is set up is no question of an invariant.
func TestWhatIsGivenIsNotMissing(t *testing.T) {
	v := redistest.Search(t, func(w *redistest.World) {
		w.Do("redis", "DEL", "nothing")
		w.Do("redis", "SET", "left", "1")
		both(w, func(ctx context.Context, rdb *redis.Client, _ string) { rdb.Decr(ctx, "left") })
		w.Eventually("both have counted", func() error {
			if w.Do("redis", "GET", "left") != "-1" {
				return errOld
			}
			return nil
		})
	}, redistest.Bounds{})
	if !v.Holds() {
		t.Error(v)
	}
}

// Who closes all connections but its own does not blind the invariants.
func TestInvariantsLookOnAfterClientKill(t *testing.T) {
	v := redistest.Search(t, func(w *redistest.World) {
		w.Client("A", func(ctx context.Context, rdb *redis.Client) {
			rdb.ClientKillByFilter(ctx, "TYPE", "normal")
			rdb.Set(ctx, "lock", "A", 0)
		})
		w.HasTTL("redis", "lock")
	}, redistest.Bounds{})
	if v.Broken == nil || !strings.Contains(v.String(), "lock has no TTL") {
		t.Errorf("the lock has no TTL, and it is told: %s", v)
	}
}
