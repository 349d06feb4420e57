// Command confirm plays, with a real server, what breaks in this module and was not known to be broken:
//
//	go run ./confirm 127.0.0.1:6379
//
// The server must have databases that may be emptied.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	ginlimit "github.com/JGLTechnologies/gin-rate-limit"
	"github.com/go-redsync/redsync/v4"
	redsyncredis "github.com/go-redsync/redsync/v4/redis"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/limiter"
	storage "github.com/gofiber/storage/redis/v3"
	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"
	"github.com/redis/rueidis"
	"github.com/redis/rueidis/rueidislock"
	"github.com/valyala/fasthttp"
	"github.com/zeromicro/go-zero/core/limit"
	"github.com/zeromicro/go-zero/core/logx"
	zero "github.com/zeromicro/go-zero/core/stores/redis"
)

func main() {
	ctx, address := context.Background(), os.Args[1]
	logx.Disable()
	clients := make([]*redis.Client, 3)
	for i := range clients {
		clients[i] = redis.NewClient(&redis.Options{Addr: address, DB: i})
		clients[i].FlushDB(ctx)
	}
	fmt.Println("redsync, fail fast:", keysLeft(ctx, clients), "of 2000 locks that were released left a key")
	fmt.Println("asynq:", uniqueAndTaskID(ctx, clients[0]))
	most := int64(0)
	for i := range 100 {
		most = max(most, allowed(func() func() bool {
			s := ginlimit.RedisStore(&ginlimit.RedisOptions{RedisClient: clients[0], Rate: time.Minute, Limit: 1})
			return func() bool { return !s.Limit(fmt.Sprint("key", i), nil).RateLimited }
		}))
	}
	fmt.Println("gin-rate-limit, one a minute:", most, "were allowed")
	fmt.Println("fiber's limiter, one a minute:", allowed(func() func() bool { return throughFiber(clients[0]) }), "were allowed")
	fmt.Println("go-zero's token limiter, three a second and one at once:", allowed(func() func() bool {
		return limit.NewTokenLimiter(3, 1, zero.New(address), "key").Allow
	}), "were allowed")
	fmt.Println("rueidislock, held for 4 s:", renewals(ctx, address, clients[0]), "scripts")
	for _, noLoop := range []bool{false, true} {
		fmt.Printf("rueidislock, a first try of 0.1 s, NoLoopTracking %t: %s\n", noLoop, waits(ctx, address, clients[0], noLoop))
	}
}

// keysLeft takes three databases for three servers.
func keysLeft(ctx context.Context, clients []*redis.Client) (left int) {
	var pools []redsyncredis.Pool
	for _, c := range clients {
		pools = append(pools, goredis.NewPool(c))
	}
	for i := range 2000 {
		key := fmt.Sprint("lock", i)
		m := redsync.New(pools...).NewMutex(key, redsync.WithExpiry(time.Minute), redsync.WithFailFast(true))
		if m.Lock() == nil {
			_, _ = m.Unlock()
		}
	}
	time.Sleep(time.Second)
	for _, c := range clients {
		left += len(c.Keys(ctx, "lock*").Val())
	}
	return left
}

func uniqueAndTaskID(ctx context.Context, rdb *redis.Client) []error {
	c := asynq.NewClientFromRedisClient(rdb)
	to := func(whom, id string) error {
		_, err := c.EnqueueContext(ctx, asynq.NewTask("mail", []byte(whom)), asynq.TaskID(id), asynq.Unique(time.Hour))
		return err
	}
	return []error{to("Ann", "1"), to("Bob", "1"), to("Bob", "2")}
}

// allowed is how many of ten processes are allowed what one may do.
func allowed(process func() func() bool) int64 {
	var all sync.WaitGroup
	var n atomic.Int64
	start := make(chan struct{})
	for range 10 {
		allow := process()
		all.Go(func() {
			<-start
			if allow() {
				n.Add(1)
			}
		})
	}
	close(start)
	all.Wait()
	return n.Load()
}

func throughFiber(rdb *redis.Client) func() bool {
	app := fiber.New()
	app.Use(limiter.New(limiter.Config{Max: 1, Expiration: time.Minute, Storage: storage.NewFromConnection(rdb)}))
	app.Get("/", func(c fiber.Ctx) error { return c.SendString("allowed") })
	h := app.Handler()
	return func() bool {
		var c fasthttp.RequestCtx
		c.Init(&fasthttp.Request{}, nil, nil)
		h(&c)
		return c.Response.StatusCode() == fasthttp.StatusOK
	}
}

// renewals counts the scripts of a lock that is due to be renewed once in the time.
func renewals(ctx context.Context, address string, rdb *redis.Client) string {
	l, err := rueidislock.NewLocker(rueidislock.LockerOption{KeyMajority: 1, ClientOption: rueidis.ClientOption{InitAddress: []string{address}}})
	if err != nil {
		return err.Error()
	}
	defer l.Close()
	rdb.ConfigResetStat(ctx)
	_, cancel, err := l.WithContext(ctx, "lock")
	if err != nil {
		return err.Error()
	}
	time.Sleep(4 * time.Second)
	cancel()
	for line := range strings.Lines(rdb.Info(ctx, "commandstats").Val()) {
		if calls, ok := strings.CutPrefix(line, "cmdstat_evalsha:calls="); ok {
			calls, _, _ = strings.Cut(calls, ",")
			return calls
		}
	}
	return "0"
}

// waits asks for a lock that nobody has, of a server that knows no scripts and answers late once.
func waits(ctx context.Context, address string, rdb *redis.Client, noLoop bool) string {
	rdb.FlushDB(ctx)
	rdb.ScriptFlush(ctx)
	l, err := rueidislock.NewLocker(rueidislock.LockerOption{KeyMajority: 1, NoLoopTracking: noLoop, ClientOption: rueidis.ClientOption{InitAddress: []string{address}}})
	if err != nil {
		return err.Error()
	}
	defer l.Close()
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	rdb.Do(ctx, "CLIENT", "PAUSE", 100)
	begin := time.Now()
	_, _, err = l.WithContext(ctx, "lock")
	return fmt.Sprintf("%v after %v, with %d keys there", err, time.Since(begin).Round(time.Second), rdb.DBSize(context.WithoutCancel(ctx)).Val())
}
