package redistest_test

import (
	"context"
	"errors"
	"net"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

// An outage may be over between any two of the attempts of who tries again, though nobody else asks for anything.
func TestAnOutageLastsForSomeAttempts(t *testing.T) {
	for name, client := range map[string]func(ctx context.Context, p *redistest.Process) func() bool{
		"go-redis": func(ctx context.Context, p *redistest.Process) func() bool {
			rdb := p.Redis("redis")
			return func() bool { return rdb.Incr(ctx, "n").Err() == nil }
		},
		"another client": func(ctx context.Context, p *redistest.Process) func() bool {
			return func() bool {
				conn, err := p.Dial(ctx, "redis")
				if err == nil {
					_, _ = conn.Write([]byte("INCR n\r\n"))
					_, err = conn.Read(make([]byte, 10))
				}
				return err == nil
			}
		},
	} {
		seen := map[string]bool{}
		v := redistest.Search(t, func(w *redistest.World) {
			said := ""
			w.Process("A", func(ctx context.Context, p *redistest.Process) {
				ask := client(ctx, p)
				for range 4 {
					if ask() {
						said += "y"
					} else {
						said += "n"
					}
					time.Sleep(time.Second)
				}
			})
			w.Eventually("it is counted", func() error {
				seen[said] = true
				w.Do("redis", "GET", "n")
				return nil
			})
		}, redistest.Bounds{Outages: 1})
		for _, want := range []string{"yyyy", "nyyy", "nnyy", "nnny", "nnnn", "ynyy", "ynny", "ynnn", "yyny", "yynn", "yyyn"} {
			if !seen[want] {
				t.Errorf("%s: none of the attempts are %s: %v %s", name, want, seen, v)
			}
		}
	}
}

// Who tries nothing again peeks at a connection before that is used again, and has another one if the server has started
// again: what it asks is performed then, though the lock is not its own any more.
func TestWhoPeeksAtAConnectionNeedsNoSecondAttempt(t *testing.T) {
	v := redistest.Search(t, func(w *redistest.World) {
		for _, name := range []string{"A", "B"} {
			w.Process(name, func(ctx context.Context, p *redistest.Process) {
				dial := func(ctx context.Context, _, _ string) (net.Conn, error) { return p.Dial(ctx, "redis") }
				rdb := redis.NewClient(&redis.Options{Addr: "127.0.0.1:6379", MaxRetries: -1, PoolSize: 100, Dialer: dial})
				defer func() { _ = rdb.Close() }()
				time.Sleep(map[string]time.Duration{"B": time.Second}[name])
				if rdb.SetNX(ctx, "lock", name, time.Minute).Val() {
					time.Sleep(2 * time.Second)
					rdb.Del(ctx, "lock")
				}
			})
		}
		w.ReleasedByItsHolder("redis", "lock")
	}, redistest.Bounds{Restarts: 1})
	if v.Broken == nil {
		t.Error(v)
	}
}

// Who peeks at a connection sees whether there is something to read.
func TestWhatOnePeeksAt(t *testing.T) {
	v := redistest.Search(t, func(w *redistest.World) {
		w.Process("A", func(ctx context.Context, p *redistest.Process) {
			conn, _ := p.Dial(ctx, "redis")
			peek := func() string {
				raw, _ := conn.(syscall.Conn).SyscallConn()
				found := "nothing"
				if err := raw.Read(func(uintptr) bool { found = "something"; return true }); err != nil {
					found = err.Error()
				}
				return found
			}
			before := peek()
			_, _ = conn.Write([]byte("GET x\r\n"))
			time.Sleep(time.Second)
			unread := peek()
			_, _ = conn.Read(make([]byte, 100))
			if after := peek(); before != "nothing" || unread != "something" || after != "nothing" {
				t.Errorf("at first there is %s, then %s, and in the end %s", before, unread, after)
			}
		})
		w.HasTTL("redis", "x")
		w.Allow(redistest.Missing)
	}, redistest.Bounds{})
	if v.Broken != nil {
		t.Error(v)
	}
}

// Who is refused is told, once in an outage.
func TestWhoIsRefusedIsTold(t *testing.T) {
	v := redistest.Search(t, func(w *redistest.World) {
		w.Client("A", func(ctx context.Context, rdb *redis.Client) { rdb.Set(ctx, "k", 1, 0) })
		w.Eventually("k is there", func() error {
			if w.Do("redis", "EXISTS", "k") != "1" {
				return errors.New("it is not")
			}
			return nil
		})
	}, redistest.Bounds{Outages: 1})
	if v.Broken == nil || strings.Count(v.Story.String(), "A: redis refuses the connection\n") != 1 {
		t.Error(v)
	}
}

// Who is paused or dead when a server ends its connections learns of it later, and ends.
func TestWhoIsPausedLearnsOfAnOutage(t *testing.T) {
	for _, b := range []redistest.Bounds{{Pauses: 1, Outages: 1}, {Pauses: 1, Restarts: 1}, {Crashes: 1, Outages: 1}, {Crashes: 1, Restarts: 1}} {
		v := redistest.Search(t, func(w *redistest.World) {
			w.Client("A", func(ctx context.Context, rdb *redis.Client) { rdb.BLPop(ctx, time.Minute, "word") })
			w.Client("B", func(ctx context.Context, rdb *redis.Client) { rdb.RPush(ctx, "word", "go") })
			w.HasTTL("redis", "no word")
			w.Allow(redistest.Missing)
		}, b)
		if !v.Holds() {
			t.Error(v)
		}
	}
}

// While a server hangs, it does not even tell who waits for an item that there is none.
func TestAServerThatHangsEndsNoWait(t *testing.T) {
	v := redistest.Search(t, func(w *redistest.World) {
		var waited, asked time.Duration
		w.Client("A", func(ctx context.Context, rdb *redis.Client) {
			begin := time.Now()
			rdb.BLPop(ctx, time.Second, "word")
			waited = time.Since(begin)
		})
		w.Client("B", func(ctx context.Context, rdb *redis.Client) {
			time.Sleep(500 * time.Millisecond)
			begin := time.Now()
			rdb.Exists(ctx, "word")
			asked = time.Since(begin)
			time.Sleep(2 * time.Second)
			rdb.Exists(ctx, "word")
		})
		w.Eventually("A waits for a second", func() error {
			w.Do("redis", "LLEN", "word")
			if waited > 1100*time.Millisecond && asked < time.Millisecond { // so it hung after BLPOP was performed
				return errors.New("it does not")
			}
			return nil
		})
		w.Allow(redistest.Missing)
	}, redistest.Bounds{Hangs: 1})
	if v.Broken == nil || len(v.Schedule) != 1 {
		t.Error(v)
	}
}

// A server may come to its end once it has performed a request and before the reply is there: whoever asks again is told
// no, and has the lock.
func TestAReplyMayGetLostWithItsServer(t *testing.T) {
	for name, b := range map[string]redistest.Bounds{"n1 goes away": {Outages: 1}, "n1 is gone, and n2 takes over": {Failovers: 1}} {
		v := redistest.Search(t, func(w *redistest.World) {
			w.Sentinel("n1", "n2")
			got := true
			w.Process("A", func(ctx context.Context, p *redistest.Process) {
				got = p.Sentinel().SetNX(ctx, "lock", "A", 0).Val()
			})
			w.Eventually("who was told no has no lock", func() error {
				if w.Do("n1", "GET", "lock") == "A" && !got {
					return errors.New("A has")
				}
				return nil
			})
		}, b)
		if v.Broken == nil || len(v.Schedule) != 1 || !strings.Contains(v.Story.String(), "before the reply is there\n") || !strings.Contains(v.Story.String(), name) || v.WriteLesson(t.TempDir()) == nil {
			t.Errorf("%s: %s", name, v)
		}
	}
}

// A server that hangs may come to its end without having said what it has performed: who takes the time of the error for that of
// its lease is late.
func TestAServerThatHangsMayComeToItsEnd(t *testing.T) {
	for name, b := range map[string]redistest.Bounds{
		"n1 goes away": {Hangs: 1, Outages: 1}, "n1 is gone, and n2 takes over": {Hangs: 1, Failovers: 1},
		"A: the connection breaks before what n1 owes it is there": {Hangs: 1, Losses: 1},
	} {
		v := redistest.Search(t, func(w *redistest.World) {
			w.Sentinel("n1", "n2")
			late := false
			w.Process("A", func(ctx context.Context, p *redistest.Process) {
				conn, err := p.Dial(ctx, "n1")
				if err != nil {
					return
				}
				_, _ = conn.Write([]byte("SET lock A EX 5\r\n"))
				_, err = conn.Read(make([]byte, len("+OK\r\n")))
				left, _ := strconv.Atoi(w.Do("n1", "PTTL", "lock"))
				late = err != nil && 0 < left && left < 4000
			})
			w.Process("B", func(ctx context.Context, p *redistest.Process) {
				time.Sleep(2 * time.Second)
				p.Sentinel().Get(ctx, "lock")
			})
			w.Eventually("what is left of the lease is not much less", func() error {
				if w.Do("n1", "GET", "lock"); late {
					return errors.New("it is")
				}
				return nil
			})
		}, b)
		if v.Broken == nil || len(v.Schedule) != 2 || !strings.Contains(v.Story.String(), name) {
			t.Errorf("%s: %s", name, v)
		}
	}
}

// A server that begins to hang may have told those who wait and not yet who asked, or who asked and not yet those who wait: what both
// do after some time is not done in the order that they count on.
func TestAServerThatHangsHasToldSome(t *testing.T) {
	inside := func(ctx context.Context, w *redistest.World) {
		time.Sleep(3 * time.Second)
		w.Inside(ctx, "S", func() { time.Sleep(time.Second) })
	}
	for name, c := range map[string]struct {
		asks, waits func(ctx context.Context, w *redistest.World, hear func() bool)
	}{
		"those who wait": {
			func(ctx context.Context, w *redistest.World, hear func() bool) { w.Inside(ctx, "S", func() { hear() }) },
			func(ctx context.Context, w *redistest.World, hear func() bool) {
				if hear() {
					inside(ctx, w)
				}
			},
		},
		"who asked": {
			func(ctx context.Context, w *redistest.World, hear func() bool) {
				if hear() {
					inside(ctx, w)
				}
			},
			func(ctx context.Context, w *redistest.World, hear func() bool) {
				if hear() {
					w.Inside(ctx, "S", func() { time.Sleep(time.Second) })
				}
			},
		},
	} {
		scenario := func(w *redistest.World) {
			w.Client("A", func(ctx context.Context, rdb *redis.Client) {
				time.Sleep(time.Second)
				c.asks(ctx, w, func() bool { return rdb.RPush(ctx, "word", "go").Err() == nil })
			})
			w.Client("B", func(ctx context.Context, rdb *redis.Client) {
				c.waits(ctx, w, func() bool { return rdb.BLPop(ctx, time.Minute, "word").Err() == nil })
			})
			w.Allow(redistest.Uncontested)
		}
		if v := redistest.Search(t, scenario, redistest.Bounds{}); !v.Holds() {
			t.Errorf("%s, and nothing hangs: %s", name, v)
		}
		if v := redistest.Search(t, scenario, redistest.Bounds{Hangs: 1, LongestPause: 4 * time.Second}); v.Broken == nil || len(v.Schedule) > 2 {
			t.Errorf("%s: %s", name, v)
		}
	}
}

// Who waits for a job may be given one as the server comes to its end, and not hear of it, though who has brought it hears that
// it is there.
func TestWhatAServerGivesMayGetLostWithIt(t *testing.T) {
	for name, b := range map[string]redistest.Bounds{"goes away": {Outages: 1}, "starts again, empty": {Restarts: 1}, "takes over": {Failovers: 1}} {
		v := redistest.Search(t, func(w *redistest.World) {
			w.Sentinel("n1", "n2")
			done, brought := false, false
			w.Process("A", func(ctx context.Context, p *redistest.Process) {
				for range 2 {
					done = done || p.Sentinel().BLPop(ctx, 30*time.Second, "jobs").Err() == nil
				}
			})
			w.Process("B", func(ctx context.Context, p *redistest.Process) {
				time.Sleep(time.Second)
				brought = p.Sentinel().RPush(ctx, "jobs", "job").Err() == nil
			})
			w.Eventually("a job that was brought is done, or there", func() error {
				if w.Do("n1", "EXISTS", "jobs") == "0" && brought && !done {
					return errors.New("it is not")
				}
				return nil
			})
		}, b)
		if v.Broken == nil || !strings.Contains(v.Story.String(), "A is told something, and its connection breaks before that is there\n") ||
			!strings.Contains(v.Story.String(), name) || v.WriteLesson(t.TempDir()) == nil {
			t.Errorf("%s: %s", name, v)
		}
	}
}

// A server that hangs when all have ended, and owes a reply to who has crashed, keeps no time from passing.
func TestAServerMayHangInTheEnd(t *testing.T) {
	v := redistest.Search(t, func(w *redistest.World) {
		for _, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) { rdb.Set(ctx, name, 1, 5*time.Second) })
		}
		w.Eventually("nothing is left", func() error {
			if w.Do("redis", "EXISTS", "A") == "1" {
				return errors.New("A is")
			}
			return nil
		})
	}, redistest.Bounds{Hangs: 1, Crashes: 2, LongestPause: time.Second})
	if !v.Holds() {
		t.Error(v)
	}
}

