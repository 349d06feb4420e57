package redistest

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// halt keeps who asks for something, if nobody waits for it, or if it does so again and again in the end: it would
// slow down the schedules that follow.
func (r *run) halt() {
	if r.abandoned.Load() || r.ends.Load() && r.inVain.Add(1) > boring {
		select {}
	}
}

// halts is a hook of go-redis clients, as one that is closed, or is asked with a context that has ended, dials no more.
type halts struct{ run *run }

func (h halts) DialHook(next redis.DialHook) redis.DialHook { return next }

func (h halts) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, c redis.Cmder) error {
		h.run.halt()
		return next(ctx, c)
	}
}

func (h halts) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cs []redis.Cmder) error {
		h.run.halt()
		return next(ctx, cs)
	}
}
