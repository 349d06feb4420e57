package redistest_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

// What once was said to hold proves nothing.
func TestWhatProvesNothing(t *testing.T) {
	two := func(program func(ctx context.Context, w *redistest.World, rdb *redis.Client, name string)) func(w *redistest.World) {
		return func(w *redistest.World) {
			for _, name := range []string{"A", "B"} {
				w.Client(name, func(ctx context.Context, rdb *redis.Client) { program(ctx, w, rdb, name) })
			}
		}
	}
	locked := func(hold time.Duration) func(ctx context.Context, w *redistest.World, rdb *redis.Client, name string) {
		return func(ctx context.Context, w *redistest.World, rdb *redis.Client, name string) {
			if lock(ctx, rdb, name, lease) {
				w.Inside(ctx, "the section", func() { time.Sleep(hold) })
				withScript(ctx, rdb, name)
			}
		}
	}
	for name, c := range map[string]struct {
		scenario func(w *redistest.World)
		doubt    redistest.Doubt
		text     string
	}{
		"two wait for a lock that nobody releases": {two(func(ctx context.Context, _ *redistest.World, rdb *redis.Client, name string) {
			if lock(ctx, rdb, name, 0) {
				lock(ctx, rdb, name, 0)
			}
		}), redistest.Endless, "it repeats:"},
		"a storm": {two(func(ctx context.Context, _ *redistest.World, rdb *redis.Client, name string) {
			for range 4000 {
				rdb.PExpire(ctx, "lock:"+name, lease)
			}
		}), redistest.Endless, "it repeats:"},
		"nothing is asked":       {two(func(context.Context, *redistest.World, *redis.Client, string) {}), redistest.Idle, "A never asked a server for anything"},
		"nothing is entered":     {two(func(ctx context.Context, _ *redistest.World, rdb *redis.Client, _ string) { rdb.Get(ctx, "k") }), redistest.Missing, "no process has entered a section"},
		"all fails":              {two(func(ctx context.Context, _ *redistest.World, rdb *redis.Client, _ string) { rdb.Do(ctx, "SET", "k") }), redistest.Idle, "all that A ever got were errors"},
		"a section without time": {two(locked(0)), redistest.Uncontested, "no process that enters the section asked for anything while another was inside"},
		"a mistyped key": {func(w *redistest.World) {
			two(locked(work))(w)
			w.HasTTL("redis", "lok")
		}, redistest.Missing, "the key lok on redis was never there"},
		"what the scenario gets wrong": {func(w *redistest.World) {
			w.Do("redis", "SET", "limit")
			two(locked(work))(w)
		}, redistest.Missing, "the scenario asks SET limit and gets -ERR wrong number"},
		"a mistyped server": {func(w *redistest.World) {
			two(locked(work))(w)
			w.ReleasedByItsHolder("reds", "lock")
		}, redistest.Missing, "the server reds was never there"},
		"one who never gets there": {func(w *redistest.World) {
			two(locked(work))(w)
			w.Client("C", func(ctx context.Context, rdb *redis.Client) { rdb.Get(ctx, "lock") })
		}, redistest.Idle, "C never entered a section, and others did"},
	} {
		t.Run(name, func(t *testing.T) {
			bounds := redistest.Bounds{Schedules: 40}
			if name == "a storm" {
				bounds.Schedules = 4 // each has thousands of requests, and they repeat in the first one
			}
			v := redistest.Search(t, c.scenario, bounds)
			at := slices.IndexFunc(v.Doubts, func(f redistest.Found) bool { return f.Doubt == c.doubt && strings.Contains(f.Text, c.text) })
			if v.Broken != nil || v.Holds() || at < 0 || strings.HasPrefix(v.String(), "holds") {
				t.Fatal(v)
			}
			meant := func(w *redistest.World) {
				c.scenario(w)
				w.Allow(redistest.Endless, redistest.Uncontested, redistest.Missing, redistest.Idle, redistest.Chance)
			}
			if v := redistest.Search(t, meant, bounds); len(v.Doubts) > 0 {
				t.Errorf("it is meant to be so, and %v", v.Doubts)
			}
		})
	}
}
