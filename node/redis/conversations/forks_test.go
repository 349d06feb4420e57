package conversations_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"lockstep/engine"
	"lockstep/node/redis"
	"lockstep/node/redis/conversations"
)

// TestForksMayLiveInDifferentGoroutines is for the race detector. Forks share values
// and what is remembered in them, and compiled scripts; all nodes share Lua states
// and probed scripts.
func TestForksMayLiveInDifferentGoroutines(t *testing.T) {
	first := redis.NewNode()
	if said := randomSteps(t.Context(), first, 1); !strings.Contains(said, "OK") {
		t.Fatalf("nothing was written:\n%s", said)
	}
	said := make([]string, 4)
	var all sync.WaitGroup
	for i := range said {
		fork, ok := first.Fork().(engine.Forker)
		if !ok {
			t.Fatal("a fork cannot be forked")
		}
		all.Go(func() { said[i] = randomSteps(t.Context(), fork, 2) })
	}
	all.Wait()
	for i := range said {
		if said[i] != said[0] {
			t.Errorf("fork %d went through the same steps to\n%s\nand fork 0 to\n%s", i, said[i], said[0])
		}
	}
}

// randomSteps sends the commands of a seed, plain, in scripts and in scripts that
// are looked into, and tells what came of it.
func randomSteps(ctx context.Context, n engine.Forker, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 4))
	var said strings.Builder
	for i := range 400 {
		args := conversations.Command(r)
		op := engine.Op{Args: args}
		if i%2 == 1 { // 20 scripts, so that others compile what one is about to run
			op.Script = &engine.Script{Name: "call", Source: fmt.Sprintf("local n = %d\nreturn redis.pcall(unpack(ARGV))", i%40)}
		}
		var inside *engine.Inside
		var result engine.Result
		var err error
		if i%4 == 3 {
			result, inside, err = redis.Look(ctx, n, op, engine.NodeView{}, 0)
		} else {
			result, err = n.Exec(ctx, op)
		}
		fmt.Fprintln(&said, args, result.Reply, inside != nil, err, n.Digest())
	}
	return said.String()
}
