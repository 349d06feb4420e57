package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/node/redis/conversations"
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

// BenchmarkAttachTo is what clients of a real Redis take for a command at 5,000 commands in a second while a page is
// open, at the median and at the 99th of 100, beside a direct connection: in turns, so that a busy machine slows both.
func BenchmarkAttachTo(b *testing.B) {
	const (
		clients = 10
		pause   = clients * time.Second / 5000 // of each
		turn    = 250 * time.Millisecond
	)
	direct := redisOnPort(b)
	addr, page := attachTo(b, "--to", "redis://"+direct)
	events := listen(b, page, "")
	until(b, events, `"f-live"`)
	go func() {
		for events.Scan() {
			continue // an open page reads
		}
	}()
	commands := func(rdb *redis.Client) (took []time.Duration) {
		var mu sync.Mutex
		var sending sync.WaitGroup
		end := time.Now().Add(turn)
		for c := range clients {
			sending.Go(func() {
				var mine []time.Duration
				for next := time.Now().Add(time.Duration(c) * pause / clients); next.Before(end); next = next.Add(pause) {
					<-time.After(time.Until(next))
					began := time.Now()
					if err := rdb.Set(b.Context(), fmt.Sprint("key-", c, "-", len(mine)%50), c, time.Hour).Err(); err != nil {
						b.Error(err)
					}
					mine = append(mine, time.Since(began))
				}
				mu.Lock()
				took = append(took, mine...)
				mu.Unlock()
			})
		}
		sending.Wait()
		return took
	}
	alone, through := redis.NewClient(&redis.Options{Addr: direct, PoolSize: clients}), redis.NewClient(&redis.Options{Addr: addr, PoolSize: clients})
	defer alone.Close()
	defer through.Close()
	commands(alone)
	commands(through)
	var without, with []time.Duration
	for b.Loop() {
		without = append(without, commands(alone)...)
		with = append(with, commands(through)...)
	}
	slices.Sort(without)
	slices.Sort(with)
	b.ReportMetric(0, "ns/op")
	for _, p := range []int{50, 99} {
		is, was := with[len(with)*p/100], without[len(without)*p/100]
		b.ReportMetric(float64(was.Microseconds()), fmt.Sprintf("us-p%d-alone", p))
		b.ReportMetric(float64(is.Microseconds()), fmt.Sprintf("us-p%d", p))
		b.ReportMetric(float64(is)/float64(was), fmt.Sprintf("times-as-long-p%d", p))
	}
}

// redisOnPort starts a real Redis on a port of this machine.
func redisOnPort(t testing.TB, args ...string) (addr string) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr = listener.Addr().String()
	_, port, _ := net.SplitHostPort(addr)
	listener.Close()
	conversations.StartServer(t, conversations.RedisServer(t), append([]string{"--port", port, "--bind", "127.0.0.1"}, args...)...)
	return addr
}
