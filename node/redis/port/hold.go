package port

import "strings"

// holdBack keeps a request until LetGo, if whoever follows wants that. What MULTI queues has
// no effect yet: EXEC is asked about, with the queue.
func (s *Server) holdBack(c *conn, args []string) bool {
	isExec := strings.EqualFold(args[0], "exec")
	if s.follower == nil || c.letGo || s.mustAuthenticate(c) || c.multi != nil && !isExec {
		return false
	}
	s.lookAtClock()
	d := Done{At: s.clock.now, Client: c.peer(), Args: args}
	if isExec {
		d.Queue = c.multi.commands()
	}
	if !s.follower.holds(d) {
		return false
	}
	c.postponed, c.held = args, true
	return true
}

// LetGo has the held requests of connections performed, in this order. A connection that
// has gone has none any more: it is not performed, as Redis does during CLIENT PAUSE.
func (s *Server) LetGo(connections ...int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range connections {
		if c := s.conns[id]; c != nil && c.held {
			c.held, c.letGo = false, true
			s.resumable = append(s.resumable, c)
		}
	}
	s.resumeAndFlush()
}
