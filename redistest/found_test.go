package redistest_test

import (
	"context"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

// reads is the scenario of a process that must not read what another writes last.
func reads(first, second string) func(w *redistest.World) {
	return func(w *redistest.World) {
		read := ""
		w.Process("A", func(ctx context.Context, p *redistest.Process) { read = p.Redis(first).Get(ctx, "x").Val() })
		w.Process("B", func(ctx context.Context, p *redistest.Process) {
			p.Redis(second).Set(ctx, "y", 1, 0)
			p.Redis(first).Set(ctx, "x", 1, 0)
		})
		w.Check("A never reads 1", func() error {
			w.Do(first, "GET", "x")
			if read == "1" {
				return errOld
			}
			return nil
		})
	}
}

// getThenSet is the scenario of a lock that is looked at and taken in two requests; before, each
// client says that it is there.
func getThenSet(heartbeat bool) func(w *redistest.World) {
	return func(w *redistest.World) {
		for _, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				beat := func() {
					if heartbeat {
						rdb.Set(ctx, "seen:"+name, 1, time.Minute)
					}
				}
				beat()
				if rdb.Exists(ctx, "lock").Val() > 0 {
					return
				}
				beat()
				rdb.Set(ctx, "lock", name, time.Minute)
				w.Inside(ctx, "the section", func() { time.Sleep(time.Second) })
			})
		}
	}
}

// waitedFor is the scenario of a job that is handed to whoever waits for it, and again two seconds later if it is not done.
func waitedFor(w *redistest.World) {
	do := func(ctx context.Context, rdb *redis.Client) {
		w.Inside(ctx, "the job", func() { time.Sleep(time.Second) })
		rdb.Set(ctx, "done", 1, 0)
	}
	w.Client("A", func(ctx context.Context, rdb *redis.Client) {
		if rdb.BLPop(ctx, 0, "jobs").Err() == nil {
			do(ctx, rdb)
		}
	})
	w.Client("B", func(ctx context.Context, rdb *redis.Client) {
		time.Sleep(time.Minute)
		rdb.RPush(ctx, "jobs", "job")
		time.Sleep(2 * time.Second)
		if rdb.Exists(ctx, "done").Val() == 0 {
			do(ctx, rdb)
		}
	})
}

