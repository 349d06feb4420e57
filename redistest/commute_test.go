package redistest

import (
	"crypto/sha1" //nolint:gosec // is how EVALSHA names a script
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"lockstep/node/redis/conversations"
	"lockstep/node/redis/port"
	"lockstep/node/sample"
)

// sent is a request of one of several processes: a command, or all of a transaction.
type sent struct {
	who      int
	commands [][]string
}

func (s sent) String() string { return fmt.Sprintf("%c: %v", 'A'+s.who, s.commands) }

// pair is two requests of two processes, and what was sent before both.
type pair struct {
	before        []sent
	first, second sent
}

// of makes a request of lines.
func of(who int, lines ...string) sent {
	s := sent{who: who}
	for _, line := range lines {
		s.commands = append(s.commands, strings.Fields(line))
	}
	return s
}

// scripts that name none of their keys, and one that publishes.
var undeclared = []string{
	`return redis.call("SET", ARGV[1], ARGV[2], "NX") or redis.call("DBSIZE")`,
	`if redis.call("EXISTS", "s1") == 1 then return redis.call("INCR", "n") end return redis.call("LLEN", "l1")`,
	`redis.call("PUBLISH", "c", "m") return 1`,
	`return redis.pcall("LPUSH", "s1", "v")`,
	`return redis.call("SPOP", "t1")`,
	`redis.call("DEL", "l1") return 1`,
	`return redis.call("LMOVE", "l1", "l2", "LEFT", "LEFT")`,
}

// waiting may wait, and special are about more than keys.
var (
	waiting = strings.Split("BLPOP l1 l2 5|BLPOP l1 5|BRPOP l2 5|BLMOVE l1 l2 LEFT RIGHT 5|BRPOPLPUSH l2 l1 5|BLMPOP 5 2 l1 l2 LEFT|BZPOPMIN z1 z2 5|"+
		"BZPOPMAX z1 5|BZMPOP 5 1 z1 MIN|XREAD BLOCK 5000 STREAMS x1 $|XREAD BLOCK 5000 STREAMS x1 x2 0 $", "|")
	special = strings.Split("SUBSCRIBE c|PSUBSCRIBE c*|PUBLISH c m|UNSUBSCRIBE|PUBSUB NUMSUB c|SCRIPT FLUSH|CONFIG SET notify-keyspace-events KEA|"+
		"CONFIG GET notify-keyspace-events|FLUSHALL|DBSIZE|KEYS *|SPOP t1|SPOP t2|CLIENT UNBLOCK 3|CLIENT KILL ID 4|PSUBSCRIBE __key*|"+
		"SUBSCRIBE __keyevent@0__:set|SSUBSCRIBE c|SPUBLISH c m|CLIENT PAUSE 50 WRITE|CLIENT PAUSE 50|CLIENT UNPAUSE|CLIENT TRACKING ON BCAST|"+
		"EXPIRE s1 0|PEXPIRE l1 -1|RENAME l1 l2|MSETNX s1 a l2 b", "|")
)

