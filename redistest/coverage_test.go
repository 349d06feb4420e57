package redistest_test

import (
	"context"
	"errors"
	"math/rand"
	randv2 "math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

// A search that never asks once a lease is over says so: it has proven nothing about leases.
func TestALeaseThatNobodyOutlivesIsTold(t *testing.T) {
	outlived := func(w *redistest.World) {
		for _, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				if rdb.SetNX(ctx, "lock", name, lease).Val() {
					w.Inside(ctx, "the section", func() { time.Sleep(2 * lease) })
				}
			})
		}
	}
	const told = "nobody asked for anything after the lease"
	if v := redistest.Search(t, outlived, redistest.Bounds{}); v.Broken != nil || !strings.Contains(v.String(), told) {
		t.Error(v)
	}
	if v := redistest.Search(t, outlived, redistest.Bounds{Slow: 1}); v.Broken == nil {
		t.Error(v)
	}
}

// A fault that the bounds allow and no schedule could have is told: without a master, no replica takes over.
func TestAFaultWithoutAnOccasionIsTold(t *testing.T) {
	for _, b := range []redistest.Bounds{
		{Failovers: 1, Crashes: 1, Pauses: 1, Losses: 1},
		{Failovers: 1, Crashes: 1, Ticks: 1, Schedules: 1}, // whatever of that was not run
	} {
		v := redistest.Search(t, func(w *redistest.World) {
			w.Client("A", func(ctx context.Context, rdb *redis.Client) { rdb.Set(ctx, "k", 1, time.Minute) })
			w.HasTTL("redis", "k")
		}, b)
		if !strings.HasSuffix(v.String(), "\nnot tried, as no schedule had an occasion: Failovers") {
			t.Error(v)
		}
	}
}

// What the embedded Redis does not know is told: with its error nothing that the code does later is as it would be.
func TestUnknownCommandsAreTold(t *testing.T) {
	for told, ask := range map[string]func(ctx context.Context, rdb *redis.Client){
		"does not know xgroup create s g $ mkstream": func(ctx context.Context, rdb *redis.Client) { rdb.XGroupCreateMkStream(ctx, "s", "g", "$") },
		"does not know XGROUP CREATE s g $, which a script calls": func(ctx context.Context, rdb *redis.Client) {
			rdb.Eval(ctx, `return redis.call("XGROUP", "CREATE", KEYS[1], "g", "$")`, []string{"s"})
		},
		"does not know zrange z - + bylex": func(ctx context.Context, rdb *redis.Client) {
			rdb.ZRangeArgs(ctx, redis.ZRangeArgs{Key: "z", Start: "-", Stop: "+", ByLex: true})
		},
		"does not know XINFO STREAM s, which a script calls": func(ctx context.Context, rdb *redis.Client) {
			rdb.Eval(ctx, `redis.pcall("XINFO", "STREAM", KEYS[1]) return redis.call("INCR", "n")`, []string{"s"})
		},
		"does not know bit, which a script calls": func(ctx context.Context, rdb *redis.Client) { rdb.Eval(ctx, "return bit.band(7, 3)", nil) },
		"does not know os, which a script calls": func(ctx context.Context, rdb *redis.Client) {
			rdb.Eval(ctx, "return pcall(function() return os.clock() end)", nil)
		},
		"does not know xread streams s +":                     func(ctx context.Context, rdb *redis.Client) { rdb.Do(ctx, "xread", "streams", "s", "+") },
		"does not know client no-evict on":                    func(ctx context.Context, rdb *redis.Client) { rdb.Do(ctx, "client", "no-evict", "on") },
		"does not know command getkeys get n":                 func(ctx context.Context, rdb *redis.Client) { rdb.CommandGetKeys(ctx, "get", "n") },
		"does not know client reply skip":                     func(ctx context.Context, rdb *redis.Client) { rdb.Do(ctx, "client", "reply", "skip") },
		"does not know config set appendfsync always":         func(ctx context.Context, rdb *redis.Client) { rdb.ConfigSet(ctx, "appendfsync", "always") },
		"does not know config set maxmemory-policy volatile-": func(ctx context.Context, rdb *redis.Client) { rdb.ConfigSet(ctx, "maxmemory-policy", "volatile-lru") },
		"does not know config set maxclients 1":               func(ctx context.Context, rdb *redis.Client) { rdb.ConfigSet(ctx, "maxclients", "1") },
		"does not know eval redis.setresp(3) 0":               func(ctx context.Context, rdb *redis.Client) { rdb.Eval(ctx, "redis.setresp(3)", nil) },
	} {
		v := redistest.Search(t, func(w *redistest.World) {
			w.Client("A", func(ctx context.Context, rdb *redis.Client) {
				ask(ctx, rdb)
				rdb.Incr(ctx, "n")
			})
			w.HasTTL("redis", "s")
			w.Allow(redistest.Missing)
		}, redistest.Bounds{})
		if v.Holds() || !strings.Contains(v.String(), told) {
			t.Errorf("not told: %s\n%s", told, v)
		}
	}
}

