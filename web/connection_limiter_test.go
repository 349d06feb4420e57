package web

import (
	"errors"
	"io"
	"net"
	"testing"
)

// What is closed is forgotten: a server sees more addresses than it has memory for.
func TestATallyForgetsWhoHasNothingOpen(t *testing.T) {
	counted := newTally(2)
	for _, who := range []string{"192.0.2.1", "192.0.2.1", "192.0.2.2"} {
		counted.acquire(who)
	}
	for _, who := range []string{"192.0.2.1", "192.0.2.2", "192.0.2.1"} {
		counted.release(who)
	}
	if len(counted.open) > 0 {
		t.Errorf("%v are remembered", counted.open)
	}
}

func TestOneAddressHasSoManyConnections(t *testing.T) {
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d := newConnectionLimiter(l, 2, nil)
	defer d.Close()
	accepted := make(chan net.Conn, 10)
	go func() {
		for {
			c, err := d.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(c, "!")
			accepted <- c
		}
	}()
	dial := func(from string) error {
		t.Helper()
		dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
		c, err := dialer.DialContext(t.Context(), "tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		_, err = c.Read(make([]byte, 1))
		return err
	}
	for range 2 {
		if err := dial("127.0.0.1"); err != nil {
			t.Fatal(err)
		}
	}
	if err := dial("127.0.0.1"); err == nil {
		t.Error("a third of two connections is open")
	}
	if err := dial("127.0.0.2"); err != nil {
		t.Errorf("another address has none: %v", err)
	}
	first := <-accepted
	if err := errors.Join(first.Close(), first.Close()); err == nil {
		t.Error("closed twice without an error")
	}
	if err := dial("127.0.0.1"); err != nil {
		t.Errorf("when one was closed there is no room: %v", err)
	}
	if err := dial("127.0.0.1"); err == nil {
		t.Error("a connection that is closed twice makes room for two")
	}
}
