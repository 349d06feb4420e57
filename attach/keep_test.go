package attach_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/node/redis/clients"
)

// Ten minutes of a busy service: whoever looks back finds the lock that was taken away at their beginning, and who has
// locks now; reads have left first.
func TestWhatMattersStays(t *testing.T) {
	r, client := follow(t)
	a, b := client("a"), client("b")
	ctx := t.Context()
	must(t, a.SetNX(ctx, "config", "still-mine", time.Hour).Err())
	must(t, a.SetNX(ctx, "stock", "token-a", time.Hour).Err())
	must(t, b.Del(ctx, "stock").Err())
	for i := range 3000 {
		switch i % 10 {
		case 0:
			must(t, a.SetNX(ctx, "order", i, time.Hour).Err())
		case 5:
			must(t, a.Del(ctx, "order").Err())
		case 3:
			must(t, b.Incr(ctx, fmt.Sprint("data-", i%7)).Err())
		default:
			must(t, b.Exists(ctx, "data").Err())
		}
	}
	trace, numbers, _ := r.Trace()
	if len(trace.Steps) > 1000 || numbers[len(numbers)-1] != 3003 {
		t.Errorf("%d of %d steps are kept", len(trace.Steps), numbers[len(numbers)-1])
	}
	for n, what := range map[int]string{1: "set config", 3: "del stock"} {
		if i := slices.Index(numbers, n); i < 0 || !strings.Contains(told(trace)[i], what) {
			t.Errorf("step %d, %s, has left", n, what)
		}
	}
	gets, takes := 0, 0
	for _, line := range told(trace)[:len(trace.Steps)-300] {
		if strings.Contains(line, "exists data") {
			gets++
		}
		if strings.Contains(line, "enter order") {
			takes++
		}
	}
	if gets > 10 || takes < 200 {
		t.Errorf("of old steps %d reads are kept, and %d takes", gets, takes)
	}
	now := trace.At(len(trace.Steps))
	for i := 1; i < 7; i++ {
		if k, _ := now.Nodes[0].Key(fmt.Sprint("data-", i)); k.Text == "" {
			t.Errorf("data-%d is not shown", i)
		}
	}
	warnings, _ := r.Warnings()
	if len(warnings) != 1 || warnings[0].Step != 3 || warnings[0].Lock != "stock" || warnings[0].Client != "b" {
		t.Errorf("the warnings are %v", warnings)
	}
	play(t, r)
}

// Since when locks are held and waited for is known after the steps have left by which they were taken and refused.
func TestSinceWhenALockIsHeldStays(t *testing.T) {
	r, client := follow(t)
	a, b := client("a"), client("b")
	ctx := t.Context()
	must(t, a.SetNX(ctx, "stock", "token-a", time.Hour).Err())
	must(t, b.SetNX(ctx, "stock", "token-b", time.Hour).Err())
	_, _, claims := r.Trace()
	want := claims[2]
	if len(want) != 2 || want[0].Actor != "a" || want[0].Waits || want[1].Actor != "b" || !want[1].Waits {
		t.Fatalf("the claims are %v", want)
	}
	for range 600 { // each takes a step that matters as much, and a warning
		must(t, a.SetNX(ctx, "forever", "token-a", 0).Err())
		must(t, a.PExpire(ctx, "stock", time.Hour).Err())
		must(t, a.Del(ctx, "forever").Err())
	}
	trace, numbers, claims := r.Trace()
	if numbers[0] < 3 {
		t.Fatalf("step %d has not left", numbers[0])
	}
	different := 0
	for i, now := range claims {
		for _, c := range want {
			if !slices.Contains(now, c) {
				t.Fatalf("after step %d of %d the claims are %v, not with %v", i, len(trace.Steps), now, c)
			}
		}
		if i > 0 && &now[0] != &claims[i-1][0] {
			different++
			if s := trace.Steps[i-1]; s.Changes[0].Key == "stock" {
				t.Errorf("step %d changes no claim, and has its own", i)
			}
		}
	}
	if different < 100 {
		t.Errorf("claims change %d times", different)
	}
}

