package class_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/engine/fact"
	"lockstep/node/redis/port"
	"lockstep/web/class"
)

// onEachStore runs a test on the embedded Redis and on a real one.
func onEachStore(t *testing.T, test func(t *testing.T, url string)) {
	t.Helper()
	t.Run("embedded", func(t *testing.T) {
		t.Parallel()
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = port.New(port.Real, slog.New(slog.NewTextHandler(io.Discard, nil))).Serve(ctx, listener)
		}()
		t.Cleanup(func() { cancel(); <-ended })
		test(t, "redis://"+listener.Addr().String())
	})
	t.Run("redis-server", func(t *testing.T) {
		t.Parallel()
		socket := filepath.Join(t.TempDir(), "s")
		server := exec.Command("redis-server", "--port", "0", "--unixsocket", socket, "--save", "")
		if err := server.Start(); err != nil {
			t.Fatalf("%v: run `make servers` first", err)
		}
		t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
		client := redis.NewClient(&redis.Options{Network: "unix", Addr: socket, MaxRetries: -1})
		defer client.Close()
		for client.Ping(t.Context()).Err() != nil {
		}
		test(t, "unix://"+socket)
	})
}

func open(t *testing.T, url string) *class.Rooms {
	t.Helper()
	store, err := class.OpenStore(url)
	if err != nil {
		t.Fatal(err)
	}
	rooms := class.NewRooms(store)
	t.Cleanup(func() { rooms.Close(); store.Close() })
	return rooms
}

func enter(t *testing.T, rooms *class.Rooms, code string) *class.Room {
	t.Helper()
	room, err := rooms.Enter(t.Context(), code, "192.0.2.1")
	if err != nil {
		t.Fatal(err)
	}
	return room
}

// until waits until a class is as it should be.
func until(t *testing.T, room *class.Room, is func(*class.State) bool) {
	t.Helper()
	for {
		done := false
		changed, err := room.Look(func(s *class.State) { done = is(s) })
		if err != nil {
			t.Fatal(err)
		}
		if done {
			return
		}
		<-changed
	}
}

// Two servers see one class, and one that comes later sees all of it.
func TestAClassSpansServers(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, url string) {
		one, two := open(t, url), open(t, url)
		code, token, err := one.Open(t.Context(), "set-nx")
		if err != nil {
			t.Fatal(err)
		}
		a, b := enter(t, one, code), enter(t, two, code)
		send := func(room *class.Room, e class.Event) {
			t.Helper()
			if err := room.Send(t.Context(), e, "192.0.2.1"); err != nil {
				t.Errorf("%s: %v", e.Kind, err)
			}
		}
		var all sync.WaitGroup
		for n := range 20 {
			all.Go(func() {
				who := class.Hash(fmt.Sprint(n))
				for _, room := range []*class.Room{a, b} {
					send(room, class.Event{Kind: class.Join, Who: who, Text: "Ann"})
				}
			})
		}
		all.Wait()
		until(t, a, func(s *class.State) bool { return len(s.Learners) == 20 })
		send(a, class.Event{Kind: class.Ask, Who: class.Hash(token), Options: []class.Option{{Value: "yes"}, {Value: "no"}}})
		until(t, b, func(s *class.State) bool { return s.Poll != nil && len(s.Learners) == 20 })
		for n := range 20 {
			all.Go(func() {
				for _, room := range []*class.Room{a, b} { // sent again, to another server
					send(room, class.Event{Kind: class.Answer, Who: class.Hash(fmt.Sprint(n)), Text: "yes", Step: 1})
				}
			})
		}
		all.Wait()
		one.Close() // it dies
		until(t, b, func(s *class.State) bool { return len(s.Poll.Answers) == 20 })
		late := enter(t, open(t, url), code)
		until(t, late, func(s *class.State) bool {
			return len(s.Poll.Answers) == 20 && s.Learners[19].Name == "Ann 20" && s.IsTeacher(token)
		})
		_, _ = late.Look(func(s *class.State) {
			if s.Bytes < 60*len(`{"kind":"join"}`) || s.Learners[0].Bytes == 0 {
				t.Errorf("60 events have %d bytes", s.Bytes)
			}
		})
	})
}

