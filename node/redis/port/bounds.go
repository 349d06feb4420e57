package port

import (
	"cmp"
	"slices"
	"time"
)

// uncounted is how much may wait to be sent to a client whatever its limit, in bytes:
// Redis does not count the buffer that each client has anyhow.
const uncounted = 16 << 10

// tooMuch closes a client that does not read its replies, and tells whether all clients
// together hold too much of theirs.
func (c *conn) tooMuch() bool {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	c.checkOutputLimits()
	limit := int64(c.server.config.clientMemory)
	return limit > 0 && c.server.unsent.Load() > limit
}

// checkOutputLimits closes a client that does not read its replies; c.out.mu is held.
func (c *conn) checkOutputLimits() {
	limit := c.server.config.output[0]
	if c.kind() == "pubsub" {
		limit = c.server.config.output[1]
	}
	now, waits := c.server.clock.wall, int64(c.out.size)
	if limit.soft == 0 || waits <= limit.soft {
		c.softLimitSince = time.Time{}
	} else if c.softLimitSince.IsZero() {
		c.softLimitSince = now
	}
	tooLong := !c.softLimitSince.IsZero() && seconds(now.Sub(c.softLimitSince)) > limit.seconds
	if waits > uncounted && (tooLong || limit.hard > 0 && waits > limit.hard) {
		c.server.log.Warn("closing a client that does not read its replies", "id", c.id, "addr", c.addr, "bytes", waits)
		c.out.fail()
		c.ending = true
		c.server.markDirty(c)
	}
}

// nameBytes is about how many bytes it takes to remember a name for a client.
func nameBytes(name string) int { return 200 + len(name) }

// callBytes is about how many bytes a queued command takes.
func callBytes(args []string) int {
	bytes := 64
	for _, arg := range args {
		bytes += argOverhead + len(arg)
	}
	return bytes
}

// memoryUsage is about how many bytes the server holds for this client.
func (c *conn) memoryUsage() int {
	bytes := cap(c.in.buf) + c.unsent() + c.names
	if c.in.left > 0 {
		bytes += c.in.size
	}
	if c.multi != nil {
		bytes += c.multi.bytes
	}
	return bytes
}

// evictClients closes clients that do not read their replies and, while all clients
// together hold too much (maxmemory-clients), the largest ones.
func (s *Server) evictClients() {
	total := 0
	s.leaving = slices.DeleteFunc(s.leaving, func(c *conn) bool { return c.unsent() == 0 })
	for _, c := range s.leaving {
		total += c.unsent()
	}
	for _, c := range s.conns {
		c.out.mu.Lock()
		c.checkOutputLimits()
		c.out.mu.Unlock()
		total += c.memoryUsage()
	}
	limit := s.config.clientMemory
	if limit == 0 || total <= limit {
		return
	}
	all := append(s.choose(func(c *conn) bool { return !c.ending }), s.leaving...)
	slices.SortFunc(all, func(a, b *conn) int { return cmp.Compare(b.memoryUsage(), a.memoryUsage()) })
	for _, c := range all {
		if total <= limit {
			return
		}
		s.log.Warn("closing a client because all clients hold too much", "id", c.id, "addr", c.addr, "bytes", c.memoryUsage())
		total -= c.memoryUsage()
		s.kill(nil, c)
		c.out.mu.Lock()
		c.out.fail()
		c.out.mu.Unlock()
	}
}