// Of two who listen, one may hear what the other misses as the server comes to its end, or begins to hang.
func TestOneHearsWhatAnotherMisses(t *testing.T) {
	for name, b := range map[string]redistest.Bounds{"goes away": {Outages: 1}, "starts again, empty": {Restarts: 1}, "takes over": {Failovers: 1}, "hangs": {Hangs: 1}} {
		v := redistest.Search(t, func(w *redistest.World) {
			w.Sentinel("n1", "n2")
			var heard [2]time.Time
			for i, who := range []string{"B", "C"} {
				w.Process(who, func(ctx context.Context, p *redistest.Process) {
					s := p.Redis("n1").Subscribe(ctx, "news")
					defer func() { _ = s.Close() }()
					_, _ = s.Receive(ctx)
					if _, err := s.Receive(ctx); err == nil {
						heard[i] = time.Now()
					}
				})
			}
			w.Process("A", func(ctx context.Context, p *redistest.Process) {
				time.Sleep(time.Second)
				p.Redis("n1").Publish(ctx, "news", "go")
			})
			w.Eventually("both hear it at once, or nobody", func() error {
				if w.Do("n1", "EXISTS", "k"); heard[0].Sub(heard[1]).Abs() > time.Millisecond {
					return errors.New("one does")
				}
				return nil
			})
			w.Allow(redistest.Missing)
		}, b)
		if v.Broken == nil || len(v.Schedule) != 1 || !strings.Contains(v.Story.String(), name) {
			t.Errorf("%s: %s", name, v)
		}
	}
}

