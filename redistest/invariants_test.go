package redistest_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

// A key that is gone in the end, as it should be, was there before.
func TestWhatIsGoneInTheEndIsNotMissing(t *testing.T) {
	for key, holds := range map[string]bool{"lock": true, "lokc": false} {
		v := redistest.Search(t, func(w *redistest.World) {
			both(w, func(ctx context.Context, rdb *redis.Client, name string) {
				if rdb.SetNX(ctx, "lock", name, 0).Val() {
					rdb.Del(ctx, "lock")
				}
			})
			w.Eventually("nothing is left", func() error {
				if w.Do("redis", "EXISTS", key) != "0" {
					return errors.New(key + " is")
				}
				return nil
			})
		}, redistest.Bounds{})
		if v.Holds() != holds {
			t.Errorf("%s: %s", key, v)
		}
	}
}

// What must be so in the end is so at a moment of its own.
func TestWhatMustBeSoInTheEndHasItsOwnMoment(t *testing.T) {
	is := func(w *redistest.World, key, want string) func() error {
		return func() error {
			if w.Do("redis", "EXISTS", key) != want {
				return errors.New("it is not so")
			}
			return nil
		}
	}
	for name, c := range map[string]struct{ result, lock string }{
		"the first is so later":  {"1", "0"},
		"the first is never so":  {"0", "2"},
		"the second is never so": {"2", "0"},
	} {
		v := redistest.Search(t, func(w *redistest.World) {
			w.Client("A", func(ctx context.Context, rdb *redis.Client) {
				rdb.SetNX(ctx, "lock", "A", 2*lease)
				rdb.Set(ctx, "result", "done", lease)
			})
			w.Eventually("the lock", is(w, "lock", c.lock))
			w.Eventually("the result", is(w, "result", c.result))
		}, redistest.Bounds{})
		if possible := c.lock != "2" && c.result != "2"; v.Holds() != possible {
			t.Errorf("%s: %s", name, v)
		}
	}
}

// A key that was there before has a holder, who is no process.
func TestAHolderFromBeforeIsTold(t *testing.T) {
	v := redistest.Search(t, func(w *redistest.World) {
		w.Do("redis", "SET", "lock", "old", "EX", "5")
		w.Client("A", func(ctx context.Context, rdb *redis.Client) { rdb.Del(ctx, "lock") })
		w.ReleasedByItsHolder("redis", "lock")
	}, redistest.Bounds{})
	if v.Broken == nil || !strings.HasSuffix(v.Broken.Error(), "A took away the lock of somebody who had it before the first step") {
		t.Error(v)
	}
}

// Who puts the same token in the place of another's takes that one's lock away, though nobody can see a difference; who
// fails to get it, or makes its lease longer, does not.
func TestWhoReplacesATokenByTheSameIsSeen(t *testing.T) {
	for name, c := range map[string]struct {
		take  func(ctx context.Context, rdb *redis.Client)
		holds bool
	}{
		"SET": {take: func(ctx context.Context, rdb *redis.Client) { rdb.Set(ctx, "lock", "job", lease) }},
		"DEL and SET in one": {take: func(ctx context.Context, rdb *redis.Client) {
			_, _ = rdb.TxPipelined(ctx, func(p redis.Pipeliner) error {
				p.Del(ctx, "lock")
				p.SetNX(ctx, "lock", "job", lease)
				return nil
			})
		}},
		"SET NX": {func(ctx context.Context, rdb *redis.Client) { rdb.SetNX(ctx, "lock", "job", lease) }, true},
		"PEXPIRE in a script that gets the token": {func(ctx context.Context, rdb *redis.Client) {
			rdb.Eval(ctx, `if redis.call("GET", KEYS[1]) == ARGV[1] then redis.call("PEXPIRE", KEYS[1], 9000) end`, []string{"lock"}, "job")
		}, true},
	} {
		v := redistest.Search(t, func(w *redistest.World) {
			both(w, func(ctx context.Context, rdb *redis.Client, _ string) { c.take(ctx, rdb) })
			w.ReleasedByItsHolder("redis", "lock")
			w.Allow(redistest.Missing)
		}, redistest.Bounds{})
		if v.Holds() != c.holds {
			t.Errorf("%s: %v", name, v)
		}
	}
}

