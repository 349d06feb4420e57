package keyspace

import (
	"slices"
	"strings"

	"lockstep/engine/reply"
)

var pubsubCommands = []Command{
	{"psubscribe", -2, PubSub | NoScript, noKeys, needsConnection, "Subscribe to the channels that match patterns"},
	{"publish", 3, PubSub, oneKey, publish, "Send a message to a channel"},
	{"pubsub", -2, PubSub | Global | Container, noKeys, pubsub, "List channels and count subscribers: CHANNELS, NUMSUB, NUMPAT, SHARDCHANNELS, SHARDNUMSUB"},
	{"punsubscribe", -1, PubSub | NoScript, noKeys, needsConnection, "Unsubscribe from patterns"},
	{"spublish", 3, PubSub, oneKey, spublish, "Send a message to a shard channel"},
	{"ssubscribe", -2, PubSub | NoScript, allKeys, needsConnection, "Subscribe to shard channels"},
	{"subscribe", -2, PubSub | NoScript, allKeys, needsConnection, "Subscribe to channels"},
	{"sunsubscribe", -1, PubSub | NoScript, allKeys, needsConnection, "Unsubscribe from shard channels"},
	{"unsubscribe", -1, PubSub | NoScript, allKeys, needsConnection, "Unsubscribe from channels"},
}

func publish(k *Keyspace, args []string) reply.Reply {
	return reply.OfInt(int64(k.publish(args[1], args[2])))
}

func spublish(k *Keyspace, args []string) reply.Reply {
	return reply.OfInt(int64(k.deliver(Delivery{Channel: args[1], Payload: args[2], Kind: ToShard}, args[1])))
}

func pubsub(k *Keyspace, args []string) reply.Reply {
	switch sub := strings.ToLower(args[1]); {
	case sub == "channels" && len(args) <= 3:
		return k.channels(ToChannel, args[2:])
	case sub == "shardchannels" && len(args) <= 3:
		return k.channels(ToShard, args[2:])
	case sub == "numsub":
		return k.countListeners(ToChannel, args[2:])
	case sub == "shardnumsub":
		return k.countListeners(ToShard, args[2:])
	case sub == "numpat":
		return reply.OfInt(int64(len(k.audience.listeners[ToPattern])))
	case sub == "channels", sub == "shardchannels":
		return UnknownOrArity("PUBSUB", args[1])
	}
	return Help("pubsub")
}

// channels lists what is listened to, and matches the pattern if there is one.
func (k *Keyspace) channels(kind SubscriptionKind, pattern []string) reply.Reply {
	found := k.audience.channels(kind)
	if len(pattern) > 0 {
		found = slices.DeleteFunc(found, func(channel string) bool { return !Match(pattern[0], channel) })
	}
	return reply.OfBulks(found)
}

func (k *Keyspace) countListeners(kind SubscriptionKind, channels []string) reply.Reply {
	counts := []reply.Reply{}
	for _, channel := range channels {
		counts = append(counts, reply.OfBulk(channel), reply.OfInt(int64(len(k.audience.listeners[kind][channel]))))
	}
	return reply.OfArray(counts...)
}
