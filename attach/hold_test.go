package attach_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/attach"
	"lockstep/engine"
	"lockstep/node/redis/clients"
)

// held waits until so many requests are held.
func held(t *testing.T, r *attach.Recorder, n int) []clients.Held {
	t.Helper()
	for range time.Tick(time.Millisecond) {
		if _, held := r.Holding(); len(held) == n {
			return held
		}
	}
	panic("a ticker does not end")
}

// The classic mistake, made by hand: between GET and DEL the lease ends, and somebody else
// has the lock.
func TestARaceMadeByHand(t *testing.T) {
	r, client := follow(t)
	a, b := client("a"), client("b")
	ctx := t.Context()
	must(t, r.Hold(clients.Rule{Command: "del", Key: "lo*", Client: "a"}))
	must(t, a.SetNX(ctx, "lock", "token-a", 50*time.Millisecond).Err())
	released := make(chan int64)
	go func() {
		if a.Get(context.Background(), "lock").Val() == "token-a" {
			released <- a.Del(context.Background(), "lock").Val()
		}
		close(released)
	}()
	request := held(t, r, 1)[0]
	if request.Actor != "a" || request.Request == nil {
		t.Errorf("held is %v", request)
	}
	steps(t, r, 3) // the lease has ended
	must(t, b.SetNX(ctx, "lock", "token-b", time.Hour).Err())
	if a, _ := steps(t, r, 4).At(4).Actor("a"); a.Status != engine.Unanswered || a.Next == nil {
		t.Errorf("a is %v", a)
	}
	r.LetGo(request.Connection)
	if n := <-released; n != 1 {
		t.Errorf("a released %d", n)
	}
	expect(
		t, r,
		"a: set lock token-a px 50 nx → OK, a enter lock", `a: get lock → "token-a"`, "expired lock",
		"b: set lock token-b ex 3600 nx → OK, b enter lock",
		`a: del lock → 1, b leave lock! lease-outlived: a, lock! released-by-holder: a removed the lock "lock" while b was inside`,
	)
	play(t, r)
}

// A client that times out hangs up: its request is not performed, and its next one is held anew.
func TestAHeldClientGivesUp(t *testing.T) {
	r, client := follow(t)
	must(t, r.Hold(clients.Rule{Command: "incr"}))
	rdb := redis.NewClient(&redis.Options{
		Addr: client("x").Options().Addr, ClientName: "a", DisableIdentity: true, ReadTimeout: 50 * time.Millisecond, MaxRetries: 1,
		MinRetryBackoff: time.Millisecond, MaxRetryBackoff: time.Millisecond,
	})
	defer rdb.Close()
	if err := rdb.Incr(t.Context(), "n").Err(); err == nil {
		t.Error("it was performed")
	}
	trace := steps(t, r, 2)
	for _, s := range trace.Steps {
		if s.NoReply != engine.RequestLost || s.At <= s.From {
			t.Errorf("step %d is %v", s.N, s)
		}
	}
	held(t, r, 0)
	r.LetGo(0)
	if n := client("b").Exists(t.Context(), "n").Val(); n != 0 {
		t.Error("a request was performed whose client had gone")
	}
}

// Without its rule nothing is held any more; with two, only what the other one holds.
func TestRulesAreRemoved(t *testing.T) {
	r, client := follow(t)
	must(t, r.Hold(clients.Rule{Command: "INCR"}))
	must(t, r.Hold(clients.Rule{Key: "special"}))
	a := client("a")
	done := make(chan error, 5)
	for i := range 4 {
		go func() { done <- a.Incr(context.Background(), "n").Err() }()
		held(t, r, i+1)
	}
	go func() {
		_, err := a.TxPipelined(context.Background(), func(p redis.Pipeliner) error {
			p.Incr(context.Background(), "special")
			p.Set(context.Background(), "other", 1, 0)
			return nil
		})
		done <- err
	}()
	held(t, r, 5)
	rules, _ := r.Holding()
	r.Unhold(rules[0].ID)
	for range 4 {
		must(t, <-done)
	}
	held(t, r, 1)
	r.Unhold(rules[1].ID)
	must(t, <-done)
	expect(t, r, "a: incr n → 1", "a: incr n → 2", "a: incr n → 3", "a: incr n → 4", "a: MULTI incr special set other 1 → [1, OK]")
	play(t, r)
}

