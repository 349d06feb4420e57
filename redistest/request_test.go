package redistest_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

// Who comes first goes first, whatever it is called.
func TestRequestsGoInTheOrderInWhichTheyCome(t *testing.T) {
	story := redistest.Replay(t, func(w *redistest.World) {
		for i, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				time.Sleep(time.Duration(2-i) * time.Second)
				rdb.Get(ctx, "1")
				rdb.Get(ctx, "2")
			})
		}
	}, redistest.Bounds{}, nil)
	var who []string
	for _, e := range story {
		who = append(who, e.Text[:1])
	}
	if got := strings.Join(who, ""); got != "BBAA" {
		t.Errorf("%s\n%s", got, story)
	}
}

// A process may have more requests on their way than go-redis has connections by default: who waits for one
// would take a timer of an earlier run's bubble.
func TestManyRequestsOfOneProcessAtOnce(t *testing.T) {
	redistest.Explore(t, func(w *redistest.World) {
		w.Allow(redistest.Missing)
		w.Client("A", func(ctx context.Context, rdb *redis.Client) {
			var wg sync.WaitGroup
			for i := range 6 {
				wg.Go(func() { rdb.SetNX(ctx, string(rune('a'+i)), "A", lease) })
			}
			wg.Wait()
		})
	}, redistest.Bounds{Losses: 1})
}
