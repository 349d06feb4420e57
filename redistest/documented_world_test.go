package redistest_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

func ExampleWorld() {
	scenario := func(w *redistest.World) {
		w.Client("A", func(ctx context.Context, rdb *redis.Client) { rdb.SetNX(ctx, "lock", "A", 0) })
		w.HasTTL("redis", "lock")
	}
	redistest.Explore(t, scenario, redistest.Bounds{})
	// Output:
	// FAIL: no lock without TTL: lock has no TTL
	// found in schedule 1, which is redistest.Schedule{}:
	//         0s  A: set lock A nx → OK
	// go test -artifacts writes it as a lesson, which the playground plays step by step
}

func ExampleWorld_Client() {
	redistest.Explore(t, func(w *redistest.World) {
		w.Client("A", func(ctx context.Context, rdb *redis.Client) { rdb.BLPop(ctx, 0, "words") })
		w.Client("B", func(ctx context.Context, rdb *redis.Client) { rdb.Publish(ctx, "words", "go") })
	}, redistest.Bounds{})
	// Output:
	// FAIL: nobody waits for ever: [A] wait, and nothing ever happens
	// found in schedule 1, which is redistest.Schedule{}:
	//         0s  A: blpop words 0 → no reply
	//         0s  B: publish words go → 0
	// go test -artifacts writes it as a lesson, which the playground plays step by step
}

func ExampleWorld_Process() {
	redistest.Explore(t, func(w *redistest.World) {
		w.Process("A", func(ctx context.Context, p *redistest.Process) {
			p.Redis("first").Set(ctx, "k", p.Name, 0)
			p.Redis("second").Set(ctx, "k", p.Name, 0)
		})
		w.Eventually("the servers have the same", func() error {
			if a, b := w.Do("first", "GET", "k"), w.Do("second", "GET", "k"); a != b {
				return fmt.Errorf("%s and %s", a, b)
			}
			return nil
		})
	}, redistest.Bounds{Crashes: 1})
	// Output:
	// FAIL: the servers have the same: A and nil
	// found in schedule 3, which is redistest.Schedule{{1, 1}}:
	//         0s  A: set k A → OK
	//         0s  A crashes
	// go test -artifacts writes it as a lesson, which the playground plays step by step
}

func ExampleWorld_Cluster() {
	redistest.Explore(t, func(w *redistest.World) {
		w.Cluster("n1", "n2", "n3")
		w.Process("A", func(ctx context.Context, p *redistest.Process) {
			p.Cluster().MSet(ctx, "lock", p.Name, "lock:owner", p.Name) // {lock}:owner would be beside lock
		})
		w.Eventually("it is locked", func() error {
			if w.Do("n1", "EXISTS", "lock") == "0" { // whichever member has it
				return errors.New("it is not")
			}
			return nil
		})
	}, redistest.Bounds{})
	// Output:
	// FAIL: it is locked: it is not
	// found in schedule 1, which is redistest.Schedule{}:
	//         0s  A: on n2 mset lock A lock:owner A → -CROSSSLOT Keys in request don't hash t…
	// go test -artifacts writes it as a lesson, which the playground plays step by step
}

func ExampleProcess_Cluster() {
	fmt.Print(redistest.Replay(t, func(w *redistest.World) {
		w.Cluster("n1", "n2", "n3")
		w.Process("A", func(ctx context.Context, p *redistest.Process) {
			p.Cluster().Set(ctx, "lock", p.Name, time.Minute)
			p.Redis("n1").Get(ctx, "lock")
		})
	}, redistest.Bounds{}, nil))
	// Output:
	//         0s  A: on n2 set lock A ex 60 → OK
	//         0s  A: on n1 get lock → -MOVED 8718 10.0.0.2:6379
}

func ExampleWorld_Sentinel() {
	scenario := func(w *redistest.World) {
		w.Sentinel("n1", "n2")
		for _, name := range []string{"A", "B"} {
			w.Process(name, func(ctx context.Context, p *redistest.Process) {
				if p.Sentinel().SetNX(ctx, "lock", name, time.Minute).Val() {
					w.Inside(ctx, "the section", func() { time.Sleep(time.Second) })
				}
			})
		}
	}
	redistest.Explore(t, scenario, redistest.Bounds{Failovers: 1})
	// Output:
	// FAIL: mutual exclusion: A and B are inside the section at the same time
	// found in schedule 7, which is redistest.Schedule{{1, 2}}:
	//         0s  A: on n1 set lock A ex 60 nx → OK
	//         0s  A enters the section
	//         0s  n1 is gone, and n2 takes over, without the last write
	//        8ms  B: on n2 set lock B ex 60 nx → OK
	//        8ms  B enters the section
	// go test -artifacts writes it as a lesson, which the playground plays step by step
}

