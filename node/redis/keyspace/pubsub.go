package keyspace

import (
	"cmp"
	"maps"
	"slices"

	"lockstep/engine"
)

// Delivery is one message that reached one subscriber.
type Delivery struct {
	Subscriber string
	Channel    string
	Payload    string
	Pattern    string // of the subscription, if it has one
	Kind       SubscriptionKind
}

// SubscriptionKind says what a subscription listens to.
type SubscriptionKind uint8

// The kinds of subscription: SUBSCRIBE, PSUBSCRIBE and SSUBSCRIBE.
const (
	ToChannel SubscriptionKind = iota
	ToPattern
	ToShard
)

// audience is the subscribers, and the messages that they have not taken yet.
type audience struct {
	listeners  [3]map[string][]string // of each kind by channel or pattern, in order
	patterns   []string               // in order, or nil
	deliveries []Delivery
}

// writableAudience is the audience, made writable: forks share it until one side writes.
func (k *Keyspace) writableAudience() *audience {
	if !k.ownsAudience {
		a := audience{deliveries: slices.Clone(k.audience.deliveries)}
		for kind, listeners := range k.audience.listeners {
			a.listeners[kind] = maps.Clone(listeners)
		}
		k.audience, k.ownsAudience = &a, true
	}
	return k.audience
}

// ShareChannels makes the keyspaces of a server have the same subscribers.
func (k *Keyspace) ShareChannels(with *Keyspace) {
	k.audience, k.ownsAudience = with.writableAudience(), true
}

// Subscribe makes a subscriber listen to a channel or a pattern; a second time changes nothing.
func (k *Keyspace) Subscribe(kind SubscriptionKind, subscriber, channel string) {
	all := k.audience.listeners[kind][channel]
	if i, found := slices.BinarySearch(all, subscriber); !found {
		k.setListeners(kind, channel, slices.Insert(slices.Clip(all), i, subscriber))
	}
}

// Unsubscribe ends one subscription, if it is there.
func (k *Keyspace) Unsubscribe(kind SubscriptionKind, subscriber, channel string) {
	all := k.audience.listeners[kind][channel]
	if i, found := slices.BinarySearch(all, subscriber); found {
		k.setListeners(kind, channel, slices.Delete(slices.Clone(all), i, i+1))
	}
}

// setListeners replaces the list of a channel's subscribers, because forks share the old one.
func (k *Keyspace) setListeners(kind SubscriptionKind, channel string, all []string) {
	a := k.writableAudience()
	switch {
	case len(all) == 0:
		delete(a.listeners[kind], channel)
		if len(a.listeners[kind]) == 0 {
			a.listeners[kind] = nil // a map does not shrink
		}
	case a.listeners[kind] == nil:
		a.listeners[kind] = map[string][]string{channel: all}
	default:
		a.listeners[kind][channel] = all
	}
	if kind == ToPattern {
		a.patterns = nil
	}
}

// Disconnect ends every subscription of a subscriber.
func (k *Keyspace) Disconnect(subscriber string) {
	for kind := ToChannel; kind <= ToShard; kind++ {
		for _, channel := range k.audience.channels(kind) {
			k.Unsubscribe(kind, subscriber, channel)
		}
	}
}

// channels are those of a kind that somebody listens to, in order.
func (a *audience) channels(kind SubscriptionKind) []string {
	return slices.Sorted(maps.Keys(a.listeners[kind]))
}

// Subscriptions lists all subscriptions of a kind to channels or patterns, by channel, then by subscriber.
func (k *Keyspace) Subscriptions(kind SubscriptionKind) []engine.Subscription {
	var all []engine.Subscription
	for _, channel := range k.audience.channels(kind) {
		for _, subscriber := range k.audience.listeners[kind][channel] {
			all = append(all, engine.Subscription{Channel: channel, Process: subscriber})
		}
	}
	return all
}

// publish leaves a message for each subscriber of a channel and counts them.
func (k *Keyspace) publish(channel, payload string) int {
	n := k.deliver(Delivery{Channel: channel, Payload: payload, Kind: ToChannel}, channel)
	if len(k.audience.listeners[ToPattern]) == 0 {
		return n
	}
	if k.audience.patterns == nil {
		k.writableAudience().patterns = k.audience.channels(ToPattern)
	}
	for _, pattern := range k.audience.patterns {
		if Match(pattern, channel) {
			n += k.deliver(Delivery{Channel: channel, Payload: payload, Kind: ToPattern, Pattern: pattern}, pattern)
		}
	}
	return n
}

// deliver leaves a message for each subscriber of a channel or a pattern.
func (k *Keyspace) deliver(d Delivery, to string) int {
	listeners := k.audience.listeners[d.Kind][to]
	for _, subscriber := range listeners {
		d.Subscriber = subscriber
		a := k.writableAudience()
		a.deliveries = append(a.deliveries, d)
	}
	return len(listeners)
}

// TakeDeliveries returns the messages delivered since the last call, by
// subscriber, then by publication, and forgets them.
func (k *Keyspace) TakeDeliveries() []Delivery {
	if len(k.audience.deliveries) == 0 {
		return nil
	}
	a := k.writableAudience()
	taken := a.deliveries
	a.deliveries = nil
	slices.SortStableFunc(taken, func(a, b Delivery) int { return cmp.Compare(a.Subscriber, b.Subscriber) })
	return taken
}

func (k *Keyspace) audienceDigest(d uint64) uint64 {
	// A sum does not depend on the iteration order of a map.
	var sum uint64
	for kind, listeners := range k.audience.listeners {
		for channel, subscribers := range listeners {
			heard := hashText(uint64(kind)+1, channel)
			for _, s := range subscribers {
				heard = hashText(heard, s)
			}
			sum += heard
		}
	}
	if sum == 0 {
		return d
	}
	return mix(d, sum)
}
