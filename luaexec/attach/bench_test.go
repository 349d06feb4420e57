package attach_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/luaexec/attach"
	"lockstep/luaexec/resp"
)

// BenchmarkCommand is what a client of a server takes for a command, and what more when somebody follows.
func BenchmarkCommand(b *testing.B) {
	for name, take := range map[string]func(resp.Done){"alone": nil, "followed": attach.New().Take} {
		b.Run(name, func(b *testing.B) {
			listener, err := (&net.ListenConfig{}).Listen(b.Context(), "tcp", "127.0.0.1:0")
			if err != nil {
				b.Fatal(err)
			}
			server := resp.New(resp.Real, slog.New(slog.NewTextHandler(io.Discard, nil)))
			if take != nil {
				server.Follow(take)
			}
			ctx, cancel := context.WithCancel(b.Context())
			defer cancel()
			go func() { _ = server.Serve(ctx, listener) }()
			rdb := redis.NewClient(&redis.Options{Addr: listener.Addr().String()})
			defer rdb.Close()
			n := 0
			for b.Loop() {
				if err := rdb.Set(b.Context(), fmt.Sprint("key-", n%500), n, time.Hour).Err(); err != nil {
					b.Fatal(err)
				}
				n++
			}
		})
	}
}
