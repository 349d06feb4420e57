package web

import (
	"net"
	"sync"
)

// maxConnections bounds the connections of one address, idle ones included: all visitors
// share the file descriptors of the process. Through a trusted proxy, it bounds the pages of classes.
const maxConnections = 1024

// tally counts what each address, or each class, has open, up to max. Invariant: no count in open is 0, so that addresses of
// long ago take no memory.
type tally struct {
	max int

	mu   sync.Mutex
	open map[string]int
}

func newTally(limit int) *tally { return &tally{max: limit, open: map[string]int{}} }

func (t *tally) acquire(who string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open[who] >= t.max {
		return false
	}
	t.open[who]++
	return true
}

func (t *tally) release(who string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open[who]--; t.open[who] == 0 {
		delete(t.open, who)
	}
}

// connectionLimiter is a listener that closes a connection from an address that already has too many. A trusted
// proxy may have any number: it brings many visitors, and limits their connections itself.
type connectionLimiter struct {
	net.Listener
	*tally
	proxies proxies
}

func newConnectionLimiter(l net.Listener, limit int, trusted proxies) *connectionLimiter {
	return &connectionLimiter{Listener: l, tally: newTally(limit), proxies: trusted}
}

// Accept implements net.Listener.
func (d *connectionLimiter) Accept() (net.Conn, error) {
	for {
		c, err := d.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if peer, err := ipOf(c.RemoteAddr().String()); err == nil && d.proxies.trust(peer) {
			return c, nil
		}
		address := networkOf(c.RemoteAddr().String())
		if d.acquire(address) {
			return &countedConn{Conn: c, release: sync.OnceFunc(func() { d.release(address) })}, nil
		}
		_ = c.Close()
	}
}

// countedConn is a connection that counts towards the limit until it is closed.
type countedConn struct {
	net.Conn
	release func()
}

// Close implements net.Conn.
func (g *countedConn) Close() error {
	g.release()
	return g.Conn.Close()
}