// What once held, and breaks.
func TestWhatIsFound(t *testing.T) {
	for name, c := range map[string]struct {
		scenario func(w *redistest.World)
		bounds   redistest.Bounds
		broken   string
	}{
		"a request before the one that matters":                  {reads("n1", "n1"), redistest.Bounds{}, "A never reads 1"},
		"the same on another server":                             {reads("n1", "n2"), redistest.Bounds{}, "A never reads 1"},
		"GET and SET":                                            {getThenSet(false), redistest.Bounds{}, "mutual exclusion"},
		"GET and SET with a heartbeat":                           {getThenSet(true), redistest.Bounds{}, "mutual exclusion"},
		"a lease that ends while its holder pauses":              {pausedAlone, redistest.Bounds{Pauses: 1}, "A still has its lease"},
		"a crash while nothing is asked":                         {asleep, redistest.Bounds{Crashes: 1}, "no lock is left"},
		"a panic":                                                {fails(func() { panic("no") }), redistest.Bounds{}, "B panics: no"},
		"a mutex that nobody releases while time is":             {mutexes(time.Second), redistest.Bounds{}, "time cannot pass: somebody waits for a mutex"},
		"the same while a request is on its way":                 {mutexes(0), redistest.Bounds{Ticks: 1}, "time cannot pass: somebody waits for a mutex"},
		"the same in the middle of a wait":                       {lateMutex, redistest.Bounds{}, "time cannot pass: somebody waits for a mutex"},
		"a server that went away":                                {setOnce, redistest.Bounds{Outages: 1}, "A succeeds"},
		"a request that never got there":                         {setOnce, redistest.Bounds{Drops: 1}, "A succeeds"},
		"a request that got there late":                          {setLate, redistest.Bounds{Slow: 1}, "what was given up is not done"},
		"a server that hangs":                                    {setLate, redistest.Bounds{Hangs: 1}, "what was given up is not done"},
		"three where two may be":                                 {semaphore(3), redistest.Bounds{}, "mutual exclusion: A and B and C are inside"},
		"a key that stays":                                       {stays(0), redistest.Bounds{}, "no key is left"},
		"a cache that hears of changes too late":                 {tracksLate, redistest.Bounds{}, "nothing old is used"},
		"a word of warning that comes too late":                  {warned, redistest.Bounds{Slow: 1}, "mutual exclusion: A and B are inside"},
		"a job that was waited for, and gets lost":               {waitedFor, redistest.Bounds{Losses: 1}, "nobody waits for ever: [A]"},
		"a reply on a slow network when its server starts again": {handedLate, redistest.Bounds{Slow: 1, Restarts: 1, Schedules: 1000}, "mutual exclusion: A and B are inside"},
		"a pause that keeps two replies":                         {twoLeases, redistest.Bounds{Pauses: 1}, "mutual exclusion"},
		"a release that is lost, and tried again after a pause":  {releasesAgain, redistest.Bounds{Drops: 1, Pauses: 1}, "mutual exclusion: B and C"},
		"who waits for ever, though a crash might yet end that":  {waitsAlone, redistest.Bounds{Crashes: 2}, "nobody waits for ever: [A]"},
		"a copy that hears of a change too late":                 {keepsCopy, redistest.Bounds{Slow: 1}, "mutual exclusion"},
		"a pause as a server says what it has done long before":  {worksLong, redistest.Bounds{Hangs: 1, Pauses: 1, LongestPause: time.Second}, "mutual exclusion"},
		"what was done before it was given up":                   {doneBefore, redistest.Bounds{Hangs: 1}, "what was given up was not done before"},
		"a job that is handed out before its server forgets it":  {handsAgain, redistest.Bounds{Restarts: 1}, "no job is done twice"},
		"a warning that is seen before the reply":                {cachesFor(true), redistest.Bounds{Pauses: 1}, "nothing old is used"},
		"the same with connections in another order":             {cachesFor(false), redistest.Bounds{Pauses: 1}, "nothing old is used"},
		"scripts that a server has forgotten":                    {loadsOnce, redistest.Bounds{Outages: 1}, "no lock is left"},
		"a crash when only goroutines of a process are left":     {handsOver, redistest.Bounds{Crashes: 1}, "B is let in"},
		"a crash of who has asked a server that hangs":           {keepsLock, redistest.Bounds{Hangs: 1, Crashes: 1, LongestPause: time.Second, Schedules: 3000}, "nobody writes without the lock"},
		"the same, and who gets it is paused":                    {waitedFor, redistest.Bounds{Pauses: 1, LongestPause: 2 * time.Second}, "mutual exclusion"},
	} {
		t.Run(name, func(t *testing.T) {
			v := redistest.Search(t, c.scenario, c.bounds)
			if v.Broken == nil || !strings.HasPrefix(v.Broken.Error(), c.broken) || v.Holds() {
				t.Fatalf("it broke with %v, not with %s\n%s", v.Broken, c.broken, v)
			}
			t.Log(v)
		})
	}
}

// handedLate has a job handed to A, which does it at once; B does it when the server has forgotten everything since.
func handedLate(w *redistest.World) {
	w.Client("A", func(ctx context.Context, rdb *redis.Client) {
		if rdb.BLPop(ctx, 3*time.Second, "jobs").Err() == nil {
			w.Inside(ctx, "the job", func() {})
		}
	})
	w.Client("B", func(ctx context.Context, rdb *redis.Client) {
		time.Sleep(time.Millisecond)
		rdb.RPush(ctx, "jobs", "job")
		rdb.Set(ctx, "handed", 1, 0)
		time.Sleep(time.Second)
		if n, err := rdb.Exists(ctx, "handed").Result(); err == nil && n == 0 {
			w.Inside(ctx, "the job", func() { time.Sleep(time.Second) })
		}
	})
}

// twoLeases has A ask for two locks at once, and count from the replies how long it has the one that ends first.
func twoLeases(w *redistest.World) {
	both := func(ctx context.Context, rdb *redis.Client, name string) {
		ends, keys := make(chan time.Time, 2), []string{"l1", "l2"}
		for _, key := range keys {
			go func() {
				end := time.Time{}
				if rdb.SetNX(ctx, key, name, time.Second).Val() {
					end = time.Now().Add(time.Second)
				}
				ends <- end
			}()
		}
		first, second := <-ends, <-ends
		if second.Before(first) {
			first = second
		}
		if time.Now().Before(first) {
			w.InsideUntil(ctx, "the section", first, func() { time.Sleep(900 * time.Millisecond) })
		}
	}
	w.Client("A", func(ctx context.Context, rdb *redis.Client) { both(ctx, rdb, "A") })
	w.Client("B", func(ctx context.Context, rdb *redis.Client) { time.Sleep(1500 * time.Millisecond); both(ctx, rdb, "B") })
	w.Allow(redistest.Uncontested)
}

