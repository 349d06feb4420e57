package port

import (
	"strconv"

	"lockstep/node/redis/keyspace"
)

// The kinds of subscription.
const (
	plain   = keyspace.ToChannel
	pattern = keyspace.ToPattern
	shard   = keyspace.ToShard
)

func (c *conn) subscriptions() int {
	return len(c.channels[plain]) + len(c.channels[pattern]) + len(c.channels[shard])
}

// subscriber is the client's name in the keyspaces.
func (c *conn) subscriber() string { return strconv.FormatInt(c.id, 10) }

// subscribe makes a client listen; a second time changes nothing.
func (s *Server) subscribe(c *conn, kind keyspace.SubscriptionKind, channel string) {
	if _, already := c.channels[kind][channel]; already {
		return
	}
	if c.channels[kind] == nil {
		c.channels[kind] = map[string]struct{}{}
	}
	c.channels[kind][channel] = struct{}{}
	c.names += nameBytes(channel)
	s.data.channels().Subscribe(kind, c.subscriber(), channel)
}

// unsubscribe ends one subscription, if it is there.
func (s *Server) unsubscribe(c *conn, kind keyspace.SubscriptionKind, channel string) {
	if _, there := c.channels[kind][channel]; !there {
		return
	}
	delete(c.channels[kind], channel)
	if len(c.channels[kind]) == 0 {
		c.channels[kind] = nil // a map keeps its room
	}
	c.names -= nameBytes(channel)
	s.data.channels().Unsubscribe(kind, c.subscriber(), channel)
}

// unsubscribeAll ends every subscription of a client.
func (s *Server) unsubscribeAll(c *conn) {
	for kind := range c.channels {
		for channel := range c.channels[kind] {
			s.unsubscribe(c, keyspace.SubscriptionKind(kind), channel)
		}
	}
}

// deliver sends the messages that the last command published.
func (s *Server) deliver() {
	for _, d := range s.data.channels().TakeDeliveries() {
		id, err := strconv.ParseInt(d.Subscriber, 10, 64)
		if err != nil {
			continue
		}
		if c := s.conns[id]; c != nil {
			c.append(func(b []byte) []byte { return appendMessage(b, c.proto, d) })
			if f := s.follower; f != nil {
				f.heard = append(f.heard, Heard{c.peer(), d.Channel, d.Payload})
			}
		}
	}
}

func appendMessage(b []byte, proto int, d keyspace.Delivery) []byte {
	switch d.Kind {
	case pattern:
		b = appendBulk(appendPush(b, proto, 4), "pmessage")
		b = appendBulk(b, d.Pattern)
	case shard:
		b = appendBulk(appendPush(b, proto, 3), "smessage")
	case plain:
		b = appendBulk(appendPush(b, proto, 3), "message")
	}
	return appendBulk(appendBulk(b, d.Channel), d.Payload)
}