// How long a learner stays at a step is told by the clock of the store, whatever that of the server says.
func TestAClassGoesByTheClockOfItsStore(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, url string) {
		rooms := open(t, url)
		code, _, err := rooms.Open(t.Context(), "set-nx")
		if err != nil {
			t.Fatal(err)
		}
		room := enter(t, rooms, code)
		o, err := redis.ParseURL(url)
		if err != nil {
			t.Fatal(err)
		}
		operator := redis.NewClient(o)
		defer operator.Close()
		there := time.Now().Add(time.Hour).UnixMilli()
		id := fmt.Sprintf("%d-0", there)
		event := &redis.XAddArgs{Stream: "lockstep:class:{" + code + "}", ID: id, Values: []any{"e", `{"kind":"join"}`}}
		if err := operator.XAdd(t.Context(), event).Err(); err != nil {
			t.Fatal(err)
		}
		until(t, room, func(s *class.State) bool { return s.Last == id })
		if now := room.Now(); now < there || now > there+10*time.Minute.Milliseconds() {
			t.Errorf("in a store whose clock is an hour ahead it is %s", time.UnixMilli(now))
		}
	})
}

func TestThereIsNoClassWithoutItsTeacher(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, url string) {
		if _, err := open(t, url).Enter(t.Context(), "ABCDEF", "192.0.2.1"); err == nil || err.Error() == "" {
			t.Errorf("a class that nobody opened is entered: %v", err)
		}
	})
}

func TestAClassWhoseStoreIsAwaySaysSo(t *testing.T) {
	t.Parallel()
	rooms := open(t, "redis://127.0.0.1:1")
	if _, _, err := rooms.Open(t.Context(), "set-nx"); err == nil {
		t.Error("a class is opened nowhere")
	}
	if _, err := rooms.Enter(t.Context(), "ABCDEF", "192.0.2.1"); err == nil {
		t.Error("a class is entered nowhere")
	}
}

// A store without room refuses what is sent, says so, and shows what it has.
func TestAFullStoreSaysSo(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, url string) {
		rooms := open(t, url)
		code, token, err := rooms.Open(t.Context(), "set-nx")
		if err != nil {
			t.Fatal(err)
		}
		room := enter(t, rooms, code)
		o, err := redis.ParseURL(url)
		if err != nil {
			t.Fatal(err)
		}
		operator := redis.NewClient(o)
		defer operator.Close()
		limit := func(bytes string) {
			t.Helper()
			if err := operator.ConfigSet(t.Context(), "maxmemory", bytes).Err(); err != nil {
				t.Fatal(err)
			}
		}
		limit("1")
		ask := class.Event{Kind: class.Ask, Who: class.Hash(token)}
		for what, err := range map[string]error{
			"an event": room.Send(t.Context(), ask, "192.0.2.1"),
			"a class":  func() error { _, _, err := rooms.Open(t.Context(), "set-nx"); return err }(),
		} {
			if f, ok := errors.AsType[fact.Fact](err); !ok || f.Code != "class-store" {
				t.Errorf("%s in a full store: %v", what, err)
			}
		}
		if rooms.Reach(t.Context()) == nil {
			t.Error("whoever watches the store hears nothing of it")
		}
		until(t, room, func(s *class.State) bool { return s.IsTeacher(token) })
		limit("0")
		if err := rooms.Reach(t.Context()); err != nil {
			t.Errorf("a store that takes events again: %v", err)
		}
		if err := room.Send(t.Context(), ask, "192.0.2.1"); err != nil {
			t.Errorf("there is room again: %v", err)
		}
		until(t, room, func(s *class.State) bool { return s.Poll != nil })
	})
}