// releasesAgain has A look at its clock before it releases, which go-redis tries again if the connection breaks.
func releasesAgain(w *redistest.World) {
	for i, from := range []time.Duration{0, 6 * time.Second, 7 * time.Second} {
		name := string(rune('A' + i))
		w.Client(name, func(ctx context.Context, rdb *redis.Client) {
			time.Sleep(from)
			until := time.Now().Add(lease)
			if !lock(ctx, rdb, name, lease) {
				return
			}
			w.InsideUntil(ctx, "S", until, func() { time.Sleep(work) })
			if time.Now().Before(until) {
				rdb.Del(ctx, "lock")
			}
		})
	}
}

// waitsAlone has A wait for what nobody says.
func waitsAlone(w *redistest.World) {
	w.Client("A", func(ctx context.Context, rdb *redis.Client) { rdb.BLPop(ctx, 0, "words") })
	w.Client("B", func(ctx context.Context, rdb *redis.Client) { rdb.Set(ctx, "k", 1, time.Minute) })
	w.HasTTL("redis", "k")
}

// keepsCopy has A work a second after it has read that it may, unless its server says that this has changed.
func keepsCopy(w *redistest.World) {
	w.Process("A", func(ctx context.Context, p *redistest.Process) {
		conn, err := p.Dial(ctx, "redis")
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		var reply [1 << 10]byte
		for _, line := range []string{"HELLO 3", "CLIENT TRACKING ON", "GET taken"} {
			_, _ = conn.Write([]byte(line + "\r\n"))
			_, _ = conn.Read(reply[:])
		}
		_ = conn.SetDeadline(time.Now().Add(time.Second))
		if _, err := conn.Read(reply[:]); err != nil && reply[0] == '_' {
			w.Inside(ctx, "S", func() {})
		}
	})
	w.Client("B", func(ctx context.Context, rdb *redis.Client) {
		time.Sleep(500 * time.Millisecond)
		rdb.Set(ctx, "taken", "B", time.Minute)
		w.Inside(ctx, "S", func() { time.Sleep(time.Second) })
	})
	w.Allow(redistest.Uncontested)
}

// pausedAlone is a process that works with its lease; nobody else is there.
func pausedAlone(w *redistest.World) {
	ok := true
	w.Client("A", func(ctx context.Context, rdb *redis.Client) {
		rdb.SetNX(ctx, "lock", "A", lease)
		ok = rdb.Get(ctx, "lock").Val() == "A"
	})
	w.Check("A still has its lease", func() error {
		w.Do("redis", "GET", "lock")
		if !ok {
			return errOld
		}
		return nil
	})
}

// asleep is a process that sleeps with a lock that has no TTL.
func asleep(w *redistest.World) {
	w.Allow(redistest.Uncontested)
	w.Client("A", func(ctx context.Context, rdb *redis.Client) {
		rdb.Set(ctx, "lock", "A", 0)
		w.Inside(ctx, "the section", func() { time.Sleep(time.Second) })
		rdb.Del(ctx, "lock")
	})
	w.Eventually("no lock is left", isGone(w, "lock"))
}

func isGone(w *redistest.World, key string) func() error {
	return func() error {
		if w.Do("redis", "EXISTS", key) == "1" {
			return errOld
		}
		return nil
	}
}

// stays leaves a key with a TTL, or for ever.
func stays(ttl time.Duration) func(w *redistest.World) {
	return func(w *redistest.World) {
		w.Client("A", func(ctx context.Context, rdb *redis.Client) { rdb.Set(ctx, "k", 1, ttl) })
		w.Eventually("no key is left", isGone(w, "k"))
	}
}