func ExampleProcess_Sentinel() {
	fmt.Print(redistest.Replay(t, func(w *redistest.World) {
		w.Sentinel("n1", "n2")
		w.Process("A", func(ctx context.Context, p *redistest.Process) {
			rdb := p.Sentinel()
			rdb.Set(ctx, "lock", p.Name, time.Minute)
			rdb.Get(ctx, "lock")
		})
	}, redistest.Bounds{Failovers: 1}, redistest.Schedule{{Step: 1, Choice: 1}}))
	// Output:
	//         0s  A: on n1 set lock A ex 60 → OK
	//         0s  n1 is gone, and n2 takes over
	//        8ms  A: on n2 get lock → A
}

func ExampleProcess() {
	redistest.Explore(t, func(w *redistest.World) {
		w.Process("A", func(ctx context.Context, p *redistest.Process) {
			p.Redis("redis").Set(ctx, "k", p.Name, time.Minute)
		})
		w.HasTTL("redis", "k")
	}, redistest.Bounds{})
	// Output:
	// holds: all 1 schedules within the bounds
	// 1 schedules ran to their ends
	// not tried, as these bounds are 0: Ticks, Pauses, Losses, Drops, Slow, Crashes, Restarts, Outages, Hangs, Failovers
}

func ExampleProcess_Dial() {
	fmt.Print(redistest.Replay(t, func(w *redistest.World) {
		w.Process("A", func(ctx context.Context, p *redistest.Process) {
			conn, err := p.Dial(ctx, "redis") // for any client that takes a connection
			if err == nil {
				_, _ = conn.Write([]byte("SET k v\r\n"))
				_, _ = conn.Read(make([]byte, 5))
				_ = conn.Close()
			}
		})
	}, redistest.Bounds{}, nil))
	// Output:
	//         0s  A: SET k v → OK
}

func ExampleWorld_Inside() {
	redistest.Explore(t, func(w *redistest.World) {
		for _, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				if rdb.Exists(ctx, "lock").Val() == 0 {
					rdb.Set(ctx, "lock", name, time.Minute)
					w.Inside(ctx, "the section", func() { time.Sleep(time.Second) })
				}
			})
		}
	}, redistest.Bounds{})
	// Output:
	// FAIL: mutual exclusion: A and B are inside the section at the same time
	// found in schedule 1, which is redistest.Schedule{}:
	//         0s  A: exists lock → 0
	//         0s  B: exists lock → 0
	//         0s  A: set lock A ex 60 → OK
	//         0s  A enters the section
	//         0s  B: set lock B ex 60 → OK
	//         0s  B enters the section
	// go test -artifacts writes it as a lesson, which the playground plays step by step
}

func ExampleWorld_InsideUntil() {
	redistest.Explore(t, func(w *redistest.World) {
		for _, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				until := time.Now().Add(3 * time.Second)
				if rdb.SetNX(ctx, "lock", name, 3*time.Second).Val() {
					w.InsideUntil(ctx, "the section", until, func() { time.Sleep(time.Second) })
				}
			})
		}
	}, redistest.Bounds{Pauses: 1, Ticks: 1})
	// Output:
	// holds: all 216 schedules within the bounds
	// the section was entered by A in 55, B in 55, of 156 schedules that ran to their ends; longest pause 24h0m6.002s; longest lease 3s
	// not tried, as these bounds are 0: Losses, Drops, Slow, Crashes, Restarts, Outages, Hangs, Failovers, Grid
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
	// Output:
	// holds: all 12 schedules within the bounds
	// the room was entered by A in 8, B in 8, C in 8, of 12 schedules that ran to their ends
	// not tried, as these bounds are 0: Ticks, Pauses, Losses, Drops, Slow, Crashes, Restarts, Outages, Hangs, Failovers
}