// A script is held by the first letters of its SHA1, whether it comes as EVAL or as EVALSHA.
func TestScriptsAreHeld(t *testing.T) {
	r, client := follow(t)
	script := redis.NewScript(`return redis.call("INCR", KEYS[1])`)
	must(t, r.Hold(clients.Rule{Script: script.Hash()[:8]}))
	rdb := client("a")
	must(t, script.Load(t.Context(), rdb).Err())
	for _, send := range []func(context.Context, redis.Scripter, []string, ...any) *redis.Cmd{script.Eval, script.EvalSha} {
		done := make(chan error)
		go func() { done <- send(context.Background(), rdb, []string{"n"}).Err() }()
		r.LetGo(held(t, r, 1)[0].Connection)
		must(t, <-done)
	}
	if n := rdb.Get(t.Context(), "n").Val(); n != "2" {
		t.Errorf("n is %s", n)
	}
}

// The scripts that clients have sent are told by what they do, or by how they begin.
func TestScriptsHaveNames(t *testing.T) {
	r, client := follow(t)
	rdb := client("a")
	for _, source := range []string{"\n  -- count\nreturn redis.call('INCR', KEYS[1])", `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end`} {
		for range 2 {
			_ = rdb.Eval(t.Context(), source, []string{"n"}, "x").Err()
		}
	}
	var names []string
	for _, s := range r.Scripts() {
		names = append(names, fmt.Sprint(s.Does, ": ", s.Line))
	}
	want := []string{"<nil>: -- count", `delete if the token is still there: if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end`}
	if !slices.Equal(names, want) {
		t.Errorf("they are %q, not %q", names, want)
	}
}

// Nobody's library is named because a script calls the same commands.
func TestScriptsThatManyWriteHaveNoClientsName(t *testing.T) {
	r, client := follow(t)
	rdb := client("a")
	for _, source := range []string{
		`if tonumber(redis.call("get", KEYS[1]) or 0) >= 1 then return redis.call("decrby", KEYS[1], 1) end`,
		`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("set", KEYS[1], ARGV[1], "PX", 1000) end`,
		`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("unlink", KEYS[1]) end`,
		`if redis.call("exists", KEYS[1]) == 0 then return redis.call("set", KEYS[1], ARGV[1], "PX", 1000) end`,
	} {
		_ = rdb.Eval(t.Context(), source, []string{"n"}, "x").Err()
	}
	var names []string
	for _, s := range r.Scripts() {
		names = append(names, fmt.Sprint(s.Does))
	}
	want := []string{"<nil>", "<nil>", "delete if the token is still there", "set the key if there is none"}
	if !slices.Equal(names, want) {
		t.Errorf("they are %q, not %q", names, want)
	}
}

// A server ends although requests are held.
func TestTheServerEndsWithHeldRequests(t *testing.T) {
	r, client := follow(t)
	must(t, r.Hold(clients.Rule{}))
	rdb := client("a")
	go func() { _ = rdb.Incr(context.Background(), "n").Err() }()
	held(t, r, 1)
	for range 19 {
		must(t, r.Hold(clients.Rule{Key: "x"}))
	}
	if r.Hold(clients.Rule{Key: "y"}) == nil {
		t.Error("there may be any number of rules")
	}
}

// What clients ask about the connection alone is no step, and is never held; what stops others, or
// changes the server for them, is both.
func TestWhatOthersNoticeIsNotQuiet(t *testing.T) {
	r, client := follow(t)
	a := client("a")
	for _, quiet := range [][]any{{"client", "id"}, {"client", "list"}, {"config", "get", "maxmemory"}, {"info"}, {"command", "count"}, {"ping"}} {
		must(t, r.Hold(clients.Rule{Command: quiet[0].(string)}))
		must(t, a.Do(t.Context(), quiet...).Err())
	}
	for i, loud := range [][]any{
		{"client", "pause", 0}, {"CLIENT", "UNPAUSE"}, {"client", "unblock", 99}, {"client", "kill", "id", 99}, {"Config", "Set", "maxmemory", "0"},
	} {
		done := make(chan error)
		go func() { done <- a.Do(context.Background(), loud...).Err() }()
		r.LetGo(held(t, r, 1)[0].Connection)
		must(t, <-done)
		steps(t, r, i+1)
	}
	must(t, a.Set(t.Context(), "n", 1, 0).Err())
	expect(
		t, r, "a: client pause 0 → OK", "a: CLIENT UNPAUSE → OK", "a: client unblock 99 → 0", "a: client kill id 99 → 0",
		"a: Config Set maxmemory 0 → OK", "a: set n 1 → OK",
	)
	play(t, r)
}
