package redistest_test

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

// A server may learn late of who gives up a wait: what comes meanwhile is given to a connection that nobody reads, though
// somebody else waits.
func TestAServerMayLearnLateOfWhoGivesUp(t *testing.T) {
	givesUp := func(ctx context.Context, p *redistest.Process) {
		dial := func(ctx context.Context, _, _ string) (net.Conn, error) { return p.Dial(ctx, "redis") }
		rdb := redis.NewClient(&redis.Options{Addr: "127.0.0.1:6379", MaxRetries: -1, PoolSize: 100, Dialer: dial, ContextTimeoutEnabled: true})
		defer func() { _ = rdb.Close() }()
		short, cancel := context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
		rdb.BLMove(short, "queue", "of A", "LEFT", "RIGHT", 0)
	}
	for name, c := range map[string]struct {
		bounds redistest.Bounds
		breaks bool
	}{
		"at once":             {redistest.Bounds{}, false},
		"a slow network":      {redistest.Bounds{Slow: 1}, true},
		"others come first":   {redistest.Bounds{Ticks: 1}, true},
		"a crash of the host": {redistest.Bounds{Crashes: 1, Ticks: 1}, true},
	} {
		v := redistest.Search(t, func(w *redistest.World) {
			w.Process("A", givesUp)
			w.Client("B", func(ctx context.Context, rdb *redis.Client) {
				time.Sleep(time.Second)
				rdb.BLPop(ctx, 8*time.Second, "queue")
			})
			w.Client("C", func(ctx context.Context, rdb *redis.Client) {
				time.Sleep(3 * time.Second)
				rdb.RPush(ctx, "queue", "job")
			})
			w.Eventually("A has no job", func() error {
				if w.Do("redis", "LLEN", "of A") != "0" {
					return errors.New("it has")
				}
				return nil
			})
			w.Allow(redistest.Missing)
		}, c.bounds)
		if (v.Broken != nil) != c.breaks {
			t.Errorf("%s: %s", name, v)
		}
	}
}

// Who has heard a message while it waits on the same connection waits on: as it gives up, a job may be given to it.
func TestAMessageEndsNoWait(t *testing.T) {
	v := redistest.Search(t, func(w *redistest.World) {
		w.Process("A", func(ctx context.Context, p *redistest.Process) {
			conn, err := p.Dial(ctx, "redis")
			if err != nil {
				return
			}
			for _, line := range []string{"HELLO 3", "SUBSCRIBE news"} {
				_, _ = conn.Write([]byte(line + "\r\n"))
				_, _ = conn.Read(make([]byte, 1000))
			}
			_, _ = conn.Write([]byte("BLMOVE queue of-A LEFT RIGHT 0\r\n"))
			time.Sleep(2 * time.Second)
			_ = conn.Close()
		})
		w.Client("B", func(ctx context.Context, rdb *redis.Client) {
			time.Sleep(time.Second)
			rdb.Publish(ctx, "news", "none")
			time.Sleep(time.Second)
			rdb.RPush(ctx, "queue", "job")
		})
		w.Eventually("A has no job", func() error {
			if w.Do("redis", "LLEN", "of-A") != "0" {
				return errors.New("it has")
			}
			return nil
		})
		w.Allow(redistest.Missing)
	}, redistest.Bounds{})
	if v.Broken == nil {
		t.Error(v)
	}
}
