package redislock090_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/bsm/redislock"
	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

var errHeld = errors.New("the lock is held by nobody who knows of it")

// The reply to SET NX is lost, go-redis asks again, and the second answer is no: whoever was told so has the lock.
func TestRedislock(t *testing.T) {
	v := redistest.Search(t, func(w *redistest.World) {
		w.Client("A", func(ctx context.Context, rdb *redis.Client) {
			if l, err := redislock.Obtain(ctx, rdb, "lock", 5*time.Second, nil); err == nil {
				_ = l.Release(ctx)
			}
		})
		var held error
		w.Eventually("nothing is left", func() error {
			if w.Do("redis", "EXISTS", "lock") == "1" {
				held = errHeld
			}
			return held
		})
	}, redistest.Bounds{Losses: 1})
	t.Log(v)
	if v.Broken == nil || !strings.HasPrefix(v.Broken.Error(), "nothing is left") {
		t.Errorf("it broke with %v", v.Broken)
	}
}
