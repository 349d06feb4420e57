package redistest_test

import (
	"context"
	crand "crypto/rand"
	"math/rand"
	randv2 "math/rand/v2"
	"slices"
	"strconv"
	"strings"
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

// What a process draws as a token, too, does not depend on what others have done before: else one order of requests that
// have nothing to do with each other would not stand for all.
func TestTokensDoNotDependOnOthers(t *testing.T) {
	var drawn [2]string
	scenario := func(w *redistest.World) {
		for i, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				rdb.Incr(ctx, name)
				drawn[i] = crand.Text()
				rdb.Incr(ctx, name)
			})
		}
		w.Check("A is a number", func() error { w.Do("redis", "GET", "A"); return nil })
	}
	redistest.Replay(t, scenario, redistest.Bounds{}, nil)
	expected := drawn
	redistest.Replay(t, scenario, redistest.Bounds{}, redistest.Schedule{{Step: 0, Choice: 1}})
	if drawn != expected || drawn[0] == drawn[1] {
		t.Errorf("first %q, then %q", expected, drawn)
	}
	if v := redistest.Search(t, scenario, redistest.Bounds{}); !strings.Contains(v.String(), "; random numbers of crypto/rand were the same each time\n") {
		t.Error(v)
	}
}

// Code that differs only in its times does not do the same either.
func TestChanceInTimesIsNoticed(t *testing.T) {
	for name, c := range map[string]struct{ sleep, lease int }{"a sleep": {sleep: 1000}, "a lease": {lease: 1000}} {
		t.Run(name, func(t *testing.T) {
			drawn := func(most int) time.Duration { return time.Duration(1000+randv2.IntN(most+1)) * time.Millisecond }
			v := redistest.Search(t, func(w *redistest.World) {
				for _, name := range []string{"A", "B"} {
					w.Client(name, func(ctx context.Context, rdb *redis.Client) {
						if rdb.SetNX(ctx, "lock", name, drawn(c.lease)).Val() {
							w.Inside(ctx, "the section", func() { time.Sleep(drawn(c.sleep)) })
							withScript(ctx, rdb, name)
						}
					})
				}
			}, redistest.Bounds{Crashes: 1})
			if v.Broken != nil || v.Strayed == 0 || !strings.Contains(v.String(), " before, and ") {
				t.Error(v)
			}
		})
	}
}

// What comes after the last choice is no other schedule's beginning, and must be the same each time, too.
func TestChanceAtTheEndIsNoticed(t *testing.T) {
	v := redistest.Search(t, func(w *redistest.World) {
		w.Client("A", func(ctx context.Context, rdb *redis.Client) { rdb.Incr(ctx, strconv.Itoa(randv2.Int())) })
		w.Eventually("there is a key", func() error {
			if w.Do("redis", "DBSIZE") != "1" {
				return errOld
			}
			return nil
		})
	}, redistest.Bounds{})
	if v.Strayed == 0 || v.Holds() {
		t.Error(v)
	}
}

// Allowed, what happens otherwise when a schedule is run twice keeps none from being run.
func TestChanceThatIsAllowedIsFollowed(t *testing.T) {
	runs := 0
	v := redistest.Search(t, func(w *redistest.World) {
		w.Allow(redistest.Chance, redistest.Missing)
		runs++
		last := "last of " + strconv.Itoa(runs)
		for _, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) { rdb.Append(ctx, "n", name) })
		}
		w.Client("C", func(ctx context.Context, rdb *redis.Client) {
			rdb.Append(ctx, "n", "C")
			rdb.Incr(ctx, last)
		})
	}, redistest.Bounds{})
	if v.Schedules < 6 || v.Strayed == 0 {
		t.Error(v)
	}
}

// A schedule that is left as another leads where it does is not run on to be run twice: which are depends on the processes
// that share the search, and on the time. Here it would be the second.
func TestWhatIsRunTwiceFindsNothingElse(t *testing.T) {
	v := redistest.Search(t, func(w *redistest.World) {
		for _, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				rdb.Incr(ctx, "of "+name)
				rdb.SetNX(ctx, "x", name, time.Hour)
			})
		}
		w.Eventually("it is A's", func() error {
			if w.Do("redis", "GET", "x") != "A" {
				return errOld
			}
			return nil
		})
	}, redistest.Bounds{})
	if want := (redistest.Schedule{{2, 1}}); !slices.Equal(v.Schedule, want) {
		t.Errorf("it is not %v:\n%s", want, v)
	}
}

// A context's deadline and that of a connection, which is made of it, come in the same order each time.
func TestDeadlinesComeInTheSameOrder(t *testing.T) {
	v := redistest.Search(t, func(w *redistest.World) {
		w.Allow(redistest.Missing)
		for _, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				heard := rdb.Subscribe(ctx, "released")
				defer func() { _ = heard.Close() }()
				for range 3 {
					rdb.Get(ctx, "lock")
					until, cancel := context.WithTimeout(ctx, 2*time.Second)
					_, _ = heard.ReceiveMessage(until)
					cancel()
				}
			})
		}
	}, redistest.Bounds{Drops: 1})
	if !v.Holds() {
		t.Error(v)
	}
}

// Searches of parallel tests draw the same numbers each time, too.
func TestParallelSearches(t *testing.T) {
	scenario := func(w *redistest.World) {
		w.Allow(redistest.Missing)
		for _, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				for range 2 {
					rdb.Incr(ctx, "of "+crand.Text())
					time.Sleep(time.Duration(50+rand.Intn(200)) * time.Millisecond)
					rdb.Incr(ctx, "all")
				}
			})
		}
	}
	for range 3 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			redistest.Explore(t, scenario, redistest.Bounds{})
		})
	}
}

// randomDelays is the scenario of clients that try again after a while that they draw.
func randomDelays(lease time.Duration) func(w *redistest.World) {
	return func(w *redistest.World) {
		for _, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				for range 32 {
					if rdb.SetNX(ctx, "lock", name, lease).Val() {
						w.Inside(ctx, "S", func() { time.Sleep(300 * time.Millisecond) })
						withScript(ctx, rdb, name)
						return
					}
					time.Sleep(time.Duration(50+rand.Intn(200)) * time.Millisecond)
				}
			})
		}
	}
}

// What is drawn is the same again when a schedule is replayed.
func TestRandomDelaysAreReplayed(t *testing.T) {
	scenario, bounds := randomDelays(2*time.Second), redistest.Bounds{Pauses: 1}
	v := redistest.Search(t, scenario, bounds)
	if v.Broken == nil || v.Schedules < 2 {
		t.Fatal(v)
	}
	if again := redistest.Replay(t, scenario, bounds, v.Schedule); again.String() != v.Story.String() {
		t.Errorf("it was\n%sand is\n%s", v.Story, again)
	}
}