func anyOf[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// drawSent draws a request.
func drawSent(r *rand.Rand, who int) sent {
	command := func() []string {
		switch r.IntN(10) {
		case 0, 1:
			return strings.Fields(anyOf(r, waiting))
		case 2:
			script := anyOf(r, undeclared)
			if r.IntN(2) == 0 {
				return []string{"EVAL", script, "0", anyOf(r, conversations.Keys), "v"}
			}
			return []string{"EVALSHA", shaOf(script), "0", anyOf(r, conversations.Keys), "v"}
		case 3:
			return strings.Fields(anyOf(r, special))
		}
		return conversations.Command(r)
	}
	switch r.IntN(10) {
	case 0:
		return sent{who, [][]string{{"MULTI"}, command(), {"EXEC"}}}
	case 1:
		return sent{who, [][]string{{"WATCH", anyOf(r, conversations.Keys), anyOf(r, conversations.Keys)}}}
	case 2:
		return of(who, anyOf(r, []string{"MULTI", "EXEC", "EXEC", "DISCARD", "UNWATCH"}))
	}
	return sent{who, [][]string{command()}}
}

func shaOf(script string) string { return fmt.Sprintf("%x", sha1.Sum([]byte(script))) } //nolint:gosec // as above

func drawPair(seed uint64) (p pair) {
	r := rand.New(rand.NewPCG(seed, 5))
	for range r.IntN(9) {
		p.before = append(p.before, drawSent(r, anyOf(r, []int{0, 0, 1, 1, 2, 3, 4})))
	}
	p.first, p.second = drawSent(r, 0), drawSent(r, 1)
	return p
}

// connected is a run in which each of five processes has a connection to one server, the last as one who is told what changes.
func connected() (r *run, conns []*wire) {
	r = newRun(nil, nil, Bounds{}, nil)
	r.over, r.arrived, r.begin = make(chan struct{}), make(chan struct{}, 1), time.Now()
	for i := range 5 {
		p := &Process{Name: string(rune('A' + i)), run: r, number: i}
		r.processes = append(r.processes, p)
		conn, _ := r.connect(p, "redis")
		conns = append(conns, conn.(*wire))
	}
	tracker := conns[4]
	tracker.local.Send(port.Encode([]string{"HELLO", "3"}, []string{"CLIENT", "TRACKING", "ON"}))
	tracker.stays = true
	return r, conns
}

// sends performs a request as a search does, and returns what it has used.
func (r *run) sends(w *wire, commands [][]string) footprint {
	if w.err != nil {
		return footprint{}
	}
	q := newRequest(w, port.Encode(commands...), commands)
	s := step{kind: performs, request: q, process: w.process, mark: mark{Name: q.name}}
	r.startStep(s)
	r.send(s)
	r.settle()
	return r.feet[len(r.feet)-1]
}

// whatCameOf is all that clients can tell of a server, what they were told, and who still waits for what.
func (r *run) whatCameOf(conns []*wire) string {
	s := r.serverNow("redis")
	var b strings.Builder
	for _, k := range s.redis.Snapshot() {
		fmt.Fprintf(&b, "%x ", k.Digest())
	}
	for _, line := range []string{
		"PUBSUB CHANNELS", "PUBSUB NUMPAT", "PUBSUB NUMSUB c", "CONFIG GET notify-keyspace-events", "CLIENT UNPAUSE", "MSET s1 a s2 b",
		"DEL l1 l2 z1 z2 x1 x2 s1 s2", "RPUSH l1 1 2 3", "RPUSH l2 4 5 6", "ZADD z1 1 a 2 b", "ZADD z2 1 a 2 b", "XADD x1 999999 a b", "XADD x2 999999 a b", "PUBLISH c end",
	} {
		fmt.Fprintf(&b, "%s: %q\n", line, s.ask(strings.Fields(line)...))
	}
	for _, script := range undeclared {
		b.WriteString(s.ask("SCRIPT", "EXISTS", shaOf(script)))
	}
	for _, w := range conns {
		w.local.Send(port.Encode([]string{"EXEC"}))
		fmt.Fprintf(&b, "%s: %q %v\n", w.process.Name, w.in, w.err)
	}
	return b.String()
}

// inOrder performs one request after the other, and returns what the first has used and what came of both.
func (p pair) inOrder(first, second sent) (footprint, string) {
	r, conns := connected()
	for _, s := range p.before {
		r.sends(conns[s.who], s.commands)
	}
	used := r.sends(conns[first.who], first.commands)
	r.sends(conns[second.who], second.commands)
	return used, r.whatCameOf(conns)
}

// conflicts tells whether two requests conflict. It fails if they do not, and come to something else in the other order.
func (p pair) conflicts(t *testing.T) bool {
	t.Helper()
	used, came := p.inOrder(p.first, p.second)
	other, otherwise := p.inOrder(p.second, p.first)
	if used.conflicts(other) {
		return true
	}
	if came != otherwise {
		t.Errorf("after %v\n%s uses %v\n%s uses %v, and one after the other comes to\n%s\nor else to\n%s", p.before,
			p.first, slices.Sorted(maps.Keys(used)), p.second, slices.Sorted(maps.Keys(other)), came, otherwise)
	}
	return false
}

var exchanged = sample.Generated{All: 200_000, Sample: 2000}

// Requests whose footprints do not conflict come to the same in either order, whatever was sent before: to the same data,
// the same replies and messages, and the same who wait. Keys and footprints know nothing of each other here.
func TestRequestsThatDoNotConflictComeToTheSame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // in which no time passes
		time.Sleep(time.Until(time.UnixMilli(1_760_000_000_000)))
		for name, p := range map[string]pair{
			"a refused EXEC":    {[]sent{of(0, "WATCH s1"), of(0, "EXEC")}, of(0, "MULTI", "INCR n", "EXEC"), of(1, "SET s1 v")},
			"a refused DISCARD": {[]sent{of(0, "WATCH s1"), of(0, "DISCARD")}, of(0, "MULTI", "INCR n", "EXEC"), of(1, "SET s1 v")},
			"a queued UNWATCH":  {[]sent{of(0, "WATCH s1"), of(0, "MULTI"), of(0, "UNWATCH")}, of(0, "EXEC"), of(1, "SET s1 v")},
			"held up":           {[]sent{of(2, "CLIENT PAUSE 50 WRITE")}, of(0, "MULTI", "APPEND s1 a", "EXEC"), of(1, "MULTI", "APPEND s1 b", "EXEC")},
		} {
			if !p.conflicts(t) {
				t.Errorf("%s: there is no conflict", name)
			}
		}
		conflicts, all := 0, exchanged.Seeds(t)
		for _, seed := range all {
			if p := drawPair(seed); p.conflicts(t) {
				conflicts++
			}
		}
		t.Logf("%d of %d pairs conflict", conflicts, len(all))
		if conflicts < len(all)/4 || conflicts > len(all)*3/4 {
			t.Error("too many, or too few, for this to mean anything")
		}
	})
}
