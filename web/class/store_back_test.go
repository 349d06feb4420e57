package class_test

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/redis/go-redis/v9"

	"lockstep/engine/fact"
	"lockstep/web/class"
)

// redisIn starts a redis-server that keeps its data in a folder.
func redisIn(t *testing.T, dir string) (url string, kill func()) {
	t.Helper()
	socket := filepath.Join(dir, "s")
	server := exec.Command("redis-server", "--port", "0", "--unixsocket", socket, "--dir", dir, "--appendonly", "yes", "--appendfsync", "always")
	if err := server.Start(); err != nil {
		t.Fatalf("%v: run `make servers` first", err)
	}
	kill = func() { _ = server.Process.Kill(); _ = server.Wait() }
	t.Cleanup(kill)
	client := redis.NewClient(&redis.Options{Network: "unix", Addr: socket, MaxRetries: -1})
	defer client.Close()
	for client.Ping(t.Context()).Err() != nil {
	}
	return "unix://" + socket, kill
}

// A class goes on where it was when its store comes back, and says so while it is away.
func TestAStoreThatComesBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	url, kill := redisIn(t, dir)
	rooms := open(t, url)
	code, token, err := rooms.Open(t.Context(), "set-nx")
	if err != nil {
		t.Fatal(err)
	}
	room := enter(t, rooms, code)
	ask := func(step int) error {
		return room.Send(t.Context(), class.Event{Kind: class.Ask, Who: class.Hash(token), Step: step}, "192.0.2.1")
	}
	if err := ask(1); err != nil {
		t.Fatal(err)
	}
	kill()
	if f, ok := errors.AsType[fact.Fact](ask(2)); !ok || f.Code != "class-store" {
		t.Errorf("what is sent to a store that is away: %v", f)
	}
	redisIn(t, dir)
	for ask(3) != nil { // as pages do
	}
	until(t, room, func(s *class.State) bool { return s.Poll != nil && s.Poll.N == 2 && s.Poll.Beat == 3 })
}

// A store that has lost its classes says that there are none, and the server forgets them, too.
func TestAStoreThatComesBackWithNothing(t *testing.T) {
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
		if err := operator.FlushAll(t.Context()).Err(); err != nil {
			t.Fatal(err)
		}
		err = room.Send(t.Context(), class.Event{Kind: class.Join, Who: class.Hash("Ann"), Text: "Ann"}, "192.0.2.1")
		if f, _ := errors.AsType[fact.Fact](err); f.Code != "class-none" {
			t.Errorf("what is sent to a class that is lost: %v", err)
		}
		if n := operator.DBSize(t.Context()).Val(); n > 0 {
			t.Fatal("what is sent to a class that is lost makes another one, without its teacher")
		}
		for {
			changed, err := room.Look(func(*class.State) {})
			if f, ok := errors.AsType[fact.Fact](err); ok && f.Code == "class-none" {
				return
			}
			<-changed
		}
	})
}

// One address cannot have a server follow all the classes that it can.
func TestOneAddressLeavesRooms(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, url string) {
		rooms := open(t, url)
		enter := func(address string) error {
			code, _, err := rooms.Open(t.Context(), "set-nx")
			if err == nil {
				_, err = rooms.Enter(t.Context(), code, address)
			}
			return err
		}
		n := 0
		for ; n < 200 && enter("192.0.2.1") == nil; n++ {
			for guess := range 10 { // takes no room
				_, _ = rooms.Enter(t.Context(), fmt.Sprintf("AAAAA%c", 'A'+guess), "192.0.2.2")
			}
		}
		if n != 50 {
			t.Errorf("one address has %d classes followed", n)
		}
		if err := enter("192.0.2.2"); err != nil {
			t.Errorf("another address: %v", err)
		}
	})
}
