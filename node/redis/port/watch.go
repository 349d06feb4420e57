package port

import "slices"

// watch makes a client's next EXEC depend on a key.
func (s *Server) watch(c *conn, key string) {
	at := databaseKey{c.db, key}
	if slices.Contains(s.watchers[at], c) {
		return
	}
	s.data.at(at.db).Has(key) // or it could expire, which is a change, although it has done so before
	s.watchers[at] = append(s.watchers[at], c)
	c.watched = append(c.watched, at)
	c.names += nameBytes(key)
}

// unwatch ends what watch began, for all keys of a client.
func (s *Server) unwatch(c *conn) {
	for _, at := range c.watched {
		s.watchers[at] = slices.DeleteFunc(s.watchers[at], func(other *conn) bool { return other == c })
		if len(s.watchers[at]) == 0 {
			delete(s.watchers, at)
		}
		c.names -= nameBytes(at.key)
	}
	c.watched, c.touched = nil, false
}

// mustFail tells whether a key that the client watches has changed since.
func (s *Server) mustFail(c *conn) bool {
	for _, at := range c.watched {
		s.data.at(at.db).Has(at.key) // a key that has expired has changed
	}
	return c.touched
}
