package redistest

import (
	"bufio"
	"context"
	"crypto/sha1" //nolint:gosec // is how EVALSHA names a script
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"lockstep/node/sample"
)

// raw is a client without a pool, so that a run takes little time.
type raw struct {
	p       *Process
	ctx     context.Context
	conns   map[string]net.Conn
	readers map[string]*bufio.Reader
}

func (c *raw) do(server string, args ...string) string {
	if c.conns[server] == nil {
		conn, err := c.p.Dial(c.ctx, server)
		if err != nil {
			return "refused"
		}
		c.conns[server], c.readers[server] = conn, bufio.NewReaderSize(conn, 256)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(args))
	for _, a := range args {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(a), a)
	}
	_, err := c.conns[server].Write([]byte(b.String()))
	reply := "broken"
	if err == nil {
		reply, err = readReply(c.readers[server])
	}
	if err != nil {
		_ = c.conns[server].Close()
		c.conns[server] = nil
		return "broken"
	}
	return reply
}

func readReply(r *bufio.Reader) (string, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return "", err
	}
	line = strings.TrimSpace(line)
	n, _ := strconv.Atoi(line[1:])
	switch {
	case line[0] == '$' && n < 0:
		return "nil", nil
	case line[0] == '$':
		b := make([]byte, n+2)
		_, err := io.ReadFull(r, b)
		return string(b[:n]), err
	case line[0] == '*':
		var all []string
		for range n {
			s, err := readReply(r)
			if err != nil {
				return "", err
			}
			all = append(all, s)
		}
		return fmt.Sprint(all), nil
	}
	return line, nil
}

// act is one thing that a process of a drawn scenario does.
type act struct {
	server string
	args   []string
	sleep  time.Duration // before
	inside bool
	enters bool // and leaves at once, after it
	unless bool // the last reply was nothing
}

// drawing of a scenario: what each goroutine of each process does.
type plan struct {
	processes [][][]act
	bounds    Bounds
}

const (
	compareAndDeleteScript = `if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end return 0`
	hiddenScript           = `return redis.call("SET", ARGV[1], ARGV[2], "NX") or redis.call("DBSIZE")`
	copyScript             = `local v = redis.call("GET", KEYS[1]); if v then redis.call("SET", KEYS[2], v) end return v`
)

func drawPlan(seed uint64) plan {
	r := rand.New(rand.NewPCG(seed, 11))
	p := plan{}
	processes, servers, left := 2+r.IntN(2), 1+max(0, r.IntN(5)-2), 7
	theme := r.Perm(len(commandsOn("x", "y", "v")))[:4] // so that one thing has to do with another
	for i := range processes {
		var acts []act
		for range min(2+r.IntN(5-processes), left) {
			left--
			acts = append(acts, drawAct(r, theme, servers, fmt.Sprintf("%c%d", 'A'+i, len(acts))))
		}
		goroutines := [][]act{acts}
		if r.IntN(4) == 0 && len(acts) > 1 {
			goroutines = [][]act{acts[:1], acts[1:]}
		}
		p.processes = append(p.processes, goroutines)
	}
	b := &p.bounds
	for _, n := range []*int{&b.Ticks, &b.Pauses, &b.Losses, &b.Drops, &b.Slow, &b.Crashes, &b.Restarts, &b.Outages, &b.Hangs, &b.Failovers} {
		if r.IntN(14) == 0 {
			*n = 1
		}
	}
	if r.IntN(2) == 0 {
		b.LongestPause = 400 * time.Millisecond
	}
	b.Schedules = 600
	return p
}

func drawAct(r *rand.Rand, theme []int, servers int, value string) act {
	keys := []string{"x", "z"}
	commands := commandsOn(keys[r.IntN(2)], keys[r.IntN(2)], value)
	a := act{server: fmt.Sprintf("n%d", r.IntN(servers)), args: commands[theme[r.IntN(len(theme))]], unless: r.IntN(3) == 0, inside: r.IntN(4) == 0, enters: r.IntN(6) == 0}
	if r.IntN(5) == 0 {
		a.sleep = time.Duration(r.IntN(4)) * 200 * time.Millisecond
	}
	return a
}

