package port

import (
	"context"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"lockstep/engine"
)

// Clients without a socket are served at once, and time is that of the bubble.
func TestLocalClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(time.UnixMilli(engine.Epoch)))
		s := New(Real, slog.New(slog.DiscardHandler))
		var heard strings.Builder
		hungUp := 0
		client := func() *Local {
			return s.Local(func(b []byte) { heard.Write(b) }, func() { hungUp++ })
		}
		said := func() string {
			defer heard.Reset()
			return heard.String()
		}
		a, b := client(), client()
		if _, due := s.Due(); due {
			t.Error("something is due on an empty server")
		}
		a.Send([]byte("SET k v PX 500\r\nGET k\r\n"))
		if got := said(); got != "+OK\r\n$1\r\nv\r\n" {
			t.Errorf("SET and GET: %q", got)
		}
		if in, due := s.Due(); !due || in != 500*time.Millisecond {
			t.Errorf("the key expires in %v, %v", in, due)
		}
		time.Sleep(500 * time.Millisecond)
		a.Send([]byte("EXISTS k\r\n"))
		if got := said(); got != ":0\r\n" {
			t.Errorf("an expired key: %q", got)
		}

		b.Send([]byte("BLPOP list 2\r\n"))
		if in, due := s.Due(); !due || in != 2*time.Second || said() != "" {
			t.Errorf("BLPOP gives up in %v, %v", in, due)
		}
		time.Sleep(2 * time.Second)
		s.Tick()
		if got := said(); got != "*-1\r\n" {
			t.Errorf("BLPOP gave up with %q", got)
		}
		b.Send([]byte("SUBSCRIBE news\r\n"))
		said()
		a.Send([]byte("PUBLISH news x\r\n"))
		if got := said(); got != "*3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$1\r\nx\r\n:1\r\n" {
			t.Errorf("a message: %q", got)
		}
		b.Close()
		a.Send([]byte("PUBLISH news x\r\nSHUTDOWN NOSAVE\r\n"))
		if got := said(); got != ":0\r\n" || hungUp != 2 {
			t.Errorf("after one hung up and the server ended: %q, %d connections ended", got, hungUp)
		}
	})
}

func TestCommandsOfAClient(t *testing.T) {
	for sent, want := range map[string]struct {
		commands int
		complete bool
	}{
		"":                               {0, true},
		"*1\r\n$4\r\nPING\r\n":           {1, true},
		"*1\r\n$4\r\nPING\r\nPING\r\n":   {2, true},
		"*1\r\n$4\r\nPING\r":             {0, false},
		"PING\r\n*2\r\n":                 {1, false},
		"PING":                           {0, false},
		"PING\r\n*x\r\n":                 {1, true},
		"*1\r\n$9223372036854775807\r\n": {0, true},
		"\r\n":                           {0, true},
	} {
		commands, complete := Commands([]byte(sent))
		if len(commands) != want.commands || complete != want.complete {
			t.Errorf("%q has %d commands, complete: %v", sent, len(commands), complete)
		}
	}
}

// silence is a listener to which nobody connects until its context ends.
type silence struct{ context.Context }

func (s silence) Accept() (net.Conn, error) {
	<-s.Done()
	return nil, net.ErrClosed
}

func (silence) Close() error   { return nil }
func (silence) Addr() net.Addr { return &net.UnixAddr{} }

// Whoever begins to wait for less time than those before is answered in time: the server does
// not sleep until it has to look for the others.
func TestAnEarlierDeadlineIsMet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(time.UnixMilli(engine.Epoch)))
		s := New(Real, slog.New(slog.DiscardHandler))
		ctx, end := context.WithCancel(t.Context())
		go func() { _ = s.Serve(ctx, silence{ctx}) }()
		var mu sync.Mutex
		answered := map[string]time.Time{}
		waits := func(name, command string) {
			note := func([]byte) {
				mu.Lock()
				defer mu.Unlock()
				answered[name] = time.Now()
			}
			s.Local(note, func() {}).Send([]byte(command))
		}
		begin := time.Now()
		waits("late", "BLPOP q 0.09\r\n")
		synctest.Wait()
		waits("early", "BLPOP q 0.03\r\n")
		time.Sleep(time.Second)
		mu.Lock()
		defer mu.Unlock()
		for name, want := range map[string]time.Duration{"early": 30 * time.Millisecond, "late": 90 * time.Millisecond} {
			if got := answered[name].Sub(begin); got != want {
				t.Errorf("%s is answered after %v, not %v", name, got, want)
			}
		}
		end()
	})
}

// A server without a socket tells of itself, and of the clients that are none of those who look on.
func TestAServerWithoutASocketTellsOfItself(t *testing.T) {
	s := New(Virtual, slog.New(slog.DiscardHandler))
	var heard strings.Builder
	s.Local(func([]byte) {}, func() { t.Error("who looks on is killed") }).LooksOn()
	c := s.Local(func(b []byte) { heard.Write(b) }, func() {})
	c.Send([]byte("INFO\r\nCONFIG GET port\r\nCONFIG GET bind\r\nCLIENT LIST\r\nCLIENT LIST ID 1\r\nCLIENT KILL TYPE normal\r\n"))
	for _, want := range []string{"\r\ntcp_port:6379\r\n", "\r\nconnected_clients:1\r\n", "\r\ntotal_connections_received:1\r\n", "\r\nport\r\n$4\r\n6379\r\n", "\r\nbind\r\n$9\r\n127.0.0.1\r\n", ":0\r\n"} {
		if !strings.Contains(heard.String(), want) {
			t.Errorf("%q is not in what it tells: %s", want, heard.String())
		}
	}
	if strings.Count(heard.String(), " addr=local") != 1 {
		t.Errorf("there is one client: %s", heard.String())
	}
}
