package port

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"lockstep/engine/reply"
	"lockstep/node/redis/keyspace"
)

// tracking is what the server knows of the keys that clients keep in caches of their
// own, and what it has yet to tell them of.
type tracking struct {
	clients  int                           // that track
	readers  map[string]map[int64]struct{} // of keys, by client
	bytes    int                           // memory of readers; Invariant: bytes <= maxTracked between commands
	pending  []string                      // invalid keys of the client whose command runs: sent after its reply
	flushed  bool                          // all keys are invalid: sent to all clients after the reply
	changed  map[string]int64              // keys to broadcast, with the client that changed each of them last
	prefixed int                           // clients in broadcasting mode
}

// maxTracked bounds how many bytes the server remembers of who has read what.
const maxTracked = 64 << 20

type trackingOptions struct {
	bcast, optIn, optOut, noLoop bool
	given                        bool // CLIENT CACHING, for the next command
	redirect                     int64
	broken                       bool // the client of redirect has gone
	prefixes                     []string
}

// hasRead notes which keys a client that tracks has read.
func (s *Server) hasRead(c *conn, command *keyspace.Command, args []string) {
	if how := c.tracking; how.bcast || how.optIn && !how.given || how.optOut && how.given {
		return
	}
	t := &s.tracking
	for _, i := range command.KeyPositions(args) {
		key := args[i]
		if t.readers[key] == nil {
			t.readers[key] = map[int64]struct{}{}
		}
		if _, known := t.readers[key][c.id]; !known {
			t.readers[key][c.id] = struct{}{}
			t.bytes += nameBytes(key)
		}
	}
	for t.bytes > maxTracked { // whoever has read it must read it again
		for key := range t.readers {
			s.invalidate(key)
			break
		}
	}
}

// forget has those that have a key in their caches told that it has changed.
func (s *Server) forget(key string) {
	if t := &s.tracking; t.prefixed > 0 {
		t.changed[key] = 0
		if s.running != nil {
			t.changed[key] = s.running.id
		}
	}
	s.invalidate(key)
}

// invalidate tells those who have read a key that it has changed.
func (s *Server) invalidate(key string) {
	t := &s.tracking
	ids := t.readers[key]
	if len(ids) == 0 {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		c := s.conns[id]
		switch {
		case c == nil, c.tracking == nil, c.tracking.bcast:
		case c != cmp.Or(s.serving, s.running):
			s.sendInvalidation(c, reply.OfArray(reply.OfBulk(key)))
		case !c.tracking.noLoop:
			t.pending = append(t.pending, key)
		}
	}
	t.bytes -= len(ids) * nameBytes(key)
	delete(t.readers, key)
}

// forgetAll has all of them told that all keys have changed.
func (s *Server) forgetAll() {
	t := &s.tracking
	if t.clients == 0 {
		return
	}
	t.readers, t.bytes = map[string]map[int64]struct{}{}, 0
	t.flushed = true
}

// sendPendingInvalidations tells a client, after the reply to its command, which of its keys
// the command has changed, and all clients of a FLUSHALL.
func (s *Server) sendPendingInvalidations(c *conn) {
	t := &s.tracking
	for _, key := range t.pending {
		if c.tracking != nil {
			s.sendInvalidation(c, reply.OfArray(reply.OfBulk(key)))
		}
	}
	t.pending = nil
	if t.flushed {
		t.flushed = false
		for _, other := range s.conns {
			if other.tracking != nil {
				s.sendInvalidation(other, reply.Reply{})
			}
		}
	}
}

// broadcast tells the clients that want to hear of all keys with a prefix.
func (s *Server) broadcast() {
	t := &s.tracking
	if len(t.changed) == 0 {
		return
	}
	keys := slices.Sorted(maps.Keys(t.changed))
	for _, c := range s.conns {
		if c.tracking == nil || !c.tracking.bcast {
			continue
		}
		for _, prefix := range c.tracking.prefixes {
			var heard []reply.Reply
			for _, key := range keys {
				if strings.HasPrefix(key, prefix) && !(c.tracking.noLoop && t.changed[key] == c.id) {
					heard = append(heard, reply.OfBulk(key))
				}
			}
			if len(heard) > 0 {
				s.sendInvalidation(c, reply.OfArray(heard...))
			}
		}
	}
	clear(t.changed)
}

// sendInvalidation sends invalid keys to a client or to the one that it redirects to: as a
// push, or in RESP2 as a message on a channel.
func (s *Server) sendInvalidation(c *conn, keys reply.Reply) {
	to := c
	if id := c.tracking.redirect; id != 0 {
		if to = s.conns[id]; to == nil {
			c.tracking.broken = true
			if c.proto == resp3 {
				c.append(func(b []byte) []byte {
					return appendHeader(appendBulk(appendPush(b, resp3, 2), "tracking-redir-broken"), ':', id)
				})
			}
			return
		}
	}
	switch {
	case to.proto == resp3:
		to.append(func(b []byte) []byte {
			return appendReply(appendBulk(appendPush(b, resp3, 2), "invalidate"), resp3, keys)
		})
	case to != c && to.subscriptions() > 0:
		to.append(func(b []byte) []byte {
			b = appendBulk(appendBulk(appendPush(b, resp2, 3), "message"), "__redis__:invalidate")
			return appendReply(b, resp2, keys)
		})
	}
}

// track begins or ends to track what a client reads; nil ends it.
func (s *Server) track(c *conn, how *trackingOptions) {
	t, old := &s.tracking, c.tracking
	c.tracking = how
	if old != nil {
		t.clients--
		if old.bcast {
			t.prefixed--
		}
	}
	if how != nil {
		t.clients++
		if how.bcast {
			t.prefixed++
		}
	}
	switch {
	case t.clients == 0:
		s.tracking = tracking{}
	case t.readers == nil:
		t.readers, t.changed = map[string]map[int64]struct{}{}, map[string]int64{}
	}
}
