package proxy

import (
	"slices"
	"strconv"

	"lockstep/node/redis/keyspace"
	"lockstep/node/redis/port"
)

func subscriber(t *tap) string { return strconv.FormatInt(t.peer.ID, 10) }

// heard are the clients that were sent messages.
func (m *mirror) heard(all []keyspace.Delivery) (heard []port.Heard) {
	for _, d := range all {
		id, _ := strconv.ParseInt(d.Subscriber, 10, 64)
		if t := m.proxy.tap(id); t != nil {
			heard = append(heard, port.Heard{Peer: t.who(), Channel: d.Channel, Payload: d.Payload})
		}
	}
	return heard
}

// subscribe has a client hear what it listens to.
func (m *mirror) subscribe(t *tap) {
	who := subscriber(t)
	for kind, channels := range t.channels() {
		kind := keyspace.SubscriptionKind(kind)
		for _, s := range m.keys.Subscriptions(kind) {
			if s.Subscriber == who && !slices.Contains(channels, s.Channel) {
				m.keys.Unsubscribe(kind, who, s.Channel)
			}
		}
		for _, channel := range channels {
			m.keys.Subscribe(kind, who, channel)
		}
	}
}
