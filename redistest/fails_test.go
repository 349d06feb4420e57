package redistest_test

import (
	"context"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

// howItFails is the environment variable that has TestFailuresAreTold fail, in a program of its own.
const howItFails = "REDISTEST_FAILS"

// However the code under test fails, the test fails with the schedule and its story, and no other
// test is the worse for it.
func TestFailuresAreTold(t *testing.T) {
	outside := make(chan int)
	checked := func(check func() error) func(w *redistest.World) {
		return func(w *redistest.World) {
			fails(func() {})(w)
			w.Check("all is well", func() error {
				if w.Do("redis", "GET", "n") == "1" {
					return check()
				}
				return nil
			})
		}
	}
	ways := map[string]func(w *redistest.World){
		"Fatal":          fails(func() { t.Fatal("no") }),
		"Error":          fails(func() { t.Error("no") }),
		"panic":          fails(func() { panic("no") }),
		"outside":        fails(func() { <-outside }),
		"scenario panic": func(*redistest.World) { panic("no") },
		"scenario Fatal": func(w *redistest.World) { fails(func() {})(w); t.Fatal("no") },
		"names": func(w *redistest.World) {
			fails(func() {})(w)
			fails(func() {})(w)
		},
		"check panic": checked(func() error { panic("no") }),
		"check Fatal": checked(func() error { t.Fatal("no"); return nil }),
		"child": fails(func() {
			go func() { panic("no") }()
			time.Sleep(time.Second)
		}),
		"left": fails(func() { go func() { <-make(chan int) }() }),
		"pool": func(w *redistest.World) {
			for _, name := range []string{"A", "B"} {
				w.Process(name, func(ctx context.Context, p *redistest.Process) {
					rdb := ownClient(p, 1)
					defer func() { _ = rdb.Close() }()
					var all sync.WaitGroup
					for range 3 {
						all.Go(func() { rdb.Incr(ctx, "n") })
					}
					all.Wait()
				})
			}
		},
		"context": func(w *redistest.World) {
			for _, name := range []string{"A", "B"} {
				w.Client(name, func(_ context.Context, rdb *redis.Client) { rdb.Incr(t.Context(), "n") })
			}
		},
		"scenario waits": func(*redistest.World) { <-make(chan int) },
		"check waits":    checked(func() error { <-make(chan int); return nil }),
		"in a search":    func(*redistest.World) { redistest.Explore(t, fails(func() {}), redistest.Bounds{}) },
		"AtMost":         func(w *redistest.World) { w.AtMost("s", 0) },
		"exit":           fails(func() { os.Exit(3) }),
	}
	if how := os.Getenv(howItFails); how != "" {
		redistest.Explore(t, ways[how], redistest.Bounds{})
		return
	}
	const later, first, none = "redistest.Schedule{{0, 1}}: 0s B: incr n → 1", "redistest.Schedule{}: 0s A: incr n → 1", "redistest.Schedule{}: "
	for how, want := range map[string][2]string{
		"Fatal":          {"B ends by t.FailNow, t.Fatal or runtime.Goexit", later},
		"Error":          {"the code under test fails the test", later},
		"panic":          {"B panics: no", later},
		"outside":        {"somebody waits for something outside of the bubble", later},
		"scenario panic": {"the scenario panics: no", none},
		"scenario Fatal": {"the scenario ends by t.FailNow, t.Fatal or runtime.Goexit", none},
		"names":          {`there is a process "A" already`, none},
		"check panic":    {"an invariant panics: no", first},
		"check Fatal":    {"an invariant ends by t.FailNow, t.Fatal or runtime.Goexit", first},
		"child":          {"a goroutine that the code under test has started ends the program, as is told above panic: no", later},
		"left":           {"the code under test leaves a goroutine behind, which never ends: goroutine ", later},
		"pool":           {"so let PoolSize be larger", "found in redistest.Schedule{"},
		"context":        {"as t.Context(), does, so use the one that the program is given", "redistest.Schedule{"},
		"scenario waits": {"the scenario waits for ever: goroutine ", none},
		"check waits":    {"an invariant waits for ever: goroutine ", first},
		"in a search":    {"call Search, Explore and Replay outside of synctest.Test and of scenarios", none},
		"AtMost":         {"AtMost lets 0 processes into s, and must let in one at least", none},
		"exit":           {"the code under test ends the program, as os.Exit and log.Fatal do", later},
	} {
		t.Run(how, func(t *testing.T) {
			again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^(TestFailuresAreTold|TestWhoHungUpTakesNothing)$", "-test.v") //nolint:gosec // it is this program
			folder := t.TempDir()
			again.Env = append(os.Environ(), howItFails+"="+how, "TMPDIR="+folder)
			out, err := again.CombinedOutput()
			text := strings.Join(strings.Fields(string(out)), " ")
			for _, want := range append(want[:], "--- FAIL: TestFailuresAreTold", "--- PASS: TestWhoHungUpTakesNothing") {
				if err == nil || !strings.Contains(text, want) {
					t.Errorf("%v, not %s:\n%s", err, want, out)
				}
			}
			if !strings.HasSuffix(text, " FAIL") {
				t.Errorf("the program does not end with FAIL, as go test has it:\n%s", out)
			}
			if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
				t.Errorf("%v are left behind: %v", left, err)
			}
		})
	}
}

