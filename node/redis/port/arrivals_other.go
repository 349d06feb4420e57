//go:build !linux

package port

// arrivals has a goroutine wait for each connection. Of two commands that arrive
// within microseconds on different connections, the later one may run first.
type arrivals struct{ server *Server }

func (a *arrivals) open(s *Server) error {
	a.server = s
	return nil
}

func (a *arrivals) end()         {}
func (a *arrivals) close()       {}
func (a *arrivals) remove(*conn) {}
func (a *arrivals) handOver()    {}

func (a *arrivals) add(c *conn) error {
	s := a.server
	s.goroutines.Go(func() {
		room := make([]byte, 16<<10)
		for ended := false; !ended; {
			n, err := c.net.Read(room)
			s.mu.Lock()
			s.receive(c, room[:n], err)
			ended = c.ending
			s.mu.Unlock()
		}
	})
	return nil
}

// writeNow writes nothing to a socket: the network may not be ready.
func (c *conn) writeNow(b []byte) (int, error) {
	if _, local := c.net.(localConn); local {
		return c.net.Write(b)
	}
	return 0, nil
}
