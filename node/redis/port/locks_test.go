package port_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/bsm/redislock"
	"github.com/go-redsync/redsync/v4"
	redsyncpool "github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/redis/go-redis/v9"

	"lockstep/node/redis/port"
)

func TestRedsync(t *testing.T) {
	bothProtocols(t, port.Virtual, func(t *testing.T, client *redis.Client) {
		locks := redsync.New(redsyncpool.NewPool(client))
		ctx := t.Context()
		mine := locks.NewMutex("lock", redsync.WithExpiry(8*time.Second), redsync.WithTries(1))
		theirs := locks.NewMutex("lock", redsync.WithExpiry(8*time.Second), redsync.WithTries(1))
		check(t, mine.LockContext(ctx))
		if err := theirs.LockContext(ctx); err == nil {
			t.Fatal("two hold the lock")
		}
		advance(t, client, 7*time.Second)
		ok, err := mine.ExtendContext(ctx)
		if err != nil || !ok {
			t.Fatalf("Extend: %t, %v", ok, err)
		}
		advance(t, client, 7*time.Second)
		if err := theirs.LockContext(ctx); err == nil {
			t.Fatal("two hold the lock after it was extended")
		}
		advance(t, client, time.Second)
		check(t, theirs.LockContext(ctx))
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

func TestRedislock(t *testing.T) {
	bothProtocols(t, port.Virtual, func(t *testing.T, client *redis.Client) {
		locks := redislock.New(client)
		ctx := t.Context()
		mine, err := locks.Obtain(ctx, "lock", 8*time.Second, nil)
		check(t, err)
		if _, err := locks.Obtain(ctx, "lock", 8*time.Second, nil); !errors.Is(err, redislock.ErrNotObtained) {
			t.Fatalf("a second Obtain: %v", err)
		}
		advance(t, client, 7*time.Second)
		if ttl, err := mine.TTL(ctx); err != nil || ttl != time.Second {
			t.Errorf("TTL: %v, %v", ttl, err)
		}
		check(t, mine.Refresh(ctx, 8*time.Second, nil))
		advance(t, client, 8*time.Second)
		if err := mine.Refresh(ctx, time.Second, nil); !errors.Is(err, redislock.ErrNotObtained) {
			t.Errorf("an expired lock was refreshed: %v", err)
		}
		theirs, err := locks.Obtain(ctx, "lock", time.Second, nil)
		check(t, err)
		if err := mine.Release(ctx); !errors.Is(err, redislock.ErrLockNotHeld) {
			t.Errorf("an expired lock was given back: %v", err)
		}
		check(t, theirs.Release(ctx))
		again, err := locks.Obtain(ctx, "lock", time.Second, &redislock.Options{Metadata: "me"})
		check(t, err)
		if got := again.Metadata(); got != "me" {
			t.Errorf("the lock's metadata is %q", got)
		}
		check(t, again.Release(ctx))
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
