package real

import (
	"bytes"
	"context"

	"github.com/redis/go-redis/v9"

	"lockstep/engine/reply"
)

// send sends one command and returns its reply. An error means that there was none.
func send(ctx context.Context, c *redis.Client, args ...string) (reply.Reply, error) {
	var raw bytes.Buffer
	if err := c.Process(ctx, redis.NewRawWriteToCmd(ctx, &raw, anys(args)...)); err != nil {
		return reply.Reply{}, err
	}
	return parseReply(raw.Bytes())
}

func anys(args []string) []any {
	list := make([]any, len(args))
	for i, arg := range args {
		list[i] = arg
	}
	return list
}

// sendAll sends several commands in one round trip.
func sendAll(ctx context.Context, c *redis.Client, commands [][]string) ([]reply.Reply, error) {
	pipe := c.Pipeline()
	raw := make([]bytes.Buffer, len(commands))
	for i, args := range commands {
		_ = pipe.Process(ctx, redis.NewRawWriteToCmd(ctx, &raw[i], anys(args)...)) // only queues it
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, err
	}
	replies := make([]reply.Reply, len(commands))
	for i := range raw {
		var err error
		if replies[i], err = parseReply(raw[i].Bytes()); err != nil {
			return nil, err
		}
	}
	return replies, nil
}
