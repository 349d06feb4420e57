package redistest_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

// printing stands for the *testing.T that a test has: it prints what go test would tell.
type printing struct{ testing.TB }

func (printing) Helper()                           {}
func (printing) Name() string                      { return "TestMyLock" }
func (printing) Failed() bool                      { return false }
func (printing) Logf(format string, args ...any)   { fmt.Printf(format+"\n", args...) }
func (printing) Fatalf(format string, args ...any) { fmt.Printf("FAIL: "+format+"\n", args...) }

var t printing

// twoClients lock, work and release.
func twoClients(w *redistest.World) {
	for _, name := range []string{"A", "B"} {
		w.Client(name, func(ctx context.Context, rdb *redis.Client) {
			if ok, _ := rdb.SetNX(ctx, "lock", name, 3*time.Second).Result(); ok {
				w.Inside(ctx, "the section", func() { time.Sleep(time.Second) })
				rdb.Del(ctx, "lock")
			}
		})
	}
}

func ExampleExplore() {
	redistest.Explore(t, twoClients, redistest.Bounds{Ticks: 1})
	// Output:
	// holds: all 25 schedules within the bounds
	// the section was entered by A in 7, B in 7, of 16 schedules that ran to their ends
	// not tried, as these bounds are 0: Pauses, Losses, Drops, Slow, Crashes, Restarts, Outages, Hangs, Failovers, Grid
}

func ExampleSearch() {
	v := redistest.Search(t, twoClients, redistest.Bounds{Pauses: 1, Ticks: 1}) // a pause may be longer than the lease
	fmt.Println(v.Broken)
	// Output:
	// mutual exclusion: A and B are inside the section at the same time
}

func ExampleReplay() {
	fmt.Print(redistest.Replay(t, twoClients, redistest.Bounds{Pauses: 1, Ticks: 1}, redistest.Schedule{{Step: 0, Choice: 3}, {Step: 1, Choice: 2}, {Step: 3, Choice: 1}}))
	// Output:
	//         0s  A: set lock A ex 3 nx → OK, which it does not see yet: it is paused
	//     3.001s  3.001s pass
	//     3.001s  B: set lock B ex 3 nx → OK
	//     3.001s  B enters the section
	//     3.001s  A goes on
	//     3.001s  A enters the section
}
