package redistest

import (
	"bufio"
	"context"
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
	processes, servers, left := 2+r.IntN(2), 1+r.IntN(3), 7
	for i := range processes {
		var acts []act
		for range min(2+r.IntN(5-processes), left) {
			left--
			acts = append(acts, drawAct(r, servers, fmt.Sprintf("%c%d", 'A'+i, len(acts))))
		}
		goroutines := [][]act{acts}
		if r.IntN(4) == 0 && len(acts) > 1 {
			goroutines = [][]act{acts[:1], acts[1:]}
		}
		p.processes = append(p.processes, goroutines)
	}
	b := &p.bounds
	for _, n := range []*int{&b.Ticks, &b.Pauses, &b.Losses, &b.Drops, &b.Slow, &b.Crashes, &b.Restarts, &b.Outages, &b.Hangs} {
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

func drawAct(r *rand.Rand, servers int, value string) act {
	keys := []string{"x", "y", "z"}
	k, other := keys[r.IntN(3)], keys[r.IntN(3)]
	commands := [][]string{
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
		{"EVALSHA", "0123456789012345678901234567890123456789", "1", k},
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
		{"SADD", "s" + k, value},
		{"SPOP", "s" + k},
	}
	a := act{server: fmt.Sprintf("n%d", r.IntN(servers)), args: commands[r.IntN(len(commands))], unless: r.IntN(4) == 0, inside: r.IntN(4) == 0}
	if r.IntN(5) == 0 {
		a.sleep = time.Duration(r.IntN(4)) * 200 * time.Millisecond
	}
	return a
}

func (p plan) String() string {
	return fmt.Sprintf("%v\n%+v", p.processes, p.bounds)
}

// outcomes are what the runs of a plan come to, and the states that checks have seen.
type outcomes map[string]bool

// scenario plays a plan. What breaks only ends a run where it is to.
func (p plan) scenario(seen outcomes, breaks bool) func(w *World) {
	return func(w *World) {
		logs := make([][]strings.Builder, len(p.processes))
		for i, goroutines := range p.processes {
			logs[i] = make([]strings.Builder, len(goroutines))
			w.Process(string(rune('A'+i)), func(ctx context.Context, pr *Process) {
				var wg sync.WaitGroup
				for g, acts := range goroutines {
					wg.Go(func() { play(ctx, w, pr, acts, &logs[i][g]) })
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

func play(ctx context.Context, w *World, p *Process, acts []act, log *strings.Builder) {
	c := &raw{p, ctx, map[string]net.Conn{}, map[string]*bufio.Reader{}}
	last := "start"
	for _, a := range acts {
		if a.unless && (last == "nil" || last == ":0") {
			continue
		}
		time.Sleep(a.sleep)
		do := func() {
			last = c.do(a.server, a.args...)
			fmt.Fprintf(log, "%s@%d;", last, time.Since(w.run.begin).Milliseconds())
		}
		if a.inside {
			w.Inside(ctx, "S", do)
		} else {
			do()
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

var reduced = sample.Generated{All: 2000, Sample: 20}

// The search finds with one order of requests that have nothing to do with each other whatever it
// finds with all: the same outcomes, and as short a failure.
func TestTheReductionLosesNothing(t *testing.T) {
	schedules, compared, broke := [2]int{}, 0, 0
	for _, seed := range reduced.Seeds(t) {
		p := drawPlan(seed)
		var all, some outcomes = outcomes{}, outcomes{}
		every := p.bounds
		every.AllOrders = true
		full := Search(t, p.scenario(all, false), every)
		if !full.exhausted {
			continue
		}
		v := Search(t, p.scenario(some, false), p.bounds)
		if missing, more := all.without(some), some.without(all); len(missing)+len(more) > 0 || full.Strayed+v.Strayed > 0 {
			t.Errorf("seed %d: %d schedules, %d with all orders; missing %.500q, more %.500q\n%s\n%s\n%s", seed, v.Schedules, full.Schedules, missing, more, p, v, full)
		}
		compared++
		schedules[0] += v.Schedules
		schedules[1] += full.Schedules
		full, v = Search(t, p.scenario(outcomes{}, true), every), Search(t, p.scenario(outcomes{}, true), p.bounds)
		if (full.Broken == nil) != (v.Broken == nil) || len(full.Schedule) != len(v.Schedule) {
			t.Errorf("seed %d: it breaks with\n%s\nand with all orders with\n%s\n%s", seed, v, full, p)
		}
		if v.Broken != nil {
			broke++
		}
	}
	t.Logf("%d scenarios, of which %d break; %d schedules of %d", compared, broke, schedules[0], schedules[1])
	if compared < 5 || broke < 1 {
		t.Error("too few to prove anything")
	}
}
