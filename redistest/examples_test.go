package redistest_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/lessons"
	"lockstep/lessons/decode"
	"lockstep/redistest"
)

const (
	lease = 5 * time.Second
	work  = 1500 * time.Millisecond
)

var errOld = errors.New("an older token wrote after a newer one")

// lock takes the lock with SET NX, trying again each second; false when the schedule is over.
func lock(ctx context.Context, rdb *redis.Client, owner string, lease time.Duration) bool {
	for {
		ok, err := rdb.SetNX(ctx, "lock", owner, lease).Result()
		if ok || err != nil {
			return ok
		}
		time.Sleep(time.Second)
	}
}

var compareAndDelete = redis.NewScript(`if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end return 0`)

type release func(ctx context.Context, rdb *redis.Client, owner string)

func withGetAndDel(ctx context.Context, rdb *redis.Client, owner string) {
	if rdb.Get(ctx, "lock").Val() == owner {
		rdb.Del(ctx, "lock")
	}
}

func withScript(ctx context.Context, rdb *redis.Client, owner string) {
	compareAndDelete.Run(ctx, rdb, []string{"lock"}, owner)
}

// setNX is the scenario of two clients and a lock of one key.
func setNX(lease time.Duration, release release) func(w *redistest.World) {
	return func(w *redistest.World) {
		for _, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				if lock(ctx, rdb, name, lease) {
					w.Inside(ctx, "the section", func() { time.Sleep(work) })
					release(ctx, rdb, name)
				}
			})
		}
		w.ReleasedByItsHolder("redis", "lock")
	}
}

// fenced is the scenario of a store that takes no token older than the newest it has seen.
func fenced(compared bool) func(w *redistest.World) {
	return func(w *redistest.World) {
		store := redis.NewScript(`if ARGV[3] == "1" and tonumber(ARGV[1]) < tonumber(redis.call("HGET", KEYS[1], "token") or 0) then return 0 end
			redis.call("HSET", KEYS[1], "token", ARGV[1], "by", ARGV[2]) return 1`)
		flag := "0"
		if compared {
			flag = "1"
		}
		for _, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				if !lock(ctx, rdb, name, lease) {
					return
				}
				token, err := rdb.Incr(ctx, "tokens").Result()
				if err == nil {
					store.Eval(ctx, rdb, []string{"file"}, token, name, flag)
				}
			})
		}
		newest := "nil"
		w.Check("the newest token wins", func() error {
			was := newest
			newest = w.Do("redis", "HGET", "file", "token")
			if was == "2" && newest == "1" {
				return errOld
			}
			return nil
		})
	}
}

// woken is the scenario of a client that waits for a word of another one.
func woken(w *redistest.World) {
	w.Client("A", func(ctx context.Context, rdb *redis.Client) {
		time.Sleep(time.Second)
		rdb.RPush(ctx, "word", "go")
	})
	w.Client("B", func(ctx context.Context, rdb *redis.Client) { rdb.BLPop(ctx, 0, "word") })
}

// abandoned is the scenario of a client that hangs up while it waits for a word.
func abandoned(w *redistest.World) {
	w.Process("A", func(ctx context.Context, p *redistest.Process) {
		conn, err := p.Dial(ctx, "redis")
		if err == nil {
			_, _ = conn.Write([]byte("BLPOP word 0\r\n"))
			time.Sleep(time.Second)
			_ = conn.Close()
		}
	})
	w.Client("B", func(ctx context.Context, rdb *redis.Client) {
		time.Sleep(2 * time.Second)
		rdb.RPush(ctx, "word", "go")
	})
}

// guide is the scenario of docs/REDISTEST.md.
func guide(w *redistest.World) {
	for _, name := range []string{"A", "B"} {
		w.Client(name, func(ctx context.Context, rdb *redis.Client) {
			if ok, _ := rdb.SetNX(ctx, "lock", name, 2*time.Second).Result(); !ok {
				return
			}
			w.Inside(ctx, "the section", func() { time.Sleep(time.Second) })
			if rdb.Get(ctx, "lock").Val() == name {
				rdb.Del(ctx, "lock")
			}
		})
	}
	w.ReleasedByItsHolder("redis", "lock")
}

// withoutTTL is the scenario of a lock that stays when its holder dies.
func withoutTTL(w *redistest.World) {
	w.Client("A", func(ctx context.Context, rdb *redis.Client) { lock(ctx, rdb, "A", 0) })
	w.HasTTL("redis", "lock")
}

