package redistest

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// A request is in the story as a whole, in however many parts it is written.
func TestRequestsArriveWhole(t *testing.T) {
	story := Replay(t, func(w *World) {
		w.Process("A", func(ctx context.Context, p *Process) {
			conn, err := p.Dial(ctx, "redis")
			if err != nil {
				return
			}
			for _, part := range []string{"*3\r\n$3\r\nSET\r\n$4\r\nlo", "ck\r\n$0\r\n\r\n", "GET lock\r\nTTL ", "lock\r\n", "*1\r\n$x\r\n"} {
				_, _ = conn.Write([]byte(part))
				time.Sleep(time.Second)
			}
		})
	}, Bounds{}, nil)
	var got []string
	for _, e := range story {
		got = append(got, e.Text)
	}
	want := []string{`A: SET lock "" → OK`, `A: GET lock; TTL lock → ""`, "A: (not RESP) → -ERR Protocol error: invalid bulk length"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}

func TestRepliesAreShown(t *testing.T) {
	for data, want := range map[string]string{
		"+OK\r\n": "OK", ":7\r\n": "7", "$-1\r\n": "nil", "_\r\n": "nil", "*-1\r\n": "nil", "$2\r\nab\r\n": "ab", "$0\r\n\r\n": `""`,
		"*2\r\n:1\r\n:2\r\n": "[2]", "-ERR no\r\n": "-ERR no", "": "no reply", "$9\r\nab": "ab",
	} {
		if got := shownReply(data); got != want {
			t.Errorf("%q is shown as %q, not %q", data, got, want)
		}
	}
}

// Code that does not do the same each time is told so.
func TestChanceIsNoticed(t *testing.T) {
	var runs atomic.Int64
	scenario := func(w *World) {
		n := runs.Add(1)
		for _, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				if n%2 == 0 {
					rdb.Get(ctx, "x")
				}
				rdb.Incr(ctx, "n")
			})
		}
	}
	v := Search(t, scenario, Bounds{Steps: 10})
	if !doubted(v, Chance) || v.Holds() || !strings.Contains(v.String(), "did not do the same each time") {
		t.Error(v)
	}
}

// doubted tells whether a verdict has a doubt.
func doubted(v Verdict, d Doubt) bool {
	return slices.ContainsFunc(v.Doubts, func(f Found) bool { return f.Doubt == d })
}

// A schedule that goes on and on is cut, and said to be.
func TestPollingForEverIsCut(t *testing.T) {
	v := Search(t, func(w *World) {
		w.Client("A", func(ctx context.Context, rdb *redis.Client) {
			for errors.Is(rdb.Get(ctx, "never").Err(), redis.Nil) {
				time.Sleep(time.Second)
			}
		})
	}, Bounds{Steps: 5})
	if v.Broken != nil || v.Complete || v.Cut != 1 || v.Holds() || !doubted(v, Endless) || !strings.Contains(v.String(), "it repeats:\n       19s  A: get never → nil\n") {
		t.Error(v)
	}
}

// What happens after the last step that is varied is no proof, and the verdict says so.
func TestTheVerdictSaysWhereNothingWasVaried(t *testing.T) {
	twice := func(w *World) {
		w.Allow(Missing)
		for _, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				rdb.Incr(ctx, "k")
				rdb.Incr(ctx, "k")
			})
		}
	}
	if v := Search(t, twice, Bounds{Steps: 2}); v.Complete || v.Beyond == 0 || !strings.Contains(v.String(), "nothing was varied after step 2 in ") {
		t.Error(v)
	}
	if v := Search(t, twice, Bounds{}); !v.Complete || v.Beyond != 0 || !strings.HasPrefix(v.String(), "holds: ") || strings.Contains(v.String(), "varied") {
		t.Error(v)
	}
}

// Who dies inside a section is not inside any more: its lock ends with its lease.
func TestACrashLeavesTheSection(t *testing.T) {
	v := Search(t, func(w *World) {
		for _, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				for {
					ok, err := rdb.SetNX(ctx, "lock", name, 5*time.Second).Result()
					if err != nil {
						return
					}
					if ok {
						break
					}
					time.Sleep(time.Second)
				}
				w.Inside(ctx, "the section", func() { rdb.Incr(ctx, "work") })
				rdb.Del(ctx, "lock")
			})
		}
	}, Bounds{Crashes: 1})
	if v.Broken != nil || !v.Complete {
		t.Error(v)
	}
}

// While a process is paused and nothing else ever happens, time does not pass again and again:
// the process goes on.
func TestAPausedProcessGoesOnWhenAllElseRests(t *testing.T) {
	v := Search(t, func(w *World) {
		w.Client("A", func(ctx context.Context, rdb *redis.Client) {
			rdb.Incr(ctx, "n")
			rdb.RPush(ctx, "q", "item")
		})
		w.Client("B", func(ctx context.Context, rdb *redis.Client) { rdb.BLPop(ctx, 0, "q") })
	}, Bounds{Pauses: 1})
	if v.Broken != nil || !v.Complete || v.Cut > 0 {
		t.Error(v)
	}
}

// A context that is not the process's own is a mistake of the scenario, and fails its test.
func TestInsideNeedsTheContextOfItsProcess(t *testing.T) {
	if os.Getenv("MISTAKE") != "" {
		Explore(t, func(w *World) {
			w.Client("A", func(context.Context, *redis.Client) { w.Inside(context.Background(), "the section", func() {}) })
		}, Bounds{})
		return
	}
	test := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	test.Env = append(os.Environ(), "MISTAKE=1")
	out, err := test.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "--- FAIL: "+t.Name()) || !strings.Contains(string(out), "Inside needs the context") {
		t.Errorf("%v\n%s", err, out)
	}
	if strings.Contains(string(out), "panic") {
		t.Errorf("it panics:\n%s", out)
	}
}

// What a random walk has found is replayed to its end, though a search ends a schedule that comes to the same as another one.
func TestAReplayComesToItsEnd(t *testing.T) {
	defer beginAlone()()
	one := newSearch(t, func(w *World) {
		w.Client("A", func(ctx context.Context, rdb *redis.Client) { rdb.BLPop(ctx, time.Second, "none") })
		w.Client("B", func(ctx context.Context, rdb *redis.Client) {
			rdb.Incr(ctx, "n")
			rdb.Incr(ctx, "n")
		})
	}, Bounds{Outages: 1, Hangs: 1, Pauses: 1, Losses: 1})
	defer one.diary.close()
	for i := 0; ; i++ {
		r := one.play(planned{schedule: Schedule{{1, i}}, alone: true})
		if r.stray != nil {
			return
		}
		if r.blocked {
			t.Errorf("choice %d:\n%s", i, r.story)
		}
	}
}