// A waiter that asks again and again is one line, until the lock is another's.
func TestRefusedPollsAreOneLine(t *testing.T) {
	r, client := follow(t)
	a, b, c := client("a"), client("b"), client("c")
	ctx := t.Context()
	must(t, a.SetNX(ctx, "lock", "token-a", time.Hour).Err())
	release := `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end`
	for range 5 {
		must(t, b.SetNX(ctx, "lock", "token-b", time.Hour).Err())
		must(t, b.Eval(ctx, release, []string{"lock"}, "token-b").Err()) // as redsync does
		must(t, c.Exists(ctx, "data").Err())
	}
	must(t, a.Del(ctx, "lock").Err())
	must(t, c.SetNX(ctx, "lock", "token-c", time.Hour).Err())
	for range 3 {
		must(t, b.SetNX(ctx, "lock", "token-b", time.Hour).Err())
	}
	trace := when(t, r, func(t *engine.Trace) bool { return pollsIn(t) == 6 })
	var asked []int
	for _, s := range trace.Steps {
		for _, n := range s.Notes {
			if n.Kind == engine.NoteRefused {
				asked = append(asked, n.Times)
			}
		}
	}
	if !slices.Equal(asked, []int{5, 3}) || len(trace.Steps) != 10 {
		t.Errorf("it was refused %v times, and there are %d steps", asked, len(trace.Steps))
	}
}

// A warning that comes again counts, and stays until somebody has read it.
func TestWarningsStayUntilTheyAreRead(t *testing.T) {
	r, client := follow(t)
	a := client("a")
	for range 3 {
		must(t, a.SetNX(t.Context(), "lock", "token", 0).Err())
		must(t, a.Del(t.Context(), "lock").Err())
	}
	must(t, a.SetNX(t.Context(), "other", "token", 0).Err())
	says := func() (all []string) {
		warnings, _ := r.Warnings()
		for _, w := range warnings {
			all = append(all, fmt.Sprintf("%s %s %d times, last in step %d", w.Client, w.Lock, w.Times, w.Step))
		}
		return all
	}
	if want := []string{"a other 1 times, last in step 7", "a lock 3 times, last in step 5"}; !slices.Equal(says(), want) {
		t.Errorf("the warnings are %q", says())
	}
	warnings, _ := r.Warnings()
	r.Read(warnings[0].ID)
	if want := []string{"a lock 3 times, last in step 5"}; !slices.Equal(says(), want) {
		t.Errorf("then they are %q", says())
	}
	for i := range 60 {
		must(t, a.SetNX(t.Context(), fmt.Sprint("lock-", i), "token", 0).Err())
	}
	if warnings, left := r.Warnings(); len(warnings) != 50 || left != 11 {
		t.Errorf("%d warnings wait to be read, %d have left", len(warnings), left)
	}
	if r.Read(0); len(says()) > 0 {
		t.Errorf("all are read but %q", says())
	}
}

// A lesson ends on the last rule that was broken, and has it.
func TestALessonEndsOnTheLastWarning(t *testing.T) {
	for name, tt := range map[string]struct {
		does func(a, b func(...any))
		has  string
	}{
		"somebody else's lock": {func(a, b func(...any)) {
			a("SET", "lock", "token-a", "NX", "PX", 60000)
			b("DEL", "lock")
		}, "broken: [released-by-its-holder]"},
		"no TTL": {func(a, _ func(...any)) {
			a("SETNX", "lock", "token-a")
		}, "broken: [the-key-expires]"},
	} {
		t.Run(name, func(t *testing.T) {
			r, client := follow(t)
			does := func(name string) func(...any) {
				rdb := client(name)
				return func(args ...any) { must(t, rdb.Do(t.Context(), args...).Err()) }
			}
			a, b := does("a"), does("b")
			b("SET", "data", "x")
			tt.does(a, b)
			b("SET", "after", "x")
			if l := play(t, r); !strings.Contains(l.YAML, tt.has) || strings.Contains(l.YAML, `"after"`) {
				t.Errorf("it does not end on %s:\n%s", tt.has, l.YAML)
			}
		})
	}
}

// A rule counts what it has held.
func TestARuleCounts(t *testing.T) {
	r, client := follow(t)
	must(t, r.Hold(clients.Rule{Command: "del"}))
	a := client("a")
	for range 2 {
		gone := make(chan error)
		go func() { gone <- a.Del(t.Context(), "key").Err() }()
		for range time.Tick(time.Millisecond) {
			if _, held := r.Holding(); len(held) > 0 {
				break
			}
		}
		r.LetGo(0)
		must(t, <-gone)
	}
	if rules, _ := r.Holding(); rules[0].Times != 2 {
		t.Errorf("it has held %d", rules[0].Times)
	}
}
