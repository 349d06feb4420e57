package redistest

import (
	"context"
	"fmt"
	"net"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// World is what a scenario consists of: its processes, servers and invariants.
type World struct{ run *run }

// Process is a program under test, which may crash or be paused. It is for one run.
type Process struct {
	Name string

	run     *run
	number  int
	program func(ctx context.Context, p *Process)
	ctx     context.Context
	done    bool
	dead    bool
	paused  bool
}

type processKey struct{}

// Process adds a program. It ends when its context does, or at the latest when its requests
// fail: the schedule is over, or went too far.
func (w *World) Process(name string, program func(ctx context.Context, p *Process)) {
	w.run.t.Helper()
	if name == "" || slices.ContainsFunc(w.run.processes, func(p *Process) bool { return p.Name == name }) {
		w.run.t.Fatalf("redistest: there is a process %q already, or it has no name", name)
	}
	w.run.processes = append(w.run.processes, &Process{Name: name, run: w.run, number: len(w.run.processes), program: program})
}

// Client adds a program that uses one server through go-redis.
func (w *World) Client(name string, program func(ctx context.Context, rdb *redis.Client)) {
	w.run.t.Helper()
	w.Process(name, func(ctx context.Context, p *Process) { program(ctx, p.Redis("redis")) })
}

// Dial connects to a server, which is there from the first time that it is named. Any client
// for Go that takes a net.Conn can run on it.
func (p *Process) Dial(ctx context.Context, server string) (net.Conn, error) {
	return p.dial(ctx, server)
}

// Redis is a go-redis client of a server. It has the defaults of go-redis, but that it waits
// for the same time before each retry, not for a random one. It is closed with the process.
func (p *Process) Redis(server string) *redis.Client {
	const backoff = 8 * time.Millisecond
	rdb := redis.NewClient(&redis.Options{
		Addr:     "127.0.0.1:6379", // not looked up
		Protocol: 2, DisableIdentity: true, MinRetryBackoff: backoff, MaxRetryBackoff: backoff,
		PoolSize: 4, ReadBufferSize: 4 << 10, WriteBufferSize: 4 << 10,
		Dialer: func(ctx context.Context, _, _ string) (net.Conn, error) { return p.dial(ctx, server) },
	})
	context.AfterFunc(p.ctx, func() { _ = rdb.Close() })
	return rdb
}

// Inside runs what only one process may do at a time. The context is that of the process, or
// made of it.
func (w *World) Inside(ctx context.Context, section string, do func()) {
	p, ok := ctx.Value(processKey{}).(*Process)
	if !ok {
		w.run.t.Errorf("redistest: Inside needs the context that the process was given, or one made of it")
		runtime.Goexit() // t.Fatal is for the goroutine of the test
	}
	if !w.run.enter(p, section) {
		return
	}
	do()
	w.run.leave(p, section)
}

// Check adds an invariant: a test of its own that is asked after each step, of which error
// says what is wrong. It may look at data with Do.
func (w *World) Check(name string, holds func() error) {
	w.run.checks = append(w.run.checks, check{name, holds})
}

// Do runs a command on a server, outside of any schedule, and returns its reply in one line.
func (w *World) Do(server string, args ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(args))
	for _, a := range args {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(a), a)
	}
	var said []byte
	local := w.run.serverNow(server).redis.Local(func(b []byte) { said = append(said, b...) }, func() {})
	local.Send([]byte(b.String()))
	local.Close()
	return shownReply(string(said))
}

// HasTTL is the invariant that a key, if there, expires some time.
func (w *World) HasTTL(server, key string) {
	w.Check("no lock without TTL", func() error {
		if w.Do(server, "PTTL", key) == "-1" {
			return fmt.Errorf("%s has no TTL", key)
		}
		return nil
	})
}

// ReleasedByItsHolder is the invariant that a key is deleted or replaced, before it expires,
// only by the process that has made it. Its value is the holder's token: of a counter, each INCR
// would count as a replacement.
func (w *World) ReleasedByItsHolder(server, key string) {
	r := w.run
	holder, value := "", "nil"
	w.Check("released by its holder", func() error {
		is := w.Do(server, "GET", key)
		if is == value {
			return nil
		}
		was, by := value, r.performer // nobody, when time has passed
		value = is
		if was != "nil" && by != "" && by != holder {
			return fmt.Errorf("%s took away the %s of %s", by, key, holder)
		}
		holder = by
		return nil
	})
}

// RenewedByItsHolder is the invariant that a key, whose value is its holder's token, gets a longer lease
// only from the process that has made it.
func (w *World) RenewedByItsHolder(server, key string) {
	r := w.run
	holder, value, lease := "", "nil", 0
	w.Check("renewed by its holder", func() error {
		is := w.Do(server, "GET", key)
		left, err := strconv.Atoi(w.Do(server, "PTTL", key))
		if err != nil {
			return err
		}
		renewed := is == value && left > lease
		if is != value {
			holder = r.performer
		}
		value, lease = is, left
		if renewed && r.performer != holder {
			return fmt.Errorf("%s renewed the %s of %s", r.performer, key, holder)
		}
		return nil
	})
}

func (p *Process) start() {
	defer p.run.ended(p)
	p.program(p.ctx, p)
}

// isDead tells whether the process has crashed.
func (p *Process) isDead() bool {
	p.run.mu.Lock()
	defer p.run.mu.Unlock()
	return p.dead
}

// patience is for how long the code under test may go on after its context has ended.
const patience = time.Hour

// farewell is for how long pools of clients may go on dialing once they are closed. The
// bubble's time stands still when it is over, and with it whoever still waits.
const farewell = time.Minute
