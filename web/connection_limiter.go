package web

import (
	"net"
	"sync"
)

// maxConnections bounds the connections of one address, idle ones included: all visitors
// share the file descriptors of the process.
const maxConnections = 1024

// connectionLimiter is a listener that closes a connection from an address that already has too many. A trusted
// proxy may have any number: it brings many visitors, and limits their connections itself.
type connectionLimiter struct {
	net.Listener
	max     int
	proxies proxies

	mu   sync.Mutex
	open map[string]int // connections, by address
}

func newConnectionLimiter(l net.Listener, limit int, trusted proxies) *connectionLimiter {
	return &connectionLimiter{Listener: l, max: limit, proxies: trusted, open: map[string]int{}}
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

func (d *connectionLimiter) acquire(address string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open[address] >= d.max {
		return false
	}
	d.open[address]++
	return true
}

func (d *connectionLimiter) release(address string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open[address]--; d.open[address] == 0 {
		delete(d.open, address)
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
