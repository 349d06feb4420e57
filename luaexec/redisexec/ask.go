package redisexec

import (
	"context"

	"github.com/redis/go-redis/v9"

	"lockstep/engine/reply"
)

// ask sends one command. An error means that there was no reply.
func ask(ctx context.Context, c *redis.Client, args ...any) (reply.Reply, error) {
	cmd := redis.NewRawCmd(ctx, args...)
	if err := c.Process(ctx, cmd); err != nil {
		return reply.Reply{}, err
	}
	return parseReply(cmd.Val())
}

// askAll sends several commands in one round trip.
func askAll(ctx context.Context, c *redis.Client, commands [][]any) ([]reply.Reply, error) {
	pipe := c.Pipeline()
	cmds := make([]*redis.RawCmd, len(commands))
	for i, args := range commands {
		cmds[i] = redis.NewRawCmd(ctx, args...)
		_ = pipe.Process(ctx, cmds[i]) // only queues it
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, err
	}
	replies := make([]reply.Reply, len(cmds))
	for i, cmd := range cmds {
		var err error
		if replies[i], err = parseReply(cmd.Val()); err != nil {
			return nil, err
		}
	}
	return replies, nil
}