// commandsOn are what is drawn from.
func commandsOn(k, other, value string) [][]string {
	sha := fmt.Sprintf("%x", sha1.Sum([]byte(compareAndDeleteScript))) //nolint:gosec // is how EVALSHA names a script
	return [][]string{
		{"GET", k},
		{"GET", k},
		{"SET", k, value},
		{"SET", k, value},
		{"DEL", k},
		{"SET", k, value, "NX", "PX", "500"},
		{"SET", k, value, "NX", "PX", "500"},
		{"INCR", "n" + k},
		{"EVAL", compareAndDeleteScript, "1", k, value},
		{"EVAL", copyScript, "2", k, other},
		{"EVAL", hiddenScript, "0", k, value},
		{"EVALSHA", sha, "1", k, value},
		{"DEL", k, other},
		{"PEXPIRE", k, "700"},
		{"DBSIZE"},
		{"WATCH", k},
		{"MULTI"},
		{"EXEC"},
		{"RPUSH", "l" + k, value},
		{"BLPOP", "l" + k, "0.3"},
		{"RENAME", k, other},
		{"PUBLISH", "c", value},
		{"SUBSCRIBE", "c"},
		{"SADD", "s" + k, value},
		{"SPOP", "s" + k},
		{"BRPOPLPUSH", "l" + k, "l" + other, "0.4"},
		{"XADD", "t" + k, "*", "f", value},
		{"XREAD", "BLOCK", "300", "STREAMS", "t" + k, "$"},
		{"SCRIPT", "FLUSH"},
		{"PSUBSCRIBE", "*"},
		{"CONFIG", "SET", "notify-keyspace-events", "KEA"},
		{"CLIENT", "KILL", "TYPE", "normal"},
		{"KEYS", "*"},
	}
}

func (p plan) String() string {
	return fmt.Sprintf("%v\n%+v", p.processes, p.bounds)
}

// outcomes are what the runs of a plan come to, and the states that checks have seen.
type outcomes map[string]bool

// scenario plays a plan. What breaks only ends a run where it is to.
func (p plan) scenario(seen outcomes, breaks bool) func(w *World) {
	return func(w *World) {
		if p.bounds.Failovers > 0 {
			w.Sentinel("n0", "n1")
		}
		logs := make([][]strings.Builder, len(p.processes))
		for i, goroutines := range p.processes {
			logs[i] = make([]strings.Builder, len(goroutines))
			w.Process(string(rune('A'+i)), func(ctx context.Context, pr *Process) {
				var wg sync.WaitGroup
				var last latest
				for g, acts := range goroutines {
					wg.Go(func() { play(ctx, w, pr, acts, &last, &logs[i][g]) })
				}
				wg.Wait()
			})
		}
		if !breaks {
			w.AtMost("S", 9)
		}
		history := ""
		w.Check("states", func() error {
			is := w.Do("n0", "GET", "x") + "|" + w.Do("n0", "GET", "z") + "|" + w.Do("n0", "GET", "y")
			if !seen[is] {
				seen[is] = true
			}
			if is = is[:strings.LastIndex(is, "|")]; !strings.HasSuffix(history, is) {
				history += " > " + is
				seen[history] = true
			}
			if breaks && len(w.run.inside["S"]) == 0 && strings.Count(history, ">") > 3 {
				return fmt.Errorf("too much has changed")
			}
			if len(w.run.insiders("S")) > 1 {
				seen[fmt.Sprint(w.run.insiders("S"))] = true
			}
			return nil
		})
		w.Eventually("outcome", func() error {
			seen[ending(w, logs)] = true
			return nil
		})
	}
}

// latest is the last reply to any goroutine of a process.
type latest struct {
	mu    sync.Mutex
	reply string
}

func (l *latest) set(reply string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reply = reply
}

func (l *latest) isNothing() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.reply == "nil" || l.reply == ":0"
}

func play(ctx context.Context, w *World, p *Process, acts []act, last *latest, log *strings.Builder) {
	c := &raw{p, ctx, map[string]net.Conn{}, map[string]*bufio.Reader{}}
	for _, a := range acts {
		time.Sleep(a.sleep)
		if a.unless && last.isNothing() {
			continue
		}
		do := func() {
			reply := c.do(a.server, a.args...)
			last.set(reply)
			fmt.Fprintf(log, "%s@%d;", reply, time.Since(w.run.begin).Milliseconds())
		}
		if a.inside {
			w.Inside(ctx, "S", do)
		} else {
			do()
		}
		if a.enters {
			w.Inside(ctx, "S", func() {})
		}
		if ctx.Err() != nil {
			return
		}
	}
}

func ending(w *World, logs [][]strings.Builder) string {
	var b strings.Builder
	for i := range logs {
		for g := range logs[i] {
			b.WriteString(logs[i][g].String() + "/")
		}
	}
	for _, s := range w.run.servers {
		for _, k := range []string{"x", "y", "z", "nx", "ny", "nz"} {
			b.WriteString(w.Do(s.name, "GET", k) + w.Do(s.name, "PTTL", k) + ",")
		}
		for _, k := range []string{"x", "y", "z"} {
			b.WriteString(w.Do(s.name, "LLEN", "l"+k) + w.Do(s.name, "LINDEX", "l"+k, "0") + w.Do(s.name, "SCARD", "s"+k) + ",")
		}
	}
	for _, p := range w.run.processes {
		if p.dead {
			b.WriteString(p.Name + " is dead")
		}
	}
	return b.String()
}

