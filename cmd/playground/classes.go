package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net"
	"net/url"

	"lockstep/node/redis/port"
	"lockstep/web/class"
)

// classMemory bounds the embedded store: when it is full, classes are refused what they send.
const classMemory = "256mb"

// openClasses follows the classes in the Redis at a URL or, without one, in an embedded one behind a port of this
// machine, which only this program can use.
func openClasses(ctx context.Context, at string) (rooms *class.Rooms, end func(), err error) {
	stop := func() {}
	if at == "" {
		if at, stop, err = embeddedClassStore(ctx); err != nil {
			return nil, nil, err
		}
	}
	store, err := class.OpenStore(at)
	if err != nil {
		stop()
		return nil, nil, fmt.Errorf("--class-store: %w", err)
	}
	rooms = class.NewRooms(store)
	return rooms, func() {
		rooms.Close()
		_ = store.Close() // nothing is left to be sent
		stop()
	}, nil
}

func embeddedClassStore(ctx context.Context) (at string, stop func(), err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("classes have no store: %w", err)
	}
	password := rand.Text()
	redis := port.New(port.Real, slog.New(slog.DiscardHandler))
	operator := redis.Local(func([]byte) {}, func() {})
	operator.Send([]byte("CONFIG SET maxmemory " + classMemory + "\r\n"))
	operator.Close()
	redis.RequirePassword(password)
	serving, cancel := context.WithCancel(context.WithoutCancel(ctx)) // pages may still say something
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = redis.Serve(serving, listener) // it ends when it is told to
	}()
	u := url.URL{Scheme: "redis", User: url.UserPassword("", password), Host: listener.Addr().String()}
	return u.String(), func() { cancel(); <-ended }, nil
}
