package port

// watch makes a client's next EXEC depend on a key.
func (s *Server) watch(c *conn, key string) {
	at := databaseKey{c.db, key}
	if _, already := c.watched[at]; already {
		return
	}
	if c.watched == nil {
		c.watched = map[databaseKey]uint64{}
	}
	c.watched[at] = s.data.watch(at)
	c.names += nameBytes(key)
}

// unwatch ends what watch began, for all keys of a client.
func (s *Server) unwatch(c *conn) {
	for at := range c.watched {
		s.data.unwatch(at)
		c.names -= nameBytes(at.key)
	}
	c.watched = nil
}

// touched tells whether a key that the client watches has changed since.
func (s *Server) touched(c *conn) bool {
	for at, version := range c.watched {
		if s.data.version(at) != version {
			return true
		}
	}
	return false
}