// A master may be gone with what it has written, and with the reply to who waited for that, though who has brought it hears that it
// is there.
func TestWhatAMasterGivesMayBeWrittenNowhereElse(t *testing.T) {
	v := redistest.Search(t, func(w *redistest.World) {
		w.Sentinel("n1", "n2")
		taken, brought := false, false
		w.Process("A", func(ctx context.Context, p *redistest.Process) {
			for range 2 {
				taken = taken || p.Sentinel().BLMove(ctx, "jobs", "of A", "LEFT", "RIGHT", 30*time.Second).Err() == nil
			}
		})
		w.Process("B", func(ctx context.Context, p *redistest.Process) {
			time.Sleep(time.Second)
			brought = p.Sentinel().RPush(ctx, "jobs", "job").Err() == nil
		})
		w.Eventually("a job that was brought is taken, or somewhere", func() error {
			if w.Do("n1", "EXISTS", "jobs", "of A") == "0" && brought && !taken {
				return errors.New("it is not")
			}
			return nil
		})
		w.Allow(redistest.Missing)
	}, redistest.Bounds{Failovers: 1})
	if v.Broken == nil || len(v.Schedule) != 1 {
		t.Error(v)
	}
}

// A master may be gone with what it has written, though those who listen have heard of it and who wrote it knows nothing: it is written,
// and told, once more.
func TestWhatIsWrittenNowhereElseMayHaveBeenHeard(t *testing.T) {
	v := redistest.Search(t, func(w *redistest.World) {
		w.Sentinel("n1", "n2")
		words := 0
		w.Process("A", func(ctx context.Context, p *redistest.Process) {
			time.Sleep(time.Second)
			p.Sentinel().Eval(ctx, `return redis.call("SETNX", "given", 1) == 1 and redis.call("PUBLISH", "given", "to B")`, []string{"given"})
		})
		w.Process("B", func(ctx context.Context, p *redistest.Process) {
			for range 2 {
				s := p.Sentinel().Subscribe(ctx, "given")
				for _, err := s.Receive(ctx); err == nil; words++ {
					_, err = s.ReceiveTimeout(ctx, time.Minute)
				}
				words--
				_ = s.Close()
			}
		})
		w.Eventually("it is given once", func() error {
			if w.Do("n1", "EXISTS", "given"); words > 1 {
				return errors.New("it is given twice")
			}
			return nil
		})
	}, redistest.Bounds{Failovers: 1})
	if v.Broken == nil || len(v.Schedule) > 2 {
		t.Error(v)
	}
}