// The same of a setting that the scenario begins with.
func TestUnknownSettingsOfAScenarioAreTold(t *testing.T) {
	v := redistest.Search(t, func(w *redistest.World) {
		w.Do("redis", "CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
		w.Client("A", func(ctx context.Context, rdb *redis.Client) { rdb.Set(ctx, "k", 1, time.Minute) })
		w.HasTTL("redis", "k")
	}, redistest.Bounds{})
	if v.Holds() || !strings.Contains(v.String(), "does not know CONFIG SET maxmemory-policy allkeys-lru") {
		t.Error(v)
	}
}

// A server answers what it is, and what it is set to, also without a socket; of its clients, the invariants are none.
func TestServersTellOfThemselves(t *testing.T) {
	info, port, clients := "", map[string]string{}, ""
	redistest.Explore(t, func(w *redistest.World) {
		w.Client("A", func(ctx context.Context, rdb *redis.Client) {
			info, port = rdb.Info(ctx).Val(), rdb.ConfigGet(ctx, "port").Val()
			clients = rdb.ClientList(ctx).Val()
			rdb.Incr(ctx, "n")
		})
		w.Check("n is a number", func() error { w.Do("redis", "GET", "n"); return nil })
	}, redistest.Bounds{})
	if !strings.Contains(info, "\r\nconnected_clients:1\r\n") || !strings.Contains(info, "\r\ntcp_port:6379\r\n") || port["port"] != "6379" || strings.Count(clients, "\n") != 1 {
		t.Errorf("%q %v %q", info, port, clients)
	}
}

// Values that cannot be seeded are told, though the code does the same whatever they are.
func TestValuesThatAreNotTheSameAreTold(t *testing.T) {
	for told, draw := range map[bool]func() int{true: randv2.Int, false: rand.Int} {
		v := redistest.Search(t, func(w *redistest.World) {
			for _, name := range []string{"A", "B"} {
				w.Client(name, func(ctx context.Context, rdb *redis.Client) {
					rdb.Set(ctx, "of "+name, draw(), 0)
					rdb.Get(ctx, "of all")
				})
			}
			w.Check("A's is a number", func() error { w.Do("redis", "GET", "of A"); return nil })
		}, redistest.Bounds{Losses: 1})
		if !v.Holds() || strings.Contains(v.String(), "values that were sent were not the same each time") != told {
			t.Error(v)
		}
	}
}

// Where another server may choose otherwise, it is told what was tried: of many keys only a first page, or another job.
func TestWhatAServerChoosesIsTold(t *testing.T) {
	for told, ask := range map[string]func(ctx context.Context, rdb *redis.Client){
		"; SPOP took the same each time\n": func(ctx context.Context, rdb *redis.Client) {
			rdb.Eval(ctx, `return redis.call("SPOP", KEYS[1])`, []string{"jobs"})
		},
		"; SMEMBERS kept to one order\n": func(ctx context.Context, rdb *redis.Client) { rdb.SMembers(ctx, "jobs") },
		"; messages of keys that expire came at once\n": func(ctx context.Context, rdb *redis.Client) {
			_ = rdb.Subscribe(ctx, "__keyevent@0__:expired").Close()
			rdb.SCard(ctx, "jobs")
		},
		"; SCAN answered with everything at once\n": func(ctx context.Context, rdb *redis.Client) { rdb.Scan(ctx, 0, "*", 1) },
		"the bounds\n": func(ctx context.Context, rdb *redis.Client) { rdb.SCard(ctx, "jobs") },
	} {
		v := redistest.Search(t, func(w *redistest.World) {
			w.Do("redis", "SADD", "jobs", "one", "two")
			w.Client("A", ask)
			w.Check("there are jobs", func() error {
				w.Do("redis", "SSCAN", "jobs", "0")
				return nil
			})
		}, redistest.Bounds{})
		if !v.Holds() || !strings.Contains(v.String(), told) {
			t.Errorf("not told:%s\n%s", told, v)
		}
	}
}

// Whose timeout is over has hung up, and its request is performed all the same.
func TestWhatComesTooLateIsTold(t *testing.T) {
	v := redistest.Search(t, func(w *redistest.World) {
		w.Client("A", func(ctx context.Context, rdb *redis.Client) {
			short, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			if rdb.SetNX(short, "lock", "A", 0).Err() == nil {
				rdb.Del(ctx, "lock")
			}
		})
		w.Eventually("nothing is left", func() error {
			if w.Do("redis", "EXISTS", "lock") != "0" {
				return errors.New("it is locked for ever")
			}
			return nil
		})
	}, redistest.Bounds{Hangs: 1})
	if v.Broken == nil || !strings.Contains(v.Story.String(), "A: set lock A nx → OK, but nobody waits for that any more") {
		t.Errorf("the reply to A came too late, and this is told: %s", v)
	}
}