func ExampleWorld_Check() {
	redistest.Explore(t, func(w *redistest.World) {
		twoClients(w)
		w.Check("the lock is A's", func() error {
			if is := w.Do("redis", "GET", "lock"); is != "nil" && is != "A" {
				return fmt.Errorf("it is %s's", is)
			}
			return nil
		})
	}, redistest.Bounds{})
	// Output:
	// FAIL: the lock is A's: it is B's
	// found in schedule 2, which is redistest.Schedule{{0, 1}}:
	//         0s  B: set lock B ex 3 nx → OK
	//         0s  B enters the section
	// go test -artifacts writes it as a lesson, which the playground plays step by step
}

func ExampleWorld_Do() {
	var left string
	redistest.Replay(t, func(w *redistest.World) {
		twoClients(w)
		w.Eventually("what is left is noted", func() error {
			left = w.Do("redis", "DBSIZE")
			return nil
		})
	}, redistest.Bounds{}, nil)
	fmt.Println(left)
	// Output:
	// 0
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
	// Output:
	// holds: all 12 schedules within the bounds
	// the section was entered by A in 4, B in 4, of 8 schedules that ran to their ends
	// not tried, as these bounds are 0: Ticks, Pauses, Losses, Drops, Slow, Restarts, Outages, Hangs, Failovers
}

func ExampleWorld_HasTTL() {
	redistest.Explore(t, func(w *redistest.World) {
		twoClients(w)
		w.HasTTL("redis", "lock")
	}, redistest.Bounds{Drops: 1})
	// Output:
	// holds: all 8 schedules within the bounds
	// the section was entered by A in 3, B in 3, of 6 schedules that ran to their ends
	// not tried, as these bounds are 0: Ticks, Pauses, Losses, Slow, Crashes, Restarts, Outages, Hangs, Failovers
}

func ExampleWorld_ReleasedByItsHolder() {
	redistest.Explore(t, func(w *redistest.World) {
		twoClients(w)
		w.ReleasedByItsHolder("redis", "lock")
	}, redistest.Bounds{Ticks: 2})
	// Output:
	// FAIL: released by its holder: A took away the lock of B
	// found in schedule 19, which is redistest.Schedule{{1, 1}, {2, 2}}:
	//         0s  A: set lock A ex 3 nx → OK
	//         0s  A enters the section
	//         1s  A leaves the section
	//         1s  1s pass
	//     3.001s  2.001s pass
	//     3.001s  B: set lock B ex 3 nx → OK
	//     3.001s  B enters the section
	//     3.001s  A: del lock → 1
	// go test -artifacts writes it as a lesson, which the playground plays step by step
}

func ExampleWorld_RenewedByItsHolder() {
	redistest.Explore(t, func(w *redistest.World) {
		w.Client("A", func(ctx context.Context, rdb *redis.Client) { rdb.SetNX(ctx, "lock", "A", 3*time.Second) })
		w.Client("B", func(ctx context.Context, rdb *redis.Client) { rdb.Expire(ctx, "lock", time.Minute) })
		w.RenewedByItsHolder("redis", "lock")
	}, redistest.Bounds{})
	// Output:
	// FAIL: renewed by its holder: B renewed the lock of A
	// found in schedule 1, which is redistest.Schedule{}:
	//         0s  A: set lock A ex 3 nx → OK
	//         0s  B: expire lock 60 → 1
	// go test -artifacts writes it as a lesson, which the playground plays step by step
}

func ExampleWorld_Allow() {
	redistest.Explore(t, func(w *redistest.World) {
		w.Client("A", func(ctx context.Context, rdb *redis.Client) { rdb.BLPop(ctx, 0, "words") })
		w.Client("B", func(ctx context.Context, rdb *redis.Client) { rdb.RPush(ctx, "words", "go") })
		w.Allow(redistest.Missing) // it is about nothing but that A does not wait for ever
	}, redistest.Bounds{Losses: 1})
	// Output:
	// FAIL: nobody waits for ever: [A] wait, and nothing ever happens
	// found in schedule 4, which is redistest.Schedule{{0, 3}}:
	//         0s  A: blpop words 0 → no reply
	//         0s  B: rpush words go → 1
	//         0s  A: the connection breaks before the reply to blpop words 0 is there
	//        8ms  A: blpop words 0 → no reply
	// go test -artifacts writes it as a lesson, which the playground plays step by step
}
