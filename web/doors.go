package web

import (
	"net"
	"sync"
)

// mostConnections is how many connections one address may have, those included on which
// nothing happens: files of the process are for all.
const mostConnections = 1024

// doors is a listener that closes connections of an address which has too many.
type doors struct {
	net.Listener
	most int

	mu   sync.Mutex
	open map[string]int // connections, by address
}

func newDoors(l net.Listener, most int) *doors {
	return &doors{Listener: l, most: most, open: map[string]int{}}
}

// Accept implements net.Listener.
func (d *doors) Accept() (net.Conn, error) {
	for {
		c, err := d.Listener.Accept()
		if err != nil {
			return nil, err
		}
		address := networkOf(c.RemoteAddr().String())
		if d.enter(address) {
			return &guest{Conn: c, leave: sync.OnceFunc(func() { d.leave(address) })}, nil
		}
		_ = c.Close()
	}
}

func (d *doors) enter(address string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open[address] >= d.most {
		return false
	}
	d.open[address]++
	return true
}

func (d *doors) leave(address string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open[address]--; d.open[address] == 0 {
		delete(d.open, address)
	}
}

// guest is a connection that is counted until it is closed.
type guest struct {
	net.Conn
	leave func()
}

// Close implements net.Conn.
func (g *guest) Close() error {
	g.leave()
	return g.Conn.Close()
}
