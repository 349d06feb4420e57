package attach_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/attach"
	"lockstep/node/redis/conversations"
)

// Several connections take and release locks as fast as they can, rightly. Replies come in another order than the
// commands ran; nobody is blamed, and whoever has a lock has it on the page.
func TestNobodyIsBlamedWhenManyAreBusy(t *testing.T) {
	release := redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end`)
	take := redis.NewScript(`if (redis.call('exists', KEYS[1]) == 0) then redis.call('hincrby', KEYS[1], ARGV[2], 1);
		redis.call('pexpire', KEYS[1], ARGV[1]); return nil; end; if (redis.call('hexists', KEYS[1], ARGV[2]) == 1) then
		redis.call('hincrby', KEYS[1], ARGV[2], 1); redis.call('pexpire', KEYS[1], ARGV[1]); return nil; end; return redis.call('pttl', KEYS[1]);`)
	give := redis.NewScript(`if (redis.call('hexists', KEYS[1], ARGV[3]) == 0) then return nil; end;
		local counter = redis.call('hincrby', KEYS[1], ARGV[3], -1);
		if (counter > 0) then redis.call('pexpire', KEYS[1], ARGV[2]); return 0;
		else redis.call('del', KEYS[1]); redis.call('publish', KEYS[2], ARGV[1]); return 1; end; return nil;`)
	r, client := passed(conversations.RedisServer(t))(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	var workers sync.WaitGroup
	for w := range 6 {
		rdb := client(fmt.Sprint("w", w))
		rdb = redis.NewClient(rdb.Options()) // without waiting for the page
		t.Cleanup(func() { rdb.Close() })
		workers.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				token := fmt.Sprint("token-", w, "-", n)
				if w%2 == 0 {
					if rdb.SetNX(ctx, "stock", token, 30*time.Second).Val() {
						release.Run(ctx, rdb, []string{"stock"}, token)
					}
					continue
				}
				if err := rdb.EvalSha(ctx, take.Hash(), []string{"order"}, 30000, token).Err(); !errors.Is(err, redis.Nil) {
					take.Load(ctx, rdb)
					continue
				}
				give.Run(ctx, rdb, []string{"order", "ch"}, 0, 30000, token)
			}
		})
	}
	looks := looking(ctx, r)
	workers.Wait()
	for what, n := range looks() {
		t.Log(what, n)
		if strings.HasPrefix(what, "broken") {
			t.Errorf("%s: %d", what, n)
		}
	}
}

// looking counts what a page would see that looks often.
func looking(ctx context.Context, r *attach.Recorder) func() map[string]int {
	all := map[string]int{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		last := 0
		often := time.NewTicker(5 * time.Millisecond)
		defer often.Stop()
		for ctx.Err() == nil {
			<-often.C
			trace, numbers, _ := r.Trace()
			for i, s := range trace.Steps {
				if numbers[i] <= last {
					continue
				}
				all["steps"]++
				if s.Process == attach.Unseen {
					all["unseen "+fmt.Sprint(s.Request)]++
				}
				for _, b := range s.Broken {
					all["broken "+b.String()]++
				}
			}
			if len(numbers) > 0 {
				last = numbers[len(numbers)-1]
			}
		}
	}()
	return func() map[string]int { <-done; return all }
}
