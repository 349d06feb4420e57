package attach_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/attach"
	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/author"
	"lockstep/node/redis/port"
)

// follow starts a server with a recorder, and returns what makes clients of it: an embedded one, unless a test
// of real ones says so.
var follow = embedded

func embedded(t *testing.T) (r *attach.Recorder, client func(name string) *redis.Client) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := port.New(port.Real, slog.New(slog.NewTextHandler(io.Discard, nil)))
	r = attach.Follow(server)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error)
	go func() { served <- server.Serve(ctx, listener) }()
	t.Cleanup(func() {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return r, func(name string) *redis.Client {
		rdb := redis.NewClient(&redis.Options{Addr: listener.Addr().String(), ClientName: name, Protocol: 2, DisableIdentity: true})
		t.Cleanup(func() { _ = rdb.Close() })
		return rdb
	}
}

// told is a trace in short: who did what, and what the recorder makes of it.
func told(trace *engine.Trace) (lines []string) {
	for _, s := range trace.Steps {
		line := s.Choice.Target
		switch q := s.Request.(type) {
		case engine.Exec:
			what := strings.Join(q.Op.Args, " ")
			if q.Op.Script != nil {
				what = "script"
			}
			line += ": " + what
		case engine.Subscribe:
			line += ": subscribe " + q.Channel
		case nil:
			line = "expired " + s.Expired[0].Key
		}
		if s.Reply != nil {
			line += " → " + s.Reply.String()
		}
		for _, n := range s.Notes {
			line += fmt.Sprintf(", %s %s %s", n.Actor, n.Kind, n.Text)
		}
		for _, b := range s.Broken {
			line += "! " + b.String()
		}
		lines = append(lines, line)
	}
	return lines
}

func expect(t *testing.T, r *attach.Recorder, want ...string) {
	t.Helper()
	trace, _, _ := r.Trace()
	if got := told(trace); !slices.Equal(got, want) {
		t.Errorf("it is\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// steps waits until so many steps are there.
func steps(t *testing.T, r *attach.Recorder, n int) *engine.Trace {
	t.Helper()
	return when(t, r, func(trace *engine.Trace) bool { return len(trace.Steps) >= n })
}

// when waits until the trace is so.
func when(t *testing.T, r *attach.Recorder, is func(*engine.Trace) bool) *engine.Trace {
	t.Helper()
	for range time.Tick(time.Millisecond) {
		if trace, _, _ := r.Trace(); is(trace) {
			return trace
		}
	}
	panic("a ticker does not end")
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestCommandsAreSteps(t *testing.T) {
	r, client := follow(t)
	a, b := client("a"), client("b")
	must(t, a.Set(t.Context(), "n", 1, 0).Err())
	_, err := b.TxPipelined(t.Context(), func(p redis.Pipeliner) error {
		p.Incr(t.Context(), "n")
		p.RPush(t.Context(), "l", "x")
		return nil
	})
	must(t, err)
	must(t, a.Del(t.Context(), "l").Err())
	must(t, a.FlushAll(t.Context()).Err())
	expect(t, r, "a: set n 1 → OK", "b: MULTI incr n rpush l x → [2, 1]", "a: del l → 1", "a: flushall → OK")
	trace, _, _ := r.Trace()
	if k, ok := trace.Steps[1].After.Nodes[0].Key("n"); !ok || k.Text != "2" || k.Deadline != engine.NoDeadline {
		t.Errorf("n is %v", k)
	}
	if left := trace.At(4).Nodes[0].Keys; len(left) > 0 || len(trace.Steps[3].Changes) != 1 {
		t.Errorf("FLUSHALL leaves %v", left)
	}
}

// A lesson has one database: what happened in another is no command of it.
func TestAnotherDatabaseIsNotRecorded(t *testing.T) {
	r, client := follow(t)
	a := client("a").Conn()
	defer a.Close()
	must(t, a.Set(t.Context(), "here", 1, 0).Err())
	must(t, a.Select(t.Context(), 1).Err())
	must(t, a.Set(t.Context(), "there", 1, 0).Err())
	var text strings.Builder
	for _, f := range r.Recording().Files() {
		text.WriteString(f.Text)
	}
	if got := text.String(); !strings.Contains(got, "here") || strings.Contains(got, "there") || !strings.Contains(got, "SELECT-ANOTHER-DATABASE") {
		t.Error(got)
	}
}

func TestResetEndsATransaction(t *testing.T) {
	r, client := follow(t)
	a := client("a").Conn()
	defer a.Close()
	for _, command := range []string{"MULTI", "RESET", "SET n 1"} {
		var args []any
		for word := range strings.FieldsSeq(command) {
			args = append(args, word)
		}
		must(t, a.Do(t.Context(), args...).Err())
	}
	if trace, _, _ := r.Trace(); len(trace.Steps) != 1 || !strings.Contains(told(trace)[0], "SET n 1") {
		t.Errorf("it is %q", told(trace))
	}
}

// The classic mistakes, each made by a client that makes it.
func TestLocksAreRecognised(t *testing.T) {
	r, client := follow(t)
	a, b := client("a"), client("b")
	ctx := t.Context()
	a.SetNX(ctx, "lock", "token-a", time.Hour)
	b.SetNX(ctx, "lock", "token-b", time.Hour)
	b.Del(ctx, "lock")
	b.SetNX(ctx, "lock", "token-b", time.Hour)
	b.PExpire(ctx, "lock", 2*time.Hour)
	b.Persist(ctx, "lock")
	a.Set(ctx, "lock", "token-a", time.Hour)
	a.Del(ctx, "lock")
	a.SetNX(ctx, "lock", "token-a", 0)
	expect(
		t, r,
		`a: set lock token-a ex 3600 nx → OK, a enter lock`,
		`b: set lock token-b ex 3600 nx → nil, b want lock, b refused lock`,
		`b: del lock → 1, a leave lock! released-by-holder: b removed the lock "lock" while a was inside`,
		`b: set lock token-b ex 3600 nx → OK, b enter lock`,
		`b: pexpire lock 7200000 → 1`,
		`b: persist lock → 1! no-lock-without-ttl: the lock "lock" has no TTL: if its holder dies, the lock stays forever`,
		`a: set lock token-a ex 3600 → OK, b leave lock, a enter lock! released-by-holder: a removed the lock "lock" while b was inside`,
		`a: del lock → 1, a leave lock`,
		`a: set lock token-a nx → OK, a enter lock! no-lock-without-ttl: the lock "lock" has no TTL: if its holder dies, the lock stays forever`,
	)
}

// Whoever comes back to a lock after its lease has ended worked on without it.
func TestALeaseThatWasOutlived(t *testing.T) {
	r, client := follow(t)
	a, b := client("a"), client("b")
	release := redis.NewScript(`if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end return 0`)
	must(t, a.SetNX(t.Context(), "lock", "token-a", 200*time.Millisecond).Err())
	must(t, b.SetNX(t.Context(), "lock", "token-b", time.Hour).Err())
	steps(t, r, 3) // the lease has ended
	must(t, b.SetNX(t.Context(), "lock", "token-b", time.Hour).Err())
	must(t, release.Eval(t.Context(), a, []string{"lock"}, "token-a").Err())
	must(t, release.Eval(t.Context(), b, []string{"lock"}, "token-b").Err())
	expect(
		t, r,
		"a: set lock token-a px 200 nx → OK, a enter lock",
		"b: set lock token-b ex 3600 nx → nil, b want lock, b refused lock",
		"expired lock",
		"b: set lock token-b ex 3600 nx → OK, b enter lock",
		"a: script → 0! lease-outlived: a, lock",
		"b: script → 1, b leave lock",
	)
	l := play(t, r)
	if !strings.Contains(l.YAML, "broken: [mutual-exclusion]") {
		t.Errorf("in the lesson nobody is inside beside another\n%s", l.YAML)
	}
}

// Who takes a lock again after its lease has ended begins anew: to give it back is no mistake.
func TestALockIsTakenAgain(t *testing.T) {
	r, client := follow(t)
	a, b := client("a"), client("b")
	ctx := t.Context()
	must(t, a.SetNX(ctx, "lock", "token-a", 50*time.Millisecond).Err())
	steps(t, r, 2) // the lease has ended
	must(t, a.SetNX(ctx, "lock", "token-a2", time.Hour).Err())
	must(t, b.SetNX(ctx, "lock", "token-b", time.Hour).Err())
	must(t, a.Del(ctx, "lock").Err())
	expect(
		t, r,
		"a: set lock token-a px 50 nx → OK, a enter lock", "expired lock",
		"a: set lock token-a2 ex 3600 nx → OK, a enter lock",
		"b: set lock token-b ex 3600 nx → nil, b want lock, b refused lock",
		"a: del lock → 1, a leave lock",
	)
}

// Only a lock must have a TTL.
func TestATTLMayBeTakenFromWhatIsNoLock(t *testing.T) {
	r, client := follow(t)
	a := client("a")
	must(t, a.Set(t.Context(), "cached", "text", time.Hour).Err())
	must(t, a.Persist(t.Context(), "cached").Err())
	must(t, a.Set(t.Context(), "cached", "other", 0).Err())
	expect(t, r, "a: set cached text ex 3600 → OK", "a: persist cached → 1", "a: set cached other → OK")
}

// Those who wait are shown for as many locks as keys are, and no more.
func TestWaitersHaveABound(t *testing.T) {
	r, client := follow(t)
	a, b, c := client("a"), client("b"), client("c")
	for i := range 61 {
		key := fmt.Sprint("lock-", i)
		must(t, a.SetNX(t.Context(), key, "token-a", time.Hour).Err())
		must(t, b.SetNX(t.Context(), key, "token-b", time.Hour).Err())
		if i == 59 { // there are as many as there may be, and this is one of them
			must(t, c.SetNX(t.Context(), key, "token-c", time.Hour).Err())
		}
		must(t, a.Del(t.Context(), key).Err()) // b does not know, and waits on
	}
	trace, _, _ := r.Trace()
	wanted := trace.At(len(trace.Steps)).Wanted
	both := func(h engine.Holding) bool {
		return h.Section == "lock-59" && slices.Equal(h.Actors, []string{"b", "c"})
	}
	if len(wanted) != 60 || !slices.ContainsFunc(wanted, both) {
		t.Errorf("%d locks are wanted: %v", len(wanted), wanted)
	}
	if told := told(trace); !strings.HasSuffix(told[len(told)-2], "→ nil, b refused lock-60") {
		t.Errorf("the last one is %q", told[len(told)-2])
	}
}

// Who has a lock and takes it again has one hold: what is wrong with the lock is told once.
func TestALockThatIsTakenAgainIsNoNewHold(t *testing.T) {
	r, client := follow(t)
	lock := redis.NewScript(`if (redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[2]) == 1) then
		redis.call('hincrby', KEYS[1], ARGV[2], 1) return nil end return redis.call('pttl', KEYS[1]);`)
	a := client("a")
	for range 2 {
		lock.Eval(t.Context(), a, []string{"order"}, 30000, "uuid-a:1")
	}
	trace, _, _ := r.Trace()
	if first, second := trace.Steps[0].Broken, trace.Steps[1].Broken; len(first) != 1 || len(second) != 0 {
		t.Errorf("the first breaks %v, the second %v", first, second)
	}
}

// Redisson keeps a hash with a field for each thread, and wakes waiters by a channel.
func TestRedisson(t *testing.T) {
	r, client := follow(t)
	a, b := client("a"), client("b")
	lock := redis.NewScript(`if (redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[2]) == 1) then
		redis.call('hincrby', KEYS[1], ARGV[2], 1) redis.call('pexpire', KEYS[1], ARGV[1]) return nil end return redis.call('pttl', KEYS[1]);`)
	unlock := redis.NewScript(`if (redis.call('hexists', KEYS[1], ARGV[3]) == 0) then return nil end
		local counter = redis.call('hincrby', KEYS[1], ARGV[3], -1)
		if counter > 0 then redis.call('pexpire', KEYS[1], ARGV[2]) return 0 end
		redis.call('del', KEYS[1]) redis.call('publish', KEYS[2], ARGV[1]) return 1`)
	ctx := t.Context()
	listens := b.Subscribe(ctx, "redisson_lock__channel:{order}")
	_, err := listens.Receive(ctx)
	must(t, err)
	lock.Eval(ctx, a, []string{"order"}, 30000, "uuid-a:1")
	lock.Eval(ctx, b, []string{"order"}, 30000, "uuid-b:1")
	lock.Eval(ctx, a, []string{"order"}, 30000, "uuid-a:1")
	for range 2 {
		unlock.Eval(ctx, a, []string{"order", "redisson_lock__channel:{order}"}, 0, 30000, "uuid-a:1")
	}
	lock.Eval(ctx, b, []string{"order"}, 30000, "uuid-b:1")
	a.Del(ctx, "order")
	trace, _, _ := r.Trace()
	var lines []string
	for _, line := range told(trace) {
		if !strings.Contains(line, "(error)") {
			lines = append(lines, strings.TrimPrefix(line, "b: subscribe redisson_lock__channel:{order}"))
		}
	}
	want := []string{
		" → nil", "a: script → nil, a enter order", "", "a: script → nil", "a: script → 0", "a: script → 1, a leave order",
		"b: script → nil, b enter order", `a: del order → 1, b leave order! released-by-holder: a removed the lock "order" while b was inside`,
	}
	if len(lines) != len(want) || !strings.HasSuffix(lines[2], "b want order, b refused order") {
		t.Fatalf("it is\n%s", strings.Join(lines, "\n"))
	}
	want[2] = lines[2] // the TTL that is left
	if !slices.Equal(lines, want) {
		t.Errorf("it is\n%s\nnot\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	heard := 0
	for _, s := range trace.Steps {
		heard += len(s.Delivered)
	}
	if heard != 1 {
		t.Errorf("%d messages were delivered", heard)
	}
}

// Redisson's fair lock keeps a queue beside its hash. Whoever stands in it waits.
func TestRedissonFairLock(t *testing.T) {
	r, client := follow(t)
	source := func(name string) *redis.Script {
		text, err := os.ReadFile("../lessons/clients/fair/" + name + ".lua")
		must(t, err)
		return redis.NewScript(string(text))
	}
	lock, unlock := source("lock"), source("unlock")
	keys := []string{"order", "redisson_lock_queue:{order}", "redisson_lock_timeout:{order}"}
	takes := func(name string) { lock.Eval(t.Context(), client(name), keys, 30000, "uuid-"+name+":1", 300000, 1000) }
	takes("a")
	takes("b")
	takes("c")
	trace, _, _ := r.Trace()
	now := trace.At(len(trace.Steps))
	if want := []engine.Holding{{Section: "order", Actors: []string{"b", "c"}}}; !reflect.DeepEqual(now.Wanted, want) || len(now.Held) != 1 || now.Held[0].Actors[0] != "a" {
		t.Errorf("it is held by %v, and %v wait", now.Held, now.Wanted)
	}
	unlock.Eval(t.Context(), client("a"), append(slices.Clone(keys), "redisson_lock__channel:{order}"), 0, 30000, "uuid-a:1", 1000)
	takes("b")
	trace, _, _ = r.Trace()
	now = trace.At(len(trace.Steps))
	if want := []engine.Holding{{Section: "order", Actors: []string{"c"}}}; !reflect.DeepEqual(now.Wanted, want) || len(now.Held) != 1 || now.Held[0].Actors[0] != "b" {
		t.Errorf("then it is held by %v, and %v wait", now.Held, now.Wanted)
	}
	for _, s := range trace.Steps {
		if len(s.Broken) > 0 {
			t.Errorf("a warning without a reason: %v", s.Broken)
		}
	}
	play(t, r)
}

// play writes what was recorded as a lesson, and plays it.
func play(t *testing.T, r *attach.Recorder) *lessons.Lesson {
	t.Helper()
	var files []lessons.File
	for _, f := range r.Recording().Files() {
		files = append(files, lessons.File{Name: f.Name, Text: f.Text})
	}
	l, problems := author.Reader{}.Read("01-recorded", files)
	if l == nil {
		t.Fatalf("%v\n%s", problems, files[0].Text)
	}
	report, err := lessons.Check(t.Context(), l, l.Open(lessons.Embedded))
	if problems := report.Problems.Of(lessons.Error); err != nil || len(problems) > 0 {
		t.Fatalf("%v\n%v\n%s", err, problems, l.YAML)
	}
	return l
}

// Old steps leave, and what is left still begins where they ended.
func TestOldStepsLeave(t *testing.T) {
	r, client := follow(t)
	rdb := client("a")
	for i := range 1650 {
		must(t, rdb.Set(t.Context(), fmt.Sprint("key-", i%100), i, time.Hour).Err())
	}
	trace, numbers, _ := r.Trace()
	if numbers[len(numbers)-1] != 1650 || len(trace.Steps) > 1000 || trace.Steps[0].N != 1 {
		t.Errorf("of %d steps there are %d", numbers[len(numbers)-1], len(trace.Steps))
	}
	if n := len(trace.Start.Nodes[0].Keys); n != 60 {
		t.Errorf("%d keys are shown", n)
	}
	play(t, r)
}

// The key of a lock that is held stays on the page, whatever else changes; of very many locks,
// those that were taken last.
func TestLocksStayOnThePage(t *testing.T) {
	r, client := follow(t)
	rdb := client("a")
	must(t, rdb.SetNX(t.Context(), "lock", "token", time.Hour).Err())
	for i := range 100 {
		must(t, rdb.Set(t.Context(), fmt.Sprint("key-", i), i, 0).Err())
	}
	trace, _, _ := r.Trace()
	now := trace.At(len(trace.Steps))
	if _, shown := now.Nodes[0].Key("lock"); !shown || len(now.Held) != 1 || len(now.Nodes[0].Keys) != 60 {
		t.Errorf("beside 100 keys the lock is among %d: %v", len(now.Nodes[0].Keys), shown)
	}
	for i := range 1000 {
		must(t, rdb.SetNX(t.Context(), fmt.Sprint("lock-", i), "token", time.Hour).Err())
	}
	trace, _, _ = r.Trace()
	now = trace.At(len(trace.Steps))
	if len(now.Held) != 60 || len(now.Nodes[0].Keys) != 60 || now.Held[59].Section != "lock-999" {
		t.Errorf("of 1,001 locks these are shown: %v", now.Held)
	}
	for i, h := range now.Held {
		if h.Section != now.Nodes[0].Keys[i].Name {
			t.Errorf("%s is held, and shown is %s", h.Section, now.Nodes[0].Keys[i].Name)
		}
	}
	play(t, r)
}

// A client that blocks waits, and is answered by another's step.
func TestBlocking(t *testing.T) {
	r, client := follow(t)
	a, b := client("a"), client("b")
	got := make(chan []string)
	go func() { got <- b.BLPop(context.Background(), 0, "word").Val() }()
	if b, _ := steps(t, r, 1).At(1).Actor("b"); b.Status != engine.Blocked {
		t.Errorf("b is %s", b.Status)
	}
	must(t, a.RPush(t.Context(), "word", "go").Err())
	<-got
	expect(t, r, "b: blpop word 0", "a: rpush word go → 1", `b: blpop word 0 → ["word", "go"]`)
	play(t, r)
}