// without are those in a that are not in b.
func (a outcomes) without(b outcomes) (missing []string) {
	for o := range a {
		if !b[o] {
			missing = append(missing, o)
		}
	}
	slices.Sort(missing)
	return missing
}

// on is an act on the first server.
func on(args ...string) act { return act{server: "n0", args: args} }

// one makes processes of one goroutine each.
func one(processes ...[]act) (p plan) {
	for _, acts := range processes {
		p.processes = append(p.processes, [][]act{acts})
	}
	p.bounds.Schedules = 600
	return p
}

// within are other bounds of the same processes.
func (p plan) within(b Bounds) plan {
	b.Schedules = p.bounds.Schedules
	p.bounds = b
	return p
}

// What one step may have to do with another: without any of these, an outcome is lost.
func TestWhatDoesNotCommute(t *testing.T) {
	sha := commandsOn("x", "z", "v")[11]
	elsewhere, load := act{server: "n1", args: []string{"GET", "y"}}, on("EVAL", compareAndDeleteScript, "1", "z", "v")
	later := func(a act, times int) act { a.sleep = time.Duration(times) * 200 * time.Millisecond; return a }
	within, after, unless := on("GET", "x"), on("GET", "z"), on("INCR", "nx")
	within.inside, after.enters, unless.unless, unless.sleep = true, true, true, 200*time.Millisecond
	shared := one([]act{on("GET", "z")})
	shared.processes = append(shared.processes, [][]act{{on("GET", "x")}, {on("SADD", "sz", "v"), unless}})
	for name, p := range map[string]plan{
		"a key":                one([]act{on("GET", "x")}, []act{on("SET", "z", "v"), on("SET", "x", "v")}),
		"a script's key":       one([]act{on("GET", "x")}, []act{on("GET", "z"), on("EVAL", hiddenScript, "0", "x", "v")}),
		"a SET that fails":     one([]act{on("DEL", "x")}, []act{on("SET", "x", "v"), on("EVAL", hiddenScript, "0", "x", "w")}),
		"the number of keys":   one([]act{on("DBSIZE")}, []act{on("GET", "z"), on("SET", "x", "v")}),
		"known scripts":        one([]act{on(sha...)}, []act{on("GET", "z"), on("EVAL", compareAndDeleteScript, "1", "z", "v")}),
		"a read-only script":   one([]act{on(sha...)}, []act{on("GET", "z"), on("EVAL_RO", compareAndDeleteScript, "1", "z", "v")}),
		"a discarded script":   one([]act{on("GET", "x"), on(sha...)}, []act{on("MULTI"), on("EVAL", compareAndDeleteScript, "1", "z", "v"), on("DISCARD"), on("EVAL", compareAndDeleteScript, "1", "z", "v")}),
		"a channel":            one([]act{on("SUBSCRIBE", "c")}, []act{on("GET", "z"), on("PUBLISH", "c", "v")}),
		"a watched key":        one([]act{on("WATCH", "x"), on("MULTI"), on("SET", "z", "v"), on("EXEC")}, []act{on("GET", "z"), on("SET", "x", "v")}),
		"random numbers":       one([]act{on("SADD", "sx", "a", "b", "c", "d"), on("SPOP", "sx")}, []act{on("SADD", "sz", "a", "b", "c", "d"), on("SPOP", "sz")}),
		"goroutines":           shared,
		"a section":            one([]act{after}, []act{on("GET", "y"), within}),
		"a restart":            one([]act{on("SET", "x", "v")}, []act{elsewhere, on("GET", "x"), on("GET", "z")}).within(Bounds{Restarts: 1}),
		"an outage":            one([]act{on("SET", "x", "v")}, []act{elsewhere, on("GET", "x"), on("GET", "z")}).within(Bounds{Outages: 1}),
		"a last write":         one([]act{on("INCR", "nx"), on("GET", "y")}, []act{on("INCR", "nz"), on("GET", "y")}).within(Bounds{Failovers: 1}),
		"scripts forgotten":    one([]act{on("GET", "z"), on("SCRIPT", "FLUSH"), on("INCR", "nx"), on(sha...)}, []act{on("EVAL", compareAndDeleteScript, "1", "z", "w"), on("SET", "z", "v"), on("GET", "nx"), on("EVAL", compareAndDeleteScript, "1", "z", "w")}),
		"a queued SCRIPT":      one([]act{on("MULTI"), on("SCRIPT", "FLUSH"), later(on("EXEC"), 2)}, []act{later(load, 1), later(load, 2)}, []act{later(elsewhere, 3), on(sha...)}),
		"any channel":          one([]act{on("PSUBSCRIBE", "*"), on("PSUBSCRIBE", "*")}, []act{on("CONFIG", "SET", "notify-keyspace-events", "KEA"), on("INCR", "nx"), on("INCR", "nz")}),
		"who is hung up on":    one([]act{elsewhere, on("GET", "x")}, []act{on("CLIENT", "KILL", "TYPE", "normal"), on("GET", "y")}),
		"who is held up first": one([]act{on("CLIENT", "PAUSE", "200", "WRITE"), on("INCR", "nx")}, []act{on("INCR", "nx")}),
		"who has crashed":      one([]act{on("GET", "x")}, []act{on("GET", "z"), on("CLIENT", "LIST")}).within(Bounds{Crashes: 1}),
		"memory":               one([]act{on("CONFIG", "SET", "maxmemory", "829200"), on("INCR", "nx")}, []act{on("CONFIG", "GET", "maxmemory"), on("GET", "long"), on("SET", "long", strings.Repeat("v", 20000))}),
		"what a check is told": one([]act{on("SET", "x", "v")}, []act{on("GET", "y"), on("SET", "z", "v")}),
	} {
		t.Run(name, func(t *testing.T) { compare(t, p) })
	}
}

