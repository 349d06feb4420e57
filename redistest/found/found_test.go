package found_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	redigo "github.com/gomodule/redigo/redis"
	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

const (
	lease = 5 * time.Second
	work  = 1500 * time.Millisecond
	again = 700 * time.Millisecond // until a lock is tried again

	short = lease - work - time.Second // a pause in which no lease runs out
)

var errLeft = errors.New("there is still a key when all have ended")

// holds expects that nothing breaks in any schedule within the bounds.
func holds(t *testing.T, scenario func(w *redistest.World), b redistest.Bounds) {
	t.Helper()
	v := redistest.Search(t, scenario, b)
	t.Logf("%+v\n%s", b, v)
	if !v.Holds() {
		t.Error("it was expected to hold")
	}
}

// breaks expects that an invariant breaks so, and tells the story.
func breaks(t *testing.T, scenario func(w *redistest.World), b redistest.Bounds, how string) {
	t.Helper()
	v := redistest.Search(t, scenario, b)
	t.Logf("%+v\n%s", b, v)
	if v.Broken == nil || !strings.HasPrefix(v.Broken.Error(), how) {
		t.Errorf("it broke with %v, not with %s", v.Broken, how)
	}
}

// take takes a lock; ok is what the library says.
type take func(ctx context.Context, p *redistest.Process) (release func(), ok bool)

// rivals are two processes that want the lock of a key, work under it and release it.
func rivals(server, key string, take take) func(w *redistest.World) {
	return func(w *redistest.World) {
		for _, name := range []string{"A", "B"} {
			w.Process(name, func(ctx context.Context, p *redistest.Process) {
				if release, ok := take(ctx, p); ok {
					w.Inside(ctx, "the section", func() { time.Sleep(work) })
					release()
				}
			})
		}
		w.HasTTL(server, key)
		w.ReleasedByItsHolder(server, key)
	}
}

// untilTaken takes a lock that is tried once at a time.
func untilTaken(once func() bool) bool {
	for range 12 {
		if once() {
			return true
		}
		time.Sleep(again)
	}
	return false
}

type allow func(ctx context.Context, p *redistest.Process) bool

// limited are two processes of which one is allowed to do something in a second.
func limited(key string, allow allow) func(w *redistest.World) {
	return func(w *redistest.World) {
		limitedOnly(allow)(w)
		w.HasTTL("redis", key)
	}
}

// limitedOnly is limited without an invariant of the key.
func limitedOnly(allow allow) func(w *redistest.World) {
	return func(w *redistest.World) {
		for _, name := range []string{"A", "B"} {
			w.Process(name, func(ctx context.Context, p *redistest.Process) {
				if allow(ctx, p) {
					w.Inside(ctx, "what is limited", func() { time.Sleep(100 * time.Millisecond) })
				}
			})
		}
	}
}

// forgetful is the scenario of a key that must expire, whatever has happened.
func forgetful(key string, allow allow) func(w *redistest.World) {
	return func(w *redistest.World) {
		limitedOnly(allow)(w)
		w.Eventually("it expires in the end", func() error {
			if w.Do("redis", "PTTL", key) == "-1" {
				return errLeft
			}
			return nil
		})
	}
}

// nothingLeft is the invariant that no key is left once all have ended, which have released what they had.
func nothingLeft(w *redistest.World, key string, servers ...string) {
	var left error
	w.Eventually("nothing is left", func() error {
		for _, s := range servers {
			if w.Do(s, "EXISTS", key) == "1" {
				left = errLeft
			}
		}
		return left
	})
}

// toldNo is a process that asks once for a lock that nobody else wants: what it does not get, nobody may hold.
func toldNo(server, key string, take take) func(w *redistest.World) {
	return func(w *redistest.World) {
		w.Process("A", func(ctx context.Context, p *redistest.Process) {
			if release, ok := take(ctx, p); ok {
				release()
			}
		})
		nothingLeft(w, key, server)
		w.Allow(redistest.Missing) // no key is left where all is well
	}
}

// client is a go-redis client with more connections than Process.Redis has: what waits for one of them, waits
// with a timer that another schedule may have made.
func client(ctx context.Context, p *redistest.Process, server string) *redis.Client {
	rdb := redis.NewClient(&redis.Options{
		Addr: "127.0.0.1:6379", Protocol: 2, DisableIdentity: true, PoolSize: 100,
		MinRetryBackoff: 8 * time.Millisecond, MaxRetryBackoff: 8 * time.Millisecond,
		Dialer: func(ctx context.Context, _, _ string) (net.Conn, error) { return p.Dial(ctx, server) },
	})
	context.AfterFunc(ctx, func() { _ = rdb.Close() })
	return rdb
}

// redigoPool is a pool of redigo.
func redigoPool(ctx context.Context, p *redistest.Process, server string) *redigo.Pool {
	return &redigo.Pool{MaxIdle: 4, Dial: func() (redigo.Conn, error) {
		c, err := p.Dial(ctx, server)
		if err != nil {
			return nil, err
		}
		return redigo.NewConn(c, 0, 0), nil
	}}
}
