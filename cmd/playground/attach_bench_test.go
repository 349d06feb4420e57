package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/node/redis/port"
)

// BenchmarkAttach is what a client takes for a command while a page is open, and how many times
// as long as without attach that is: both take turns, so that a busy machine slows both.
func BenchmarkAttach(b *testing.B) {
	const turn = 500 // commands
	listener, err := (&net.ListenConfig{}).Listen(b.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	go func() { _ = port.New(port.Real, slog.New(slog.NewTextHandler(io.Discard, nil))).Serve(ctx, listener) }()
	addr, page := attachTo(b)
	events := listen(b, page, "")
	until(b, events, `"f-live"`)
	go func() {
		for events.Scan() {
			continue // an open page reads
		}
	}()
	alone, followed := redis.NewClient(&redis.Options{Addr: listener.Addr().String()}), redis.NewClient(&redis.Options{Addr: addr})
	defer alone.Close()
	defer followed.Close()
	n := 0
	commands := func(rdb *redis.Client) time.Duration {
		began := time.Now()
		for range turn {
			n++
			if err := rdb.Set(b.Context(), fmt.Sprint("key-", n%500), n, time.Hour).Err(); err != nil {
				b.Fatal(err)
			}
		}
		return time.Since(began)
	}
	var without, with time.Duration
	for b.Loop() {
		without += commands(alone)
		with += commands(followed)
	}
	per := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / float64(b.N*turn) }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(per(without), "ns/command-alone")
	b.ReportMetric(per(with), "ns/command")
	b.ReportMetric(float64(with)/float64(without), "times-as-long")
}
