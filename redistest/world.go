package redistest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"runtime/debug"
	"slices"
	"syscall"
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
	done    bool // it has not begun, or has ended
	dead    bool
	slow    bool // its requests stay on their way
	paused  bool // it does not see replies, and enters and leaves no section

	pausedAt time.Time
	goesOn   chan struct{} // when the pause is over
	steps    int
}

type processKey struct{}

// Process adds a program. It ends when its context does, or at the latest when its requests
// fail: the schedule is over, or went too far.
func (w *World) Process(name string, program func(ctx context.Context, p *Process)) {
	if name == "" || slices.ContainsFunc(w.run.processes, func(p *Process) bool { return p.Name == name }) {
		w.run.fail(fmt.Errorf("redistest: there is a process %q already, or it has no name", name))
	}
	w.run.processes = append(w.run.processes, &Process{Name: name, run: w.run, number: len(w.run.processes), program: program, done: true})
}

// Client adds a program that uses one server through go-redis.
func (w *World) Client(name string, program func(ctx context.Context, rdb *redis.Client)) {
	w.Process(name, func(ctx context.Context, p *Process) { program(ctx, p.Redis("redis")) })
}

// Dial connects to a server, which is there from the first time that it is named; a member of a
// cluster may be called by its address. Any client for Go that takes a net.Conn can run on it.
func (p *Process) Dial(ctx context.Context, server string) (net.Conn, error) {
	conn, err := p.dial(ctx, server)
	if errors.Is(err, syscall.ECONNREFUSED) {
		p.run.asksInVain()
	}
	return conn, err
}

func (p *Process) dial(ctx context.Context, server string) (net.Conn, error) {
	p.run.halt()
	if p.isDead() {
		<-p.run.over
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if p.run.isOver() {
		return nil, net.ErrClosed
	}
	return p.run.connect(p, server)
}

// What go-redis waits for before each retry: of twice a backoff that is beyond all times it draws no number.
const (
	backoff = 8 * time.Millisecond
	beyond  = 1 << 62
)

// buffer is enough for most requests, and soon made.
const buffer = 1 << 10

// poolSize is more connections than a process uses at once: who waits for one takes a timer that go-redis shares,
// and one of an earlier run's bubble would end the program.
const poolSize = 100

// Redis is a go-redis client of a server. It has the defaults of go-redis, but that it waits
// for the same time before each retry, not for a random one. It is closed with the process.
func (p *Process) Redis(server string) *redis.Client {
	dial := func(ctx context.Context, _ string) (net.Conn, error) { return p.dial(ctx, server) }
	rdb := redis.NewClient(options(dial, "127.0.0.1:6379").Simple()) // not looked up
	p.serves(rdb)
	return rdb
}

// serves has a client end with the process.
func (p *Process) serves(rdb redis.UniversalClient) {
	rdb.AddHook(halts{p.run})
	context.AfterFunc(p.ctx, func() { _ = rdb.Close() })
}

// options are what all clients of go-redis have.
func options(dial func(ctx context.Context, addr string) (net.Conn, error), addrs ...string) *redis.UniversalOptions {
	return &redis.UniversalOptions{
		Addrs: addrs, Protocol: 2, DisableIdentity: true, MinRetryBackoff: beyond, MaxRetryBackoff: backoff,
		PoolSize: poolSize, ReadBufferSize: buffer, WriteBufferSize: buffer,
		Dialer: func(ctx context.Context, _, addr string) (net.Conn, error) { return dial(ctx, addr) },
	}
}

// Allow says that a scenario has on purpose what makes the verdict doubtful elsewhere.
func (w *World) Allow(doubts ...Doubt) {
	for _, d := range doubts {
		w.run.seen.Allowed[d] = true
	}
}

func (p *Process) start() {
	defer p.run.ended(p)
	growStack(0)
	p.run.guard(p.Name, func() { p.program(p.ctx, p) })
}

// growStack has the stack be as large as go-redis needs it, while little is on it that must be moved.
//
//go:noinline
func growStack(at int) byte {
	var room [16 << 10]byte
	return room[at]
}

// guard runs what others wrote. What ends it otherwise than by a return breaks the run.
func (r *run) guard(who string, do func()) {
	returned := false
	defer func() {
		switch e := recover(); {
		case e != nil:
			r.fail(fmt.Errorf("%s panics: %v\n%s", who, e, withoutLabels(string(debug.Stack()))))
		case !returned:
			r.fail(fmt.Errorf("%s ends by t.FailNow, t.Fatal or runtime.Goexit", who))
		}
	}()
	do()
	returned = true
}

// lives tells whether the process may still do something.
func (p *Process) lives() bool { return !p.done && !p.dead }

// awake waits until the process is not paused, or the run is over.
func (p *Process) awake() {
	p.run.mu.Lock()
	paused, goesOn := p.paused, p.goesOn
	p.run.mu.Unlock()
	if paused {
		select {
		case <-goesOn:
		case <-p.run.over:
		}
	}
}

// isDead tells whether the process has crashed.
func (p *Process) isDead() bool {
	p.run.mu.Lock()
	defer p.run.mu.Unlock()
	return p.dead
}
