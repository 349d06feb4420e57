package locks_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/bsm/redislock"
	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/redis/go-redis/v9"

	"lockstep/node/redis/port"
)

// serve starts a server, and returns what makes clients of it.
func serve(t *testing.T, server interface {
	Serve(ctx context.Context, listener net.Listener) error
},
) (client func(o redis.Options) *redis.Client) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error)
	go func() { served <- server.Serve(ctx, listener) }()
	t.Cleanup(func() {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return func(o redis.Options) *redis.Client {
		o.Addr = listener.Addr().String()
		rdb := redis.NewClient(&o)
		t.Cleanup(func() { _ = rdb.Close() })
		return rdb
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// bothProtocols runs a test of a client in RESP2 and in RESP3, on a server with a clock that is moved by hand.
func bothProtocols(t *testing.T, test func(t *testing.T, client *redis.Client, advance func(by time.Duration))) {
	t.Helper()
	for _, protocol := range []int{2, 3} {
		t.Run(fmt.Sprintf("RESP%d", protocol), func(t *testing.T) {
			client := serve(t, port.New(port.Virtual, slog.New(slog.NewTextHandler(t.Output(), nil))))(redis.Options{Protocol: protocol})
			test(t, client, func(by time.Duration) { must(t, client.Do(t.Context(), "DEBUG", "ADVANCE", by.Milliseconds()).Err()) })
		})
	}
}

func TestRedsyncIsServed(t *testing.T) {
	bothProtocols(t, func(t *testing.T, client *redis.Client, advance func(by time.Duration)) {
		locks := redsync.New(goredis.NewPool(client))
		ctx := t.Context()
		mine := locks.NewMutex("lock", redsync.WithExpiry(8*time.Second), redsync.WithTries(1))
		theirs := locks.NewMutex("lock", redsync.WithExpiry(8*time.Second), redsync.WithTries(1))
		must(t, mine.LockContext(ctx))
		if err := theirs.LockContext(ctx); err == nil {
			t.Fatal("two hold the lock")
		}
		advance(7 * time.Second)
		ok, err := mine.ExtendContext(ctx)
		if err != nil || !ok {
			t.Fatalf("Extend: %t, %v", ok, err)
		}
		advance(7 * time.Second)
		if err := theirs.LockContext(ctx); err == nil {
			t.Fatal("two hold the lock after it was extended")
		}
		advance(time.Second)
		must(t, theirs.LockContext(ctx))
		if ok, err := mine.UnlockContext(ctx); ok || err == nil {
			t.Errorf("an expired lock was given back: %t, %v", ok, err)
		}
		if ok, err := theirs.UnlockContext(ctx); !ok || err != nil {
			t.Errorf("Unlock: %t, %v", ok, err)
		}
		exclude(t, func(enter func()) error {
			m := locks.NewMutex("crowd", redsync.WithTries(10_000), redsync.WithRetryDelay(time.Millisecond))
			if err := m.LockContext(ctx); err != nil {
				return err
			}
			enter()
			_, err := m.UnlockContext(ctx)
			return err
		})
	})
}

func TestRedislockIsServed(t *testing.T) {
	bothProtocols(t, func(t *testing.T, client *redis.Client, advance func(by time.Duration)) {
		locks := redislock.New(client)
		ctx := t.Context()
		mine, err := locks.Obtain(ctx, "lock", 8*time.Second, nil)
		must(t, err)
		if _, err := locks.Obtain(ctx, "lock", 8*time.Second, nil); !errors.Is(err, redislock.ErrNotObtained) {
			t.Fatalf("a second Obtain: %v", err)
		}
		advance(7 * time.Second)
		if ttl, err := mine.TTL(ctx); err != nil || ttl != time.Second {
			t.Errorf("TTL: %v, %v", ttl, err)
		}
		must(t, mine.Refresh(ctx, 8*time.Second, nil))
		advance(8 * time.Second)
		if err := mine.Refresh(ctx, time.Second, nil); !errors.Is(err, redislock.ErrNotObtained) {
			t.Errorf("an expired lock was refreshed: %v", err)
		}
		theirs, err := locks.Obtain(ctx, "lock", time.Second, nil)
		must(t, err)
		if err := mine.Release(ctx); !errors.Is(err, redislock.ErrLockNotHeld) {
			t.Errorf("an expired lock was given back: %v", err)
		}
		must(t, theirs.Release(ctx))
		again, err := locks.Obtain(ctx, "lock", time.Second, &redislock.Options{Metadata: "me"})
		must(t, err)
		if got := again.Metadata(); got != "me" {
			t.Errorf("the lock's metadata is %q", got)
		}
		must(t, again.Release(ctx))
		exclude(t, func(enter func()) error {
			lock, err := locks.Obtain(ctx, "crowd", time.Minute, &redislock.Options{RetryStrategy: redislock.LinearBackoff(time.Millisecond)})
			if err != nil {
				return err
			}
			enter()
			return lock.Release(ctx)
		})
	})
}

// exclude fails the test when two goroutines that hold a lock meet.
func exclude(t *testing.T, locked func(enter func()) error) {
	t.Helper()
	var all sync.WaitGroup
	inside, entered := 0, 0 // not atomic: the race detector watches the lock as well
	for range 4 {
		all.Go(func() {
			for range 10 {
				err := locked(func() {
					inside++
					entered++
					if inside != 1 {
						t.Errorf("%d hold the lock", inside)
					}
					inside--
				})
				if err != nil && !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if entered != 40 {
		t.Errorf("the lock was held %d times, want 40", entered)
	}
}
