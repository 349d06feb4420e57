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
	c.watched[at] = s.data.at(at.db).Watch(at.key)
	c.names += nameBytes(key)
}

// unwatch ends what watch began, for all keys of a client.
func (s *Server) unwatch(c *conn) {
	for at := range c.watched {
		s.data.at(at.db).Unwatch(at.key)
		c.names -= nameBytes(at.key)
	}
	c.watched = nil
}

// touched tells whether a key that the client watches has changed since.
func (s *Server) touched(c *conn) bool {
	for at, version := range c.watched {
		if s.data.at(at.db).Version(at.key) != version {
			return true
		}
	}
	return false
}
