package redistest

import (
	"context"
	"slices"

	"github.com/redis/go-redis/v9"
)

// halt keeps who asks for something, if nobody waits for it, or if it does so again and again in the end: it would
// slow down the schedules that follow.
func (r *run) halt() {
	if r.abandoned.Load() || r.ends.Load() && r.inVain.Add(1) > boring {
		select {}
	}
}

// enough is how often who asks a server that is away ends a delay: whoever asks again and again waits for it to be there.
const enough = 8

// asksInVain ends a delay, as a request that comes does, if a server is away: it may be there when it is asked again.
func (r *run) asksInVain() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if slices.ContainsFunc(r.servers, func(s *server) bool { return s.away }) && r.vain < enough {
		r.vain++
		r.changed()
	}
}

// halts is a hook of go-redis clients, as one that is closed, or is asked with a context that has ended, dials no more.
type halts struct{ run *run }

func (h halts) DialHook(next redis.DialHook) redis.DialHook { return next }

func (h halts) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, c redis.Cmder) error {
		h.run.halt()
		h.run.asksInVain()
		return next(ctx, c)
	}
}

func (h halts) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cs []redis.Cmder) error {
		h.run.halt()
		h.run.asksInVain()
		return next(ctx, cs)
	}
}
