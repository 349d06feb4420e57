package redistest_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

var t *testing.T // of the test that an example would be in

// twoClients lock, work and release.
func twoClients(w *redistest.World) {
	for _, name := range []string{"A", "B"} {
		w.Client(name, func(ctx context.Context, rdb *redis.Client) {
			if ok, _ := rdb.SetNX(ctx, "lock", name, 5*time.Second).Result(); ok {
				w.Inside(ctx, "the section", func() { time.Sleep(time.Second) })
				rdb.Del(ctx, "lock")
			}
		})
	}
}

func ExampleExplore() {
	redistest.Explore(t, twoClients, redistest.Bounds{Ticks: 1})
}

func ExampleSearch() {
	v := redistest.Search(t, twoClients, redistest.Bounds{Pauses: 1})
	if v.Broken == nil {
		t.Error("a pause is longer than the lease")
	}
}

func ExampleReplay() {
	fmt.Println(redistest.Replay(t, twoClients, redistest.Bounds{Pauses: 1}, redistest.Schedule{{Step: 0, Choice: 2}}))
}

func ExampleBounds() {
	// What breaks although each pause is shorter than the lease is a bug.
	redistest.Explore(t, twoClients, redistest.Bounds{Pauses: 1, LongestPause: 3 * time.Second})
}

func ExampleWorld_Allow() {
	redistest.Explore(t, func(w *redistest.World) {
		w.Client("A", func(ctx context.Context, rdb *redis.Client) { rdb.BLPop(ctx, 0, "words") })
		w.Client("B", func(ctx context.Context, rdb *redis.Client) { rdb.RPush(ctx, "words", "go") })
		w.Allow(redistest.Missing) // it is about nothing but that A does not wait for ever
	}, redistest.Bounds{Losses: 1})
}

func ExampleWorld_AtMost() {
	redistest.Explore(t, func(w *redistest.World) {
		w.AtMost("the room", 2)
		for _, name := range []string{"A", "B", "C"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				if rdb.Incr(ctx, "inside").Val() <= 2 {
					w.Inside(ctx, "the room", func() { time.Sleep(time.Second) })
				}
				rdb.Decr(ctx, "inside")
			})
		}
	}, redistest.Bounds{})
}

func ExampleWorld_InsideUntil() {
	redistest.Explore(t, func(w *redistest.World) {
		for _, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				until := time.Now().Add(5 * time.Second)
				if rdb.SetNX(ctx, "lock", name, 5*time.Second).Val() {
					w.InsideUntil(ctx, "the section", until, func() { time.Sleep(time.Second) })
				}
			})
		}
	}, redistest.Bounds{Pauses: 1})
}

func ExampleWorld_Check() {
	redistest.Explore(t, func(w *redistest.World) {
		twoClients(w)
		w.Check("the lock is one of ours", func() error {
			if is := w.Do("redis", "GET", "lock"); is != "nil" && is != "A" && is != "B" {
				return fmt.Errorf("it is %s", is)
			}
			return nil
		})
	}, redistest.Bounds{})
}

func ExampleWorld_Eventually() {
	redistest.Explore(t, func(w *redistest.World) {
		twoClients(w)
		w.Eventually("no lock is left", func() error {
			if w.Do("redis", "EXISTS", "lock") == "1" {
				return errors.New("it is still there")
			}
			return nil
		})
	}, redistest.Bounds{Crashes: 1})
}

func ExampleWorld_HasTTL() {
	redistest.Explore(t, func(w *redistest.World) {
		twoClients(w)
		w.HasTTL("redis", "lock")
		w.ReleasedByItsHolder("redis", "lock")
		w.RenewedByItsHolder("redis", "lock")
	}, redistest.Bounds{Drops: 1})
}

func ExampleWorld_Process() {
	redistest.Explore(t, func(w *redistest.World) {
		w.Process("A", func(ctx context.Context, p *redistest.Process) {
			p.Redis("first").Set(ctx, "k", p.Name, 0)
			conn, err := p.Dial(ctx, "second")
			if err == nil {
				_, _ = conn.Write([]byte("SET k v\r\n"))
				_ = conn.Close()
			}
		})
		w.HasTTL("second", "k")
	}, redistest.Bounds{Outages: 1})
}

func ExampleVerdict_WriteLesson() {
	v := redistest.Search(t, twoClients, redistest.Bounds{Pauses: 1})
	fmt.Println(v.Holds(), v.WriteLesson(t.TempDir()))
}

func ExampleSchedule() {
	fmt.Println(redistest.Schedule{{Step: 1, Choice: 1}, {Step: 3, Choice: 2}})
	// Output: redistest.Schedule{{1, 1}, {3, 2}}
}

func ExampleStory() {
	fmt.Print(redistest.Story{{At: time.Second, Text: "A: get lock → A"}})
	// Output: 1s  A: get lock → A
}