func TestLocksThatBreak(t *testing.T) {
	for name, c := range map[string]struct {
		scenario func(w *redistest.World)
		bounds   redistest.Bounds
		broken   string
		rule     string // of the lesson
	}{
		"released with GET and DEL":        {setNX(lease, withGetAndDel), redistest.Bounds{Ticks: 2}, "released by its holder: A took away the lock of B", "released-by-its-holder"},
		"lease shorter than the work":      {setNX(500*time.Millisecond, withScript), redistest.Bounds{}, "mutual exclusion: A and B are inside the section at the same time", "mutual-exclusion"},
		"paused with the lock":             {setNX(lease, withScript), redistest.Bounds{Pauses: 1}, "mutual exclusion", "mutual-exclusion"},
		"the guide":                        {guide, redistest.Bounds{Ticks: 2}, "released by its holder", "released-by-its-holder"},
		"a lock without a TTL":             {withoutTTL, redistest.Bounds{}, "no lock without TTL: lock has no TTL", "the-key-expires"},
		"the one who wakes others crashes": {woken, redistest.Bounds{Crashes: 1}, "nobody waits for ever: [B] wait", ""},
		"the server forgets":               {setNX(lease, withScript), redistest.Bounds{Restarts: 1}, "mutual exclusion", "mutual-exclusion"},
		"tokens that nobody compares":      {fenced(false), redistest.Bounds{Pauses: 1}, "the newest token wins", ""},
	} {
		t.Run(name, func(t *testing.T) {
			v := redistest.Search(t, c.scenario, c.bounds)
			t.Log(v)
			if v.Broken == nil || !strings.HasPrefix(v.Broken.Error(), c.broken) {
				t.Fatalf("it broke with %v, not with %s", v.Broken, c.broken)
			}
			again := redistest.Replay(t, c.scenario, c.bounds, v.Schedule)
			same := func(a, b redistest.Event) bool { return a.At == b.At && len(a.Text) == len(b.Text) } // tokens differ
			if !slices.EqualFunc(again, v.Story, same) {
				t.Errorf("replayed, it is another story:\n%s", again)
			}
			playsAsALesson(t, v, c.rule)
		})
	}
}

// playsAsALesson writes what broke as a lesson, and plays it: it ends with the break of the rule.
func playsAsALesson(t *testing.T, v redistest.Verdict, rule string) {
	t.Helper()
	dir := t.TempDir()
	if err := v.WriteLesson(dir); err != nil {
		t.Fatal(err)
	}
	all, err := decode.Library{FS: os.DirFS(dir)}.All()
	if err != nil || len(all) != 1 {
		t.Fatalf("there are %d lessons: %v", len(all), err)
	}
	report, err := lessons.Check(t.Context(), all[0], all[0].Open(lessons.Embedded))
	if problems := report.Problems.Of(lessons.Error); err != nil || len(problems) > 0 {
		t.Fatalf("%v\n%v\n%s", err, problems, all[0].YAML)
	}
	last := ""
	for _, b := range report.Trace.Steps[len(report.Trace.Steps)-1].Broken {
		last += b.Invariant
	}
	if last != rule {
		t.Errorf("its end breaks %q, not %q\n%s", last, rule, all[0].YAML)
	}
	if told, shown := replies(v), repliesOf(report.Trace); !slices.Equal(told, shown) {
		t.Errorf("the replies are\n%q, not\n%q\n%s", shown, told, all[0].YAML)
	}
}

// replies are those to the requests of a story that are one line.
func replies(v redistest.Verdict) (all []string) {
	for _, e := range v.Story {
		if _, r, ok := strings.Cut(e.Text, " → "); ok && !strings.Contains(r, "NOSCRIPT") {
			r, _, _ = strings.Cut(r, ", ")
			all = append(all, r)
		}
	}
	return all
}

func repliesOf(trace *engine.Trace) (all []string) {
	for _, s := range trace.Steps {
		if s.Taken {
			continue
		}
		switch r := s.Reply; {
		case r != nil && r.Kind == reply.Bulk:
			all = append(all, r.Str)
		case r != nil:
			all = append(all, strings.TrimPrefix(r.String(), "(error) "))
		case s.NoReply != "":
			all = append(all, "no reply")
		}
	}
	return all
}

