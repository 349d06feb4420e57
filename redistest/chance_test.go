package redistest_test

import (
	"context"
	"math/rand"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

// ownTokens is the scenario of clients that draw a token each, after a while.
func ownTokens(draw func() int64, others ...func(w *redistest.World)) func(w *redistest.World) {
	return func(w *redistest.World) {
		for i, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				time.Sleep(time.Duration(i*800+200) * time.Millisecond)
				token := draw()
				time.Sleep(time.Duration(2-i) * time.Second)
				if rdb.SetNX(ctx, "lock", token, lease).Val() {
					time.Sleep(work)
				}
				compareAndDelete.Run(ctx, rdb, []string{"lock"}, token)
			})
		}
		for _, also := range others {
			also(w)
		}
		w.ReleasedByItsHolder("redis", "lock")
	}
}

// Processes draw different numbers, as on different machines.
func TestProcessesDrawDifferentNumbers(t *testing.T) {
	for name, scenario := range map[string]func(w *redistest.World){
		"while nothing happens": ownTokens(rand.Int63),
		"while a third one ends": ownTokens(rand.Int63, func(w *redistest.World) {
			w.Client("C", func(ctx context.Context, rdb *redis.Client) {
				rdb.Get(ctx, "c")
				time.Sleep(500 * time.Millisecond)
			})
		}),
		"while a key expires": ownTokens(rand.Int63, func(w *redistest.World) {
			w.Client("C", func(ctx context.Context, rdb *redis.Client) { rdb.Set(ctx, "c", 1, 500*time.Millisecond) })
		}),
		"seeded with the time": func(w *redistest.World) {
			for _, name := range []string{"A", "B"} {
				w.Client(name, func(ctx context.Context, rdb *redis.Client) {
					own := rand.New(rand.NewSource(time.Now().UnixNano()))
					token := strconv.Itoa(own.Int())
					if rdb.SetNX(ctx, "lock", token, lease).Val() {
						time.Sleep(work)
					}
					compareAndDelete.Run(ctx, rdb, []string{"lock"}, token)
				})
			}
			w.ReleasedByItsHolder("redis", "lock")
		},
	} {
		t.Run(name, func(t *testing.T) { redistest.Explore(t, scenario, redistest.Bounds{}) })
	}
}