// A lease that never ends is a longer one, and nobody has renewed what a replica had before.
func TestWhoRenewed(t *testing.T) {
	v := redistest.Search(t, func(w *redistest.World) {
		w.Client("A", func(ctx context.Context, rdb *redis.Client) { rdb.SetNX(ctx, "lock", "A", lease) })
		w.Client("B", func(ctx context.Context, rdb *redis.Client) { rdb.Persist(ctx, "lock") })
		w.RenewedByItsHolder("redis", "lock")
	}, redistest.Bounds{})
	if v.Broken == nil || v.Broken.Error() != "renewed by its holder: B renewed the lock of A" {
		t.Error(v)
	}
	v = redistest.Search(t, func(w *redistest.World) {
		w.Sentinel("n1", "n2")
		w.Process("A", func(ctx context.Context, p *redistest.Process) {
			rdb := p.Sentinel()
			rdb.SetNX(ctx, "lock", "A", lease)
			rdb.PExpire(ctx, "lock", time.Second)
			rdb.PExpire(ctx, "lock", lease)
			rdb.Del(ctx, "lock")
			rdb.Get(ctx, "lock")
			rdb.Del(ctx, "lock")
		})
		w.RenewedByItsHolder("n1", "lock")
		w.ReleasedByItsHolder("n1", "lock")
	}, redistest.Bounds{Failovers: 1})
	if !v.Holds() {
		t.Error(v)
	}
}

// An invariant that misspells a command never breaks.
func TestAnInvariantThatGetsErrorsIsTold(t *testing.T) {
	for ask, told := range map[string]string{
		"GTE n":     "it proves nothing: the embedded Redis does not know GTE n",
		"LLEN n":    "it proves nothing: an invariant asks LLEN n and gets -WRONGTYPE",
		"BLPOP q 0": "it proves nothing: an invariant asks BLPOP q 0 and gets no reply",
	} {
		v := redistest.Search(t, func(w *redistest.World) {
			both(w, func(ctx context.Context, rdb *redis.Client, _ string) { rdb.Incr(ctx, "n") })
			w.Check("once", func() error {
				if w.Do("redis", strings.Fields(ask)...) == "2" {
					return errors.New("twice")
				}
				return nil
			})
		}, redistest.Bounds{})
		if v.Holds() || !strings.Contains(v.String(), told) {
			t.Errorf("the invariant asks with %s, and it is told: %s", ask, v)
		}
	}
}

// A key in a database at which nobody looks was never there.
func TestAnInvariantLooksAtOneDatabase(t *testing.T) {
	for database, told := range map[string]string{"0": "the key lock on redis was never there", "1": "lock has no TTL"} {
		v := redistest.Search(t, func(w *redistest.World) {
			w.Do("redis", "SELECT", database)
			for _, name := range []string{"A", "B"} {
				w.Client(name, func(ctx context.Context, rdb *redis.Client) {
					own := rdb.Conn()
					own.Select(ctx, 1)
					own.SetNX(ctx, "lock", name, 0)
				})
			}
			w.HasTTL("redis", "lock")
		}, redistest.Bounds{})
		if v.Holds() || !strings.Contains(v.String(), told) {
			t.Errorf("it was to be told of database %s: %s\n%s", database, told, v)
		}
	}
}

// CLIENT PAUSE holds up what clients do, and neither invariants nor whose doing it was.
func TestClientPauseHidesNobody(t *testing.T) {
	for name, c := range map[string]struct {
		who  string
		told string
	}{"its holder": {"A", "holds"}, "another": {"B", "B took away the lock of A"}} {
		v := redistest.Search(t, func(w *redistest.World) {
			for i, who := range []string{"A", "B", "C"} {
				w.Client(who, func(ctx context.Context, rdb *redis.Client) {
					time.Sleep(time.Duration(i) * 100 * time.Millisecond)
					switch who {
					case "A":
						rdb.Set(ctx, "lock", who, time.Minute)
					case "C":
						rdb.ClientPause(ctx, time.Second)
					}
					rdb.Get(ctx, "lock")
					time.Sleep(500 * time.Millisecond)
					if who == c.who {
						rdb.Del(ctx, "lock")
					}
				})
			}
			w.ReleasedByItsHolder("redis", "lock")
		}, redistest.Bounds{})
		if !strings.Contains(v.String(), c.told) {
			t.Errorf("%s: %s", name, v)
		}
	}
}
