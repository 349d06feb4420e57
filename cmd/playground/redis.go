package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"os"

	"lockstep/node/redis/port"
)

// redisFlags are what redis can be told.
type redisFlags struct {
	addr  string
	clock string
}

var redisCommand = command{
	name: "redis", args: "[flags]", summary: "serve the embedded Redis to real clients until interrupted",
	define: func(flags *flag.FlagSet) func(context.Context, terminal, []string) error {
		f := &redisFlags{}
		flags.StringVar(&f.addr, "addr", "127.0.0.1:6380", "`ADDRESS` to listen on, as host:port")
		flags.StringVar(&f.clock, "clock", "real", "`CLOCK` that keys expire by: real, or virtual, which stands still until DEBUG ADVANCE <milliseconds>")
		return f.open
	},
	more: `Keys are in memory, and lost at the end. Other machines may only connect with a password, in ` + passwordVariable + `.
docs/REDIS.md lists the commands that it knows.
`,
}

func (f *redisFlags) open(ctx context.Context, t terminal, _ []string) error {
	if err := checkAddress(f.addr); err != nil {
		return usage("--addr %s: %v", f.addr, err)
	}
	if err := checkReach(f.addr); err != nil {
		return err
	}
	clock, err := port.ParseClock(f.clock)
	if err != nil {
		return usage("--clock: %v", err)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", f.addr)
	if err != nil {
		return listenError("--addr", f.addr, err)
	}
	server := port.New(clock, slog.New(slog.NewTextHandler(t.err, nil)))
	server.RequirePassword(os.Getenv(passwordVariable))
	fmt.Fprintf(t.out, "Lockstep's Redis is at %s\n", listener.Addr())
	return server.Serve(ctx, listener)
}
