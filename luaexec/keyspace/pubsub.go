package keyspace

import (
	"cmp"
	"slices"
	"sort"
)

// Subscription is one subscriber listening to one channel, to one pattern of
// channels or to one shard channel.
type Subscription struct {
	Channel    string
	Subscriber string
}

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

// audience is who listens, of each kind by channel or pattern, then subscriber.
type audience [3][]Subscription

func compareSubscriptions(a, b Subscription) int {
	return cmp.Or(cmp.Compare(a.Channel, b.Channel), cmp.Compare(a.Subscriber, b.Subscriber))
}

// listeners are the subscriptions of a kind.
func (k *Keyspace) listeners(kind SubscriptionKind) []Subscription {
	if k.audience == nil {
		return nil
	}
	return k.audience[kind]
}

// setListeners replaces the subscriptions of a kind: forks share the old ones.
func (k *Keyspace) setListeners(kind SubscriptionKind, all []Subscription) {
	var a audience
	if k.audience != nil {
		a = *k.audience
	}
	a[kind] = all
	k.audience = &a
	if len(a[ToChannel])+len(a[ToPattern])+len(a[ToShard]) == 0 {
		k.audience = nil
	}
}

// Subscribe makes a subscriber listen to a channel; a second time changes nothing.
func (k *Keyspace) Subscribe(subscriber, channel string) {
	k.SubscribeTo(ToChannel, subscriber, channel)
}

// Unsubscribe ends one subscription, if it is there.
func (k *Keyspace) Unsubscribe(subscriber, channel string) {
	k.UnsubscribeFrom(ToChannel, subscriber, channel)
}

// SubscribeTo is Subscribe for any kind; channel may be a pattern.
func (k *Keyspace) SubscribeTo(kind SubscriptionKind, subscriber, channel string) {
	s := Subscription{Channel: channel, Subscriber: subscriber}
	all := k.listeners(kind)
	if i, found := slices.BinarySearchFunc(all, s, compareSubscriptions); !found {
		k.setListeners(kind, slices.Insert(slices.Clip(all), i, s))
	}
}

// UnsubscribeFrom is Unsubscribe for any kind.
func (k *Keyspace) UnsubscribeFrom(kind SubscriptionKind, subscriber, channel string) {
	s := Subscription{Channel: channel, Subscriber: subscriber}
	all := k.listeners(kind)
	if i, found := slices.BinarySearchFunc(all, s, compareSubscriptions); found {
		k.setListeners(kind, slices.Delete(slices.Clone(all), i, i+1))
	}
}

// Disconnect ends every subscription of a subscriber.
func (k *Keyspace) Disconnect(subscriber string) {
	theirs := func(s Subscription) bool { return s.Subscriber == subscriber }
	for kind := ToChannel; kind <= ToShard; kind++ {
		if all := k.listeners(kind); slices.ContainsFunc(all, theirs) {
			k.setListeners(kind, slices.DeleteFunc(slices.Clone(all), theirs))
		}
	}
}

// Subscriptions lists who listens to what channel, by channel, then by subscriber.
func (k *Keyspace) Subscriptions() []Subscription { return k.SubscriptionsTo(ToChannel) }

// SubscriptionsTo is Subscriptions for any kind.
func (k *Keyspace) SubscriptionsTo(kind SubscriptionKind) []Subscription {
	return slices.Clone(k.listeners(kind))
}

// publish leaves a message for each subscriber of a channel and counts them.
func (k *Keyspace) publish(channel, payload string) int {
	if k.audience == nil {
		return 0
	}
	n := k.deliver(ToChannel, channel, payload)
	for _, s := range k.audience[ToPattern] {
		if matchGlob(s.Channel, channel) {
			k.deliveries = append(k.deliveries, Delivery{s.Subscriber, channel, payload, s.Channel, ToPattern})
			n++
		}
	}
	return n
}

// deliver leaves a message for those who listen to exactly this channel.
func (k *Keyspace) deliver(kind SubscriptionKind, channel, payload string) int {
	listeners := onChannel(k.listeners(kind), channel)
	for _, s := range listeners {
		k.deliveries = append(k.deliveries, Delivery{Subscriber: s.Subscriber, Channel: channel, Payload: payload, Kind: kind})
	}
	return len(listeners)
}

// onChannel is the part of all that is about one channel.
func onChannel(all []Subscription, channel string) []Subscription {
	from := sort.Search(len(all), func(i int) bool { return all[i].Channel >= channel })
	to := from
	for to < len(all) && all[to].Channel == channel {
		to++
	}
	return all[from:to]
}

// TakeDeliveries returns the messages delivered since the last call, by
// subscriber, then by publication, and forgets them.
func (k *Keyspace) TakeDeliveries() []Delivery {
	taken := k.deliveries
	k.deliveries = nil
	slices.SortStableFunc(taken, func(a, b Delivery) int { return cmp.Compare(a.Subscriber, b.Subscriber) })
	return taken
}

func (a *audience) digest(d uint64) uint64 {
	for kind, all := range a {
		for _, s := range all {
			d = mix(hashText(d, s.Channel), hashText(uint64(kind)+1, s.Subscriber))
		}
	}
	return d
}
