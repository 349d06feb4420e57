package browsertest

import (
	"io"
	"net"
	"strings"
	"sync"
	"testing"
)

// cable leads to the playground of all tests, and can be pulled: a playground of the test's own
// takes a second of processor time to start, and as long to start again.
type cable struct {
	t   testing.TB
	url string

	mu      sync.Mutex
	entry   net.Listener // nil: it is pulled
	streams []net.Conn
}

func plugged(t testing.TB) *cable {
	t.Helper()
	c := &cable{t: t}
	c.plug("127.0.0.1:0")
	c.url = "http://" + c.entry.Addr().String()
	t.Cleanup(c.pull)
	return c
}

// plugAgain has the playground back at its address.
func (c *cable) plugAgain() {
	c.t.Helper()
	c.plug(strings.TrimPrefix(c.url, "http://"))
}

func (c *cable) plug(addr string) {
	c.t.Helper()
	entry, err := net.Listen("tcp", addr)
	if err != nil {
		c.t.Fatal(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entry = entry
	go func() {
		for {
			from, err := entry.Accept()
			if err != nil {
				return // it was pulled
			}
			c.join(from)
		}
	}()
}

// join leads a connection on to the playground.
func (c *cable) join(from net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entry == nil {
		_ = from.Close()
		return
	}
	to, err := net.Dial("tcp", strings.TrimPrefix(shared.url, "http://"))
	if err != nil {
		_ = from.Close()
		return
	}
	c.streams = append(c.streams, from, to)
	pass := func(to, from net.Conn) {
		_, _ = io.Copy(to, from)
		_ = to.Close()
	}
	go pass(to, from)
	go pass(from, to)
}

// pull ends all connections. Nobody is there for new ones.
func (c *cable) pull() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entry != nil {
		_ = c.entry.Close()
	}
	for _, s := range c.streams {
		_ = s.Close()
	}
	c.entry, c.streams = nil, nil
}