// mutexes has two goroutines in each client, of which one at a time takes the lock.
func mutexes(hold time.Duration) func(w *redistest.World) {
	return func(w *redistest.World) {
		w.Allow(redistest.Missing)
		for _, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				var mu sync.Mutex
				var wg sync.WaitGroup
				for range 2 {
					wg.Go(func() {
						mu.Lock()
						defer mu.Unlock()
						if rdb.SetNX(ctx, "lock", name, lease).Val() {
							time.Sleep(hold)
							rdb.Del(ctx, "lock")
						}
					})
				}
				wg.Wait()
			})
		}
	}
}

// lateMutex has two goroutines sleep, and then the second wait for the first.
func lateMutex(w *redistest.World) {
	w.Client("A", func(ctx context.Context, rdb *redis.Client) {
		rdb.Get(ctx, "k")
		var mu sync.Mutex
		var wg sync.WaitGroup
		for i := range 2 {
			wg.Go(func() {
				time.Sleep(time.Duration(2+i) * time.Second)
				mu.Lock()
				defer mu.Unlock()
				time.Sleep(5 * time.Second)
			})
		}
		wg.Wait()
	})
}

// raw asks once, on a connection of its own, and gives up after a second.
func rawRequest(ctx context.Context, p *redistest.Process, request string) bool {
	conn, err := p.Dial(ctx, "redis")
	if err != nil {
		return false
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(time.Second))
	_, _ = conn.Write([]byte(request))
	_, err = conn.Read(make([]byte, 100))
	return err == nil
}

func setOnce(w *redistest.World) {
	failed := false
	w.Process("A", func(ctx context.Context, p *redistest.Process) { failed = !rawRequest(ctx, p, "SET k v\r\n") })
	w.Check("A succeeds", func() error {
		w.Do("redis", "GET", "k")
		if failed {
			return errOld
		}
		return nil
	})
}

func setLate(w *redistest.World) {
	gaveUp := false
	w.Process("A", func(ctx context.Context, p *redistest.Process) { gaveUp = !rawRequest(ctx, p, "SET k v\r\n") })
	w.Process("B", func(ctx context.Context, p *redistest.Process) {
		time.Sleep(time.Minute)
		rawRequest(ctx, p, "GET k\r\n")
	})
	given := false
	w.Check("what was given up is not done", func() error {
		is := w.Do("redis", "GET", "k")
		if given && is == "v" {
			return errOld
		}
		given = gaveUp && is == "nil"
		return nil
	})
}

// worksLong has A hold its lock for what its lease leaves if the reply comes a second late, not two.
func worksLong(w *redistest.World) {
	for i, name := range []string{"A", "B"} {
		w.Client(name, func(ctx context.Context, rdb *redis.Client) {
			time.Sleep(time.Duration(i) * (lease + 200*time.Millisecond))
			if rdb.SetNX(ctx, "lock", name, lease).Val() {
				w.Inside(ctx, "S", func() { time.Sleep(lease - 1500*time.Millisecond) })
			}
		})
	}
	w.Allow(redistest.Uncontested)
}

// doneBefore has A ask for what is done at once, and give up a second later.
func doneBefore(w *redistest.World) {
	gaveUp, was := false, false
	w.Process("A", func(ctx context.Context, p *redistest.Process) { gaveUp = !rawRequest(ctx, p, "SET k v\r\n") })
	w.Check("what was given up was not done before", func() error {
		if was && gaveUp {
			return errOld
		}
		was = w.Do("redis", "GET", "k") == "v"
		return nil
	})
}

// handsAgain has A hand out a job, and once more if it is not told that it has.
func handsAgain(w *redistest.World) {
	w.Process("A", func(ctx context.Context, p *redistest.Process) {
		time.Sleep(time.Millisecond)
		for !rawRequest(ctx, p, "RPUSH jobs job\r\n") && ctx.Err() == nil {
		}
	})
	done := 0
	w.Client("B", func(ctx context.Context, rdb *redis.Client) {
		for range 3 {
			if rdb.BLPop(ctx, time.Minute, "jobs").Err() == nil {
				done++
			}
		}
	})
	w.Eventually("no job is done twice", func() error {
		w.Do("redis", "EXISTS", "jobs")
		if done > 1 {
			return errOld
		}
		return nil
	})
	w.Allow(redistest.Missing)
}

