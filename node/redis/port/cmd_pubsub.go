package port

import (
	"maps"
	"slices"

	"lockstep/engine/reply"
	"lockstep/node/redis/keyspace"
)

var pubsubCommands = []command{
	{"psubscribe", listen, subscribeTo(pattern, "psubscribe")},
	{"punsubscribe", listen, unsubscribeFrom(pattern, "punsubscribe")},
	{"ssubscribe", listen, subscribeTo(shard, "ssubscribe")},
	{"subscribe", listen, subscribeTo(plain, "subscribe")},
	{"sunsubscribe", listen, unsubscribeFrom(shard, "sunsubscribe")},
	{"unsubscribe", listen, unsubscribeFrom(plain, "unsubscribe")},
}

// PUBSUB, which looks at them all, is the keyspace's.

// count is the number that a client is told after it has changed its
// subscriptions: shard channels are counted apart.
func (c *conn) count(kind keyspace.SubscriptionKind) int {
	if kind == shard {
		return len(c.channels[shard])
	}
	return len(c.channels[plain]) + len(c.channels[pattern])
}

// confirm tells a client about one subscription.
func (c *conn) confirm(what string, kind keyspace.SubscriptionKind, channel reply.Reply) {
	c.append(func(b []byte) []byte {
		b = appendBulk(appendPush(b, c.proto, 3), what)
		b = appendReply(b, c.proto, channel)
		return appendHeader(b, ':', int64(c.count(kind)))
	})
}

func subscribeTo(kind keyspace.SubscriptionKind, what string) func(*Server, *conn, []string) {
	return func(s *Server, c *conn, args []string) {
		if kind == shard && c.multi != nil {
			c.error("ERR SSUBSCRIBE isn't allowed for a DENY BLOCKING client")
			return
		}
		for _, channel := range args[1:] {
			s.subscribe(c, kind, channel)
			c.confirm(what, kind, reply.OfBulk(channel))
		}
	}
}

// unsubscribeFrom ends all subscriptions of a kind when it is given no channel.
func unsubscribeFrom(kind keyspace.SubscriptionKind, what string) func(*Server, *conn, []string) {
	return func(s *Server, c *conn, args []string) {
		channels := args[1:]
		if len(channels) == 0 {
			channels = slices.Sorted(maps.Keys(c.channels[kind]))
		}
		for _, channel := range channels {
			s.unsubscribe(c, kind, channel)
			c.confirm(what, kind, reply.OfBulk(channel))
		}
		if len(channels) == 0 {
			c.confirm(what, kind, reply.Reply{})
		}
	}
}
