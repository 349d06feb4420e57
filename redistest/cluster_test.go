package redistest_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

// inCluster is the scenario of two clients of a cluster of three, who count on one server and lock on another.
func inCluster(release func(ctx context.Context, rdb redis.UniversalClient, owner string)) func(w *redistest.World) {
	return func(w *redistest.World) {
		w.Cluster("n1", "n2", "n3")
		for _, name := range []string{"A", "B"} {
			w.Process(name, func(ctx context.Context, p *redistest.Process) {
				rdb := p.Cluster()
				rdb.Incr(ctx, "count")
				if rdb.SetNX(ctx, "lock", name, 3*time.Second).Val() {
					w.Inside(ctx, "the section", func() { time.Sleep(time.Second) })
					release(ctx, rdb, name)
				}
			})
		}
		w.HasTTL("n1", "lock") // which n2 has
		w.ReleasedByItsHolder("n1", "lock")
	}
}

func ofTheHolder(ctx context.Context, rdb redis.UniversalClient, owner string) {
	compareAndDelete.Run(ctx, rdb, []string{"lock"}, owner)
}

func TestALockInAClusterHolds(t *testing.T) {
	for name, b := range map[string]redistest.Bounds{"crashes": {Crashes: 1}, "losses": {Losses: 1}, "outages": {Outages: 1}} {
		t.Run(name, func(t *testing.T) {
			if v := redistest.Search(t, inCluster(ofTheHolder), b); !v.Holds() || v.Schedules < 20 {
				t.Error(v)
			}
		})
	}
}

func TestALockInAClusterBreaks(t *testing.T) {
	restart := redistest.Search(t, inCluster(ofTheHolder), redistest.Bounds{Restarts: 1})
	if restart.Broken == nil || !strings.Contains(restart.String(), "n2 starts again, empty") {
		t.Fatal(restart)
	}
	playsAsALesson(t, restart, "mutual-exclusion")
}

// What is asked of any member, the one answers that has the key.
func TestInvariantsReachTheMemberThatHasTheKey(t *testing.T) {
	for broken, ask := range map[string]func(w *redistest.World){
		"no lock without TTL: lock has no TTL":              func(w *redistest.World) { w.HasTTL("n1", "lock") },
		"released by its holder: B took away the lock of A": func(w *redistest.World) { w.ReleasedByItsHolder("n3", "lock") },
		"no lock is left: an older token wrote after a newer one": func(w *redistest.World) {
			w.Eventually("no lock is left", func() error {
				if w.Do("n1", "GET", "lock") == "A" {
					return errOld
				}
				return nil
			})
		},
	} {
		v := redistest.Search(t, func(w *redistest.World) {
			w.Cluster("n1", "n2", "n3")
			w.Process("A", func(ctx context.Context, p *redistest.Process) { p.Cluster().Set(ctx, "lock", "A", 0) })
			w.Process("B", func(ctx context.Context, p *redistest.Process) { p.Cluster().Del(ctx, "lock") })
			ask(w)
		}, redistest.Bounds{})
		if v.Broken == nil || v.Broken.Error() != broken {
			t.Errorf("not %s: %v", broken, v)
		}
	}
}

// What a member says of its cluster is as far as clients need it to find keys, and the rest is told.
func TestWhatAMemberDoesNotSayIsTold(t *testing.T) {
	for _, word := range []string{"info", "nodes", "myid"} {
		v := redistest.Search(t, func(w *redistest.World) {
			w.Cluster("n1", "n2")
			w.Process("A", func(ctx context.Context, p *redistest.Process) {
				p.Redis("n1").Do(ctx, "cluster", word)
				p.Cluster().Incr(ctx, "n")
			})
			w.Eventually("it is counted", func() error {
				if w.Do("n1", "GET", "n") != "1" {
					return errOld
				}
				return nil
			})
		}, redistest.Bounds{})
		if v.Holds() || !strings.Contains(v.String(), "does not know cluster "+word) {
			t.Errorf("cluster %s is not told: %s", word, v)
		}
	}
}

// A member refuses the keys of others and those of several slots, and a client of one server hears of it.
func TestMembersRefuseWhatTheyDoNotHave(t *testing.T) {
	refused := func(ask func(ctx context.Context, p *redistest.Process) error) redistest.Verdict {
		return redistest.Search(t, func(w *redistest.World) {
			var failed error
			w.Cluster("n1", "n2")
			w.Process("A", func(ctx context.Context, p *redistest.Process) {
				p.Redis("n1").Set(ctx, "bar", 1, 0)
				failed = ask(ctx, p)
			})
			w.Check("nothing fails", func() error {
				w.Do("n1", "GET", "bar")
				return failed
			})
		}, redistest.Bounds{})
	}
	for want, ask := range map[string]func(ctx context.Context, p *redistest.Process) error{
		"nothing fails: MOVED 12182 10.0.0.2:6379": func(ctx context.Context, p *redistest.Process) error { return p.Redis("n1").Get(ctx, "foo").Err() },
		"nothing fails: CROSSSLOT Keys in request don't hash to the same slot": func(ctx context.Context, p *redistest.Process) error {
			return p.Cluster().Eval(ctx, "return 1", []string{"bar", "bar:waiters"}).Err()
		},
	} {
		v := refused(ask)
		if v.Broken == nil || v.Broken.Error() != want {
			t.Errorf("not %s: %v", want, v)
		}
		if err := v.WriteLesson(t.TempDir()); err == nil {
			t.Errorf("a lesson is written in which nothing is refused: %s", v)
		}
	}
}
