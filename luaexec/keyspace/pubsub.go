package keyspace

import (
	"cmp"
	"slices"
	"sort"
)

// Subscription is one subscriber listening to one channel.
type Subscription struct {
	Channel    string
	Subscriber string
}

// Delivery is one message that reached one subscriber.
type Delivery struct {
	Subscriber string
	Channel    string
	Payload    string
}

func compareSubscriptions(a, b Subscription) int {
	return cmp.Or(cmp.Compare(a.Channel, b.Channel), cmp.Compare(a.Subscriber, b.Subscriber))
}

// Subscribe makes a subscriber listen to a channel; a second time changes nothing.
func (k *Keyspace) Subscribe(subscriber, channel string) {
	s := Subscription{Channel: channel, Subscriber: subscriber}
	i, found := slices.BinarySearchFunc(k.subscriptions, s, compareSubscriptions)
	if !found {
		k.subscriptions = slices.Insert(slices.Clip(k.subscriptions), i, s)
	}
}

// Unsubscribe ends one subscription, if it is there.
func (k *Keyspace) Unsubscribe(subscriber, channel string) {
	s := Subscription{Channel: channel, Subscriber: subscriber}
	i, found := slices.BinarySearchFunc(k.subscriptions, s, compareSubscriptions)
	if found {
		k.subscriptions = slices.Delete(slices.Clone(k.subscriptions), i, i+1)
	}
}

// Disconnect ends every subscription of a subscriber.
func (k *Keyspace) Disconnect(subscriber string) {
	k.subscriptions = slices.DeleteFunc(slices.Clone(k.subscriptions), func(s Subscription) bool {
		return s.Subscriber == subscriber
	})
}

// Subscriptions lists who listens to what, by channel, then by subscriber.
func (k *Keyspace) Subscriptions() []Subscription { return slices.Clone(k.subscriptions) }

// publish leaves a message for each subscriber of a channel and counts them.
func (k *Keyspace) publish(channel, payload string) int {
	all := k.subscriptions
	if len(all) == 0 {
		return 0
	}
	first := sort.Search(len(all), func(i int) bool { return all[i].Channel >= channel })
	n := 0
	for _, s := range all[first:] {
		if s.Channel != channel {
			break
		}
		k.deliveries = append(k.deliveries, Delivery{s.Subscriber, channel, payload})
		n++
	}
	return n
}

// TakeDeliveries returns the messages delivered since the last call, by
// subscriber, then by publication, and forgets them.
func (k *Keyspace) TakeDeliveries() []Delivery {
	taken := k.deliveries
	k.deliveries = nil
	slices.SortStableFunc(taken, func(a, b Delivery) int { return cmp.Compare(a.Subscriber, b.Subscriber) })
	return taken
}