// Where there are too many schedules to run them all, random walks find what is deep, and
// tell it with nothing in it that is not needed.
func TestRandomWalksFindWhatIsDeep(t *testing.T) {
	b := redistest.Bounds{Ticks: 2, Schedules: 20, Walks: 5000, Seed: 7}
	v := redistest.Search(t, guide, b)
	if v.Broken == nil || v.Walks == 0 || len(v.Schedule) > 4 || !strings.Contains(v.String(), "random walk") {
		t.Fatal(v)
	}
	if again := redistest.Search(t, guide, b); again.String() != v.String() {
		t.Errorf("the same seed finds\n%s and\n%s", v, again)
	}
	b = redistest.Bounds{Ticks: 1, Schedules: 20, Walks: 30}
	if v := redistest.Search(t, setNX(lease, withScript), b); v.Broken != nil || v.Complete || !strings.HasPrefix(v.String(), "nothing broke in 20 schedules and 30 random walks; there are more") {
		t.Error(v)
	}
}

// A watchdog that does not ask whose the lock is prolongs the lease of whoever has it now.
func TestAWatchdogThatDoesNotAskWhoseTheLockIs(t *testing.T) {
	watched := func(renew func(ctx context.Context, rdb *redis.Client, name string)) func(w *redistest.World) {
		return func(w *redistest.World) {
			for _, name := range []string{"A", "B"} {
				w.Client(name, func(ctx context.Context, rdb *redis.Client) {
					if ok, _ := rdb.SetNX(ctx, "lock", name, lease).Result(); ok {
						time.Sleep(lease / 3)
						renew(ctx, rdb, name)
					}
				})
			}
			w.RenewedByItsHolder("redis", "lock")
		}
	}
	blind := watched(func(ctx context.Context, rdb *redis.Client, _ string) { rdb.PExpire(ctx, "lock", lease) })
	asks := watched(func(ctx context.Context, rdb *redis.Client, name string) {
		rdb.Eval(ctx, `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0`, []string{"lock"}, name, lease.Milliseconds())
	})
	b := redistest.Bounds{Pauses: 1, Ticks: 1}
	v := redistest.Search(t, blind, b)
	if v.Broken == nil || v.Broken.Error() != "renewed by its holder: A renewed the lock of B" {
		t.Error(v)
	}
	playsAsALesson(t, v, "renewed-by-its-holder")
	if v := redistest.Search(t, asks, b); !v.Complete {
		t.Error(v)
	}
}

func TestLocksThatHold(t *testing.T) {
	for name, c := range map[string]struct {
		scenario func(w *redistest.World)
		bounds   redistest.Bounds
	}{
		"released with a script":               {setNX(lease, withScript), redistest.Bounds{Ticks: 1}},
		"released with a script, after a loss": {setNX(lease, withScript), redistest.Bounds{Losses: 1}},
		"pauses shorter than the lease":        {setNX(lease, withScript), redistest.Bounds{Pauses: 1, LongestPause: lease - work - time.Second}},
		"tokens that are compared":             {fenced(true), redistest.Bounds{Pauses: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			v := redistest.Search(t, c.scenario, c.bounds)
			t.Log(v)
			if !v.Holds() || v.Schedules < 10 {
				t.Error(v)
			}
		})
	}
}

// A server learns that a client has hung up, and serves it no more.
func TestWhoHungUpTakesNothing(t *testing.T) {
	left := ""
	v := redistest.Search(t, func(w *redistest.World) {
		abandoned(w)
		w.Check("", func() error {
			left = w.Do("redis", "LLEN", "word")
			return nil
		})
	}, redistest.Bounds{Steps: 5, Schedules: 1})
	if v.Broken != nil || left != "1" {
		t.Errorf("%s are left: %v", left, v)
	}
}

// docs/REDISTEST.md shows what go test says of its scenario.
func TestTheGuideTellsItsStory(t *testing.T) {
	text, err := os.ReadFile("../docs/REDISTEST.md")
	if err != nil {
		t.Fatal(err)
	}
	if v := redistest.Search(t, guide, redistest.Bounds{Ticks: 2}); !strings.Contains(string(text), "\n```\n"+v.String()+"```\n") {
		t.Errorf("docs/REDISTEST.md does not show this:\n%s", v)
	}
}
