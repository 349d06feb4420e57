package redistest_test

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

func ExampleBounds() {
	var holds []bool
	for _, b := range []redistest.Bounds{{Ticks: 1}, {Slow: 1}, {Losses: 1}, {Drops: 1}, {Crashes: 1}, {Outages: 1}, {Hangs: 1, LongestPause: time.Second}, {Failovers: 1}} {
		holds = append(holds, redistest.Search(t, twoClients, b).Holds())
	}
	fmt.Println(holds)
	// A server that starts again gives the lock once more, and one that hangs may say yes when the lease is over.
	for _, b := range []redistest.Bounds{{Restarts: 1}, {Hangs: 1}} {
		fmt.Println(redistest.Search(t, twoClients, b).Broken)
	}
	// Output:
	// [true true true true true true true true]
	// mutual exclusion: A and B are inside the section at the same time
	// mutual exclusion: A and B are inside the section at the same time
}

func ExampleBounds_pauses() {
	// What breaks although each pause is shorter than what the lease leaves is a bug.
	redistest.Explore(t, twoClients, redistest.Bounds{Pauses: 1, Ticks: 1, LongestPause: time.Second})
	// Output:
	// holds: all 228 schedules within the bounds
	// the section was entered by A in 63, B in 63, of 152 schedules that ran to their ends; longest pause 1s; longest lease 3s
	// not tried, as these bounds are 0: Losses, Drops, Slow, Crashes, Restarts, Outages, Hangs, Failovers, Grid
}

func ExampleBounds_delays() {
	// A pause of two seconds may also end after one.
	redistest.Explore(t, twoClients, redistest.Bounds{Pauses: 1, LongestPause: 2 * time.Second, Grid: time.Second})
	// Output:
	// holds: all 24 schedules within the bounds
	// the section was entered by A in 10, B in 10, of 20 schedules that ran to their ends; longest pause 2s; longest lease 3s
	// not tried, as these bounds are 0: Ticks, Losses, Drops, Slow, Crashes, Restarts, Outages, Hangs, Failovers
}

func ExampleBounds_size() {
	b := redistest.Bounds{Ticks: 2, Pauses: 2, LongestPause: time.Second, Steps: 40, Schedules: 100, Walks: 20, Seed: 1}
	fmt.Println(redistest.Search(t, twoClients, b))
	// Output:
	// nothing broke in 100 schedules and 20 random walks; there are more within the bounds
	// the section was entered by A in 67, B in 45, of 118 schedules that ran to their ends; longest pause 1s; longest lease 3s
	// not tried, as these bounds are 0: Losses, Drops, Slow, Crashes, Restarts, Outages, Hangs, Failovers, Grid
}

func ExampleBounds_workers() {
	// In a test, whose t is a *testing.T, a second process runs half of the schedules; the verdict is the same.
	fmt.Println(redistest.Search(t, twoClients, redistest.Bounds{Pauses: 1, Ticks: 1, LongestPause: time.Second, Workers: 2}).Holds())
	// Output:
	// true
}

func ExampleBounds_orders() {
	count := func(w *redistest.World) {
		for _, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				rdb.Incr(ctx, name+" was here")
				rdb.Incr(ctx, "n")
			})
		}
	}
	fmt.Println(redistest.Search(t, count, redistest.Bounds{}).Schedules)
	fmt.Println(redistest.Search(t, count, redistest.Bounds{AllOrders: true}).Schedules)
	fmt.Println(redistest.Search(t, count, redistest.Bounds{Switches: 1}).Schedules)
	// Output:
	// 4
	// 6
	// 4
}