// loadsOnce has a process load its script once, and release by it.
func loadsOnce(w *redistest.World) {
	w.Client("A", func(ctx context.Context, rdb *redis.Client) {
		again := func(ask func() error) {
			for ask() != nil && ctx.Err() == nil {
				time.Sleep(20 * time.Hour)
			}
		}
		release := ""
		again(func() (err error) {
			release, err = rdb.ScriptLoad(ctx, `return redis.call("DEL", KEYS[1])`).Result()
			return err
		})
		again(func() error { return rdb.Set(ctx, "lock", "A", 0).Err() })
		again(func() error {
			err := rdb.EvalSha(ctx, release, []string{"lock"}).Err()
			if redis.HasErrorPrefix(err, "NOSCRIPT") {
				return nil // it cannot be helped
			}
			return err
		})
	})
	w.Eventually("no lock is left", func() error {
		if w.Do("redis", "EXISTS", "lock") == "1" {
			return errOld
		}
		return nil
	})
}

// A server that starts again has the settings that the scenario made, with its data and without, as a replica has that takes over;
// and not those of clients.
func TestWhoseSettingsAServerHasWhenItStartsAgain(t *testing.T) {
	set := []any{"CONFIG", "SET", "notify-keyspace-events", "KEA"}
	for name, b := range map[string]redistest.Bounds{"with its data": {Outages: 1}, "empty": {Restarts: 1}, "a replica": {Failovers: 1}} {
		for _, by := range []string{"the scenario", "a client"} {
			seen := map[string]bool{}
			v := redistest.Search(t, func(w *redistest.World) {
				w.Sentinel("n1", "n2")
				if by == "the scenario" {
					w.Do("n1", "CONFIG", "SET", "notify-keyspace-events", "KEA")
				}
				w.Process("A", func(ctx context.Context, p *redistest.Process) {
					rdb := p.Sentinel()
					if by == "a client" && rdb.Do(ctx, set...).Err() != nil {
						return
					}
					rdb.Set(ctx, "k", 1, 0)
					if is, err := rdb.ConfigGet(ctx, "notify-keyspace-events").Result(); err == nil {
						seen[is["notify-keyspace-events"]+" and "+rdb.Get(ctx, "k").Val()] = true
					}
				})
				w.HasTTL("n1", "j")
				w.Allow(redistest.Missing, redistest.Idle)
			}, b)
			if lost := seen[" and 1"]; lost != (by == "a client") || !seen["AKE and 1"] {
				t.Errorf("%s, set by %s: %v %s", name, by, seen, v)
			}
		}
	}
}

// A server that has started again with its data does not know of a CLIENT PAUSE: who counts on it is not alone.
func TestAServerThatStartsAgainPausesNobody(t *testing.T) {
	v := redistest.Search(t, func(w *redistest.World) {
		var until time.Time
		w.Client("A", func(ctx context.Context, rdb *redis.Client) {
			if rdb.Do(ctx, "CLIENT", "PAUSE", 10000, "WRITE").Err() == nil {
				until = time.Now().Add(9 * time.Second)
			}
			time.Sleep(9 * time.Second)
		})
		w.Client("B", func(ctx context.Context, rdb *redis.Client) {
			time.Sleep(5 * time.Second)
			rdb.Set(ctx, "k", 1, 0)
		})
		w.Check("nobody writes", func() error {
			if w.Do("redis", "EXISTS", "k") == "1" && time.Now().Before(until) {
				return errors.New("B does")
			}
			return nil
		})
		w.Allow(redistest.Idle)
	}, redistest.Bounds{Outages: 1})
	if v.Broken == nil {
		t.Error(v)
	}
}