// A search, and code that never stops, end before the test's deadline.
func TestTheDeadlineIsKept(t *testing.T) {
	spins := fails(func() {
		for n := 0; ; n++ {
			_ = n
		}
	})
	polls := fails(func() {
		for {
			time.Sleep(time.Microsecond)
		}
	})
	switch os.Getenv(howItFails) {
	case "polls":
		redistest.Explore(t, polls, redistest.Bounds{})
		return
	case "many":
		redistest.Explore(t, setNX(lease, withScript), redistest.Bounds{Ticks: 3, Drops: 3, Slow: 1})
		return
	case "spins":
		redistest.Explore(t, spins, redistest.Bounds{})
		return
	}
	for how, want := range map[string]string{
		"many":  "there are more within the bounds, and no time for them before the test's deadline",
		"spins": "somebody never stops, and waits for nothing, so that no time passes",
		"polls": "somebody never stops, or wakes up again and again while up to 192h0m0s pass",
	} {
		again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTheDeadlineIsKept$", "-test.v", "-test.timeout=4s") //nolint:gosec // it is this program
		again.Env = append(os.Environ(), howItFails+"="+how)
		out, err := again.CombinedOutput()
		if text := string(out); !strings.Contains(text, want) || strings.Contains(text, "test timed out") || (err == nil) != (how == "many") {
			t.Errorf("%s: %v:\n%s", how, err, out)
		}
	}
}

// ownClient is a client as code under test may make it.
func ownClient(p *redistest.Process, connections int) *redis.Client {
	return redis.NewClient(&redis.Options{
		Addr: "localhost:6379", PoolSize: connections,
		Dialer: func(ctx context.Context, _, _ string) (net.Conn, error) { return p.Dial(ctx, "redis") },
	})
}

// A name is looked up in each schedule.
func TestNamesAreLookedUp(t *testing.T) {
	redistest.Explore(t, func(w *redistest.World) {
		w.Allow(redistest.Missing)
		for _, name := range []string{"A", "B"} {
			w.Process(name, func(ctx context.Context, p *redistest.Process) {
				rdb := ownClient(p, 10)
				defer func() { _ = rdb.Close() }()
				rdb.Incr(ctx, "n")
			})
		}
	}, redistest.Bounds{})
}

var shared sync.Mutex

// A mutex may outlive a schedule.
func TestAMutexOfAPackageIsHeldAcrossARequest(t *testing.T) {
	redistest.Explore(t, func(w *redistest.World) {
		w.Allow(redistest.Missing)
		w.Client("A", func(ctx context.Context, rdb *redis.Client) {
			var all sync.WaitGroup
			for range 2 {
				all.Go(func() {
					shared.Lock()
					defer shared.Unlock()
					rdb.Incr(ctx, "n")
				})
			}
			all.Wait()
		})
	}, redistest.Bounds{})
}

// What never ends does not go on behind the tests that follow.
func TestWhatIsGivenUpStandsStill(t *testing.T) {
	var seconds atomic.Int64
	v := redistest.Search(t, func(w *redistest.World) {
		w.Client("A", func(ctx context.Context, rdb *redis.Client) {
			for rdb.Incr(ctx, "n"); ; seconds.Add(1) {
				time.Sleep(time.Second)
			}
		})
	}, redistest.Bounds{})
	if v.Broken == nil || !strings.Contains(v.Broken.Error(), "nobody waits for ever: [A] wait") {
		t.Error(v)
	}
	for was := int64(-1); was != seconds.Load(); time.Sleep(20 * time.Millisecond) {
		was = seconds.Load()
	}
}

// fails has B fail when it comes first.
func fails(how func()) func(w *redistest.World) {
	return func(w *redistest.World) {
		for _, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				if rdb.Incr(ctx, "n").Val() == 1 && name == "B" {
					how()
				}
			})
		}
	}
}
