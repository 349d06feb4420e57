package found_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/hibiken/asynq"

	"lockstep/redistest"
)

var errTwice = errors.New("a unique task is there twice")

func TestAsynqUnique(t *testing.T) {
	scenario := func(w *redistest.World) {
		for _, name := range []string{"A", "B"} {
			w.Process(name, func(ctx context.Context, p *redistest.Process) {
				c := asynq.NewClientFromRedisClient(client(ctx, p, "redis"))
				_, _ = c.EnqueueContext(ctx, asynq.NewTask("mail", nil), asynq.Unique(time.Hour), asynq.TaskID(name))
			})
		}
		w.Check("a unique task is there once", func() error {
			if n := w.Do("redis", "LLEN", "asynq:{default}:pending"); n > "1" {
				return errTwice
			}
			return nil
		})
	}
	holds(t, scenario, redistest.Bounds{Losses: 1, Ticks: 1})
	holds(t, scenario, redistest.Bounds{Pauses: 1, LongestPause: time.Minute, Crashes: 1})
}

var errNoTask = errors.New("the task is refused as a duplicate, and there is none")

// A task that is refused because of its ID leaves the lock of its payload, and the same payload with an ID of its
// own is a duplicate of nothing.
func TestAsynqUniqueAndTaskID(t *testing.T) {
	breaks(t, func(w *redistest.World) {
		refused := false
		w.Process("A", func(ctx context.Context, p *redistest.Process) {
			c := asynq.NewClientFromRedisClient(client(ctx, p, "redis"))
			_, _ = c.EnqueueContext(ctx, asynq.NewTask("mail", []byte("to Ann")), asynq.TaskID("1"), asynq.Unique(time.Hour))
			_, _ = c.EnqueueContext(ctx, asynq.NewTask("mail", []byte("to Bob")), asynq.TaskID("1"), asynq.Unique(time.Hour))
			_, err := c.EnqueueContext(ctx, asynq.NewTask("mail", []byte("to Bob")), asynq.TaskID("2"), asynq.Unique(time.Hour))
			refused = errors.Is(err, asynq.ErrDuplicateTask)
		})
		w.Eventually("a duplicate is one", func() error {
			if refused && w.Do("redis", "LLEN", "asynq:{default}:pending") == "1" {
				return errNoTask
			}
			return nil
		})
	}, redistest.Bounds{}, "a duplicate is one")
}