// cachesFor has A keep what it has read until it is warned on another connection, of which one is the first.
func cachesFor(warnedFirst bool) func(w *redistest.World) {
	return func(w *redistest.World) {
		w.Do("redis", "SET", "x", "old")
		w.Process("A", func(ctx context.Context, p *redistest.Process) {
			reads, _ := p.Dial(ctx, "redis")
			warns, _ := p.Dial(ctx, "redis")
			if warnedFirst {
				reads, warns = warns, reads
			}
			ask := func(c net.Conn, line string) string {
				var b [100]byte
				_, _ = c.Write([]byte(line + "\r\n"))
				n, _ := c.Read(b[:])
				return strings.TrimSpace(string(b[:n]))
			}
			ask(reads, "CLIENT TRACKING ON REDIRECT "+strings.TrimPrefix(ask(warns, "CLIENT ID"), ":"))
			ask(warns, "SUBSCRIBE __redis__:invalidate")
			var cached atomic.Value
			var warned sync.WaitGroup
			warned.Go(func() {
				if _, err := warns.Read(make([]byte, 100)); err == nil {
					cached.Store("")
				}
			})
			cached.Store(ask(reads, "GET x"))
			time.Sleep(time.Second)
			if strings.HasSuffix(cached.Load().(string), "old") {
				ask(reads, "SET used old")
			}
			_, _ = reads.Close(), warns.Close()
			warned.Wait()
		})
		w.Client("B", func(ctx context.Context, rdb *redis.Client) { rdb.Set(ctx, "x", "new", 0) })
		w.Check("nothing old is used", func() error {
			if w.Do("redis", "GET", "used") == "old" && w.Do("redis", "GET", "x") == "new" {
				return errOld
			}
			return nil
		})
		w.Allow(redistest.Missing)
	}
}

// tracksLate is the scenario of a cache that asks to be told of changes once it has read.
func tracksLate(w *redistest.World) {
	w.Do("redis", "SET", "x", "old")
	w.Process("A", func(ctx context.Context, p *redistest.Process) {
		cached := p.Redis("redis").Get(ctx, "x").Val()
		told, err := p.Dial(ctx, "redis")
		if err != nil {
			return
		}
		_, _ = told.Write([]byte("HELLO 3\r\n"))
		_, _ = told.Write([]byte("CLIENT TRACKING ON BCAST\r\n"))
		time.Sleep(time.Second)
		var heard [1 << 10]byte
		if n, _ := told.Read(heard[:]); !strings.Contains(string(heard[:n]), "invalidate") {
			p.Redis("redis").Set(ctx, "used", cached, 0)
		}
	})
	w.Client("B", func(ctx context.Context, rdb *redis.Client) { rdb.Set(ctx, "x", "new", 0) })
	w.Check("nothing old is used", func() error {
		if w.Do("redis", "GET", "used") == "old" && w.Do("redis", "GET", "x") == "new" {
			return errOld
		}
		return nil
	})
}

// warned is the scenario of a process that works until it hears that another takes over.
func warned(w *redistest.World) {
	w.Client("A", func(ctx context.Context, rdb *redis.Client) {
		s := rdb.Subscribe(ctx, "stop")
		if _, err := s.Receive(ctx); err != nil {
			return
		}
		heard, stop := context.WithCancel(ctx)
		var wg sync.WaitGroup
		wg.Go(func() {
			_, _ = s.ReceiveMessage(ctx)
			stop()
		})
		for range 3 {
			if time.Sleep(time.Second); heard.Err() == nil {
				w.Inside(ctx, "S", func() { time.Sleep(100 * time.Millisecond) })
			}
		}
		_ = s.Close()
		wg.Wait()
	})
	w.Client("B", func(ctx context.Context, rdb *redis.Client) {
		time.Sleep(1500 * time.Millisecond)
		if rdb.Publish(ctx, "stop", "now").Val() > 0 {
			w.Inside(ctx, "S", func() { time.Sleep(time.Minute) })
		}
	})
}

// semaphore is the scenario of clients that count with INCR.
func semaphore(limit int64) func(w *redistest.World) {
	return func(w *redistest.World) {
		w.AtMost("the room", 2)
		for _, name := range []string{"A", "B", "C"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				if rdb.Incr(ctx, "inside").Val() <= limit {
					w.Inside(ctx, "the room", func() { time.Sleep(time.Second) })
				}
				rdb.Decr(ctx, "inside")
			})
		}
	}
}
