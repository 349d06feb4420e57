package found_test

import (
	"context"
	"testing"
	"time"

	ginlimit "github.com/JGLTechnologies/gin-rate-limit"

	"lockstep/redistest"
)

// Two processes read the counter before either has written it.
func TestGinRateLimit(t *testing.T) {
	breaks(t, limitedOnly(func(ctx context.Context, p *redistest.Process) bool {
		store := ginlimit.RedisStore(&ginlimit.RedisOptions{RedisClient: client(ctx, p, "redis"), Rate: time.Second, Limit: 1})
		return !store.Limit("key", nil).RateLimited
	}), redistest.Bounds{}, "mutual exclusion: A and B are inside what is limited")
}