// A check that asks of all keys notices each, also of a server that is called by an address with a slash.
func TestAServerMayBeCalledByItsAddress(t *testing.T) {
	for _, server := range []string{"redis", "unix:///run/redis.sock"} {
		v := Search(t, func(w *World) {
			w.Process("A", func(ctx context.Context, p *Process) {
				rdb := p.Redis(server)
				rdb.Set(ctx, "x", "v", 0)
				rdb.Del(ctx, "x")
			})
			w.Process("B", func(ctx context.Context, p *Process) { p.Redis(server).Set(ctx, "y", "v", 0) })
			history := ""
			w.Check("there are two at a time", func() error {
				if is := w.Do(server, "DBSIZE"); !strings.HasSuffix(history, is) {
					history += is
				}
				if history == "0101" {
					return errors.New("there were not")
				}
				return nil
			})
		}, Bounds{})
		if v.Broken == nil {
			t.Errorf("%s: %s", server, v)
		}
	}
}

var reduced = sample.Generated{All: 2000, Sample: 10}

// The search finds with one order of requests that have nothing to do with each other whatever it
// finds with all: the same outcomes, and as short a failure.
func TestTheReductionLosesNothing(t *testing.T) {
	compared, broke, some, all := 0, 0, 0, 0
	for _, seed := range reduced.Seeds(t) {
		full, v := compare(t, drawPlan(seed))
		if !full.exhausted && full.Broken == nil {
			continue
		}
		compared, some, all = compared+1, some+v.Schedules, all+full.Schedules
		if v.Broken != nil {
			broke++
		}
	}
	t.Logf("%d scenarios, of which %d break; %d schedules of %d", compared, broke, some, all)
	if compared < 5 || broke < 1 {
		t.Error("too few to prove anything")
	}
}

// compare searches a plan with the reduction and without, to its end and for what breaks.
func compare(t *testing.T, p plan) (full, v Verdict) {
	t.Helper()
	every := p.bounds
	every.AllOrders = true
	all, some := outcomes{}, outcomes{}
	full = Search(t, p.scenario(all, false), every)
	if !full.exhausted {
		return full, v
	}
	v = Search(t, p.scenario(some, false), p.bounds)
	if missing, more := all.without(some), some.without(all); len(missing)+len(more) > 0 || full.Strayed+v.Strayed > 0 {
		t.Errorf("%d schedules, %d with all orders; missing %.500q, more %.500q\n%s\n%s\n%s", v.Schedules, full.Schedules, missing, more, p, v, full)
	}
	broken, found := Search(t, p.scenario(outcomes{}, true), every), Search(t, p.scenario(outcomes{}, true), p.bounds)
	if (broken.Broken == nil) != (found.Broken == nil) || len(broken.Schedule) != len(found.Schedule) {
		t.Errorf("it breaks with\n%s\nand with all orders with\n%s\n%s", found, broken, p)
	}
	full.Broken, v.Broken = broken.Broken, found.Broken
	return full, v
}
