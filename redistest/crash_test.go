package redistest_test

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

// handsOver is a process whose function is over while a goroutine of it has the lock.
func handsOver(w *redistest.World) {
	w.Client("A", func(ctx context.Context, rdb *redis.Client) {
		go func() {
			rdb.SetNX(ctx, "lock", "A", 0)
			rdb.Del(ctx, "lock")
		}()
	})
	waits := true
	w.Client("B", func(ctx context.Context, rdb *redis.Client) {
		time.Sleep(time.Second)
		waits = rdb.Exists(ctx, "lock").Val() > 0
	})
	w.Eventually("B is let in", func() error {
		w.Do("redis", "GET", "lock")
		if waits && w.Do("redis", "GET", "lock") == "A" {
			return errOld
		}
		return nil
	})
}

// keepsLock has A write what its lock guards to a server that hangs, and renew the lock on another one for as long as it waits.
func keepsLock(w *redistest.World) {
	w.Process("A", func(ctx context.Context, p *redistest.Process) {
		locks, done := p.Redis("n1"), make(chan struct{})
		if !lock(ctx, locks, "A", lease) {
			return
		}
		go func() {
			for {
				select {
				case <-done:
					return
				case <-time.After(lease / 2):
					locks.PExpire(ctx, "lock", lease)
				}
			}
		}()
		write(ctx, p, "A")
		close(done)
	})
	w.Process("B", func(ctx context.Context, p *redistest.Process) {
		time.Sleep(2 * lease)
		if lock(ctx, p.Redis("n1"), "B", 0) {
			write(ctx, p, "B")
		}
	})
	last := ""
	w.Check("nobody writes without the lock", func() error {
		was := last
		last = w.Do("n2", "GET", "x")
		if last != was && last == "A" && w.Do("n1", "GET", "lock") != "A" {
			return errOld
		}
		return nil
	})
}

// write has a process wait for as long as it takes.
func write(ctx context.Context, p *redistest.Process, name string) {
	conn, err := p.Dial(ctx, "n2")
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	_, _ = conn.Write([]byte("SET x " + name + "\r\n"))
	_, _ = conn.Read(make([]byte, 10))
}
