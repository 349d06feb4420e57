package real

import (
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"syscall"

	"github.com/redis/go-redis/v9"

	"lockstep/engine"
)

// listener is the connection of one subscribed process: PUBLISH counts
// connections, so each process has its own.
type listener struct {
	conn     *redis.PubSub
	prefix   string
	channels map[string]bool // without the prefix
}

// Subscribe implements engine.Node.
func (n *Node) Subscribe(ctx context.Context, process, channel string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.usable(ctx); err != nil {
		return err
	}
	l := n.listeners[process]
	if l == nil {
		l = &listener{conn: n.control.Subscribe(ctx), prefix: n.prefix, channels: map[string]bool{}}
		n.listeners[process] = l
	}
	if l.channels[channel] {
		return nil
	}
	if err := l.confirmed(ctx, "subscribe", l.conn.Subscribe, channel); err != nil {
		return n.markLost(n.connectionError(err))
	}
	l.channels[channel] = true
	return nil
}

// Unsubscribe implements engine.Node.
func (n *Node) Unsubscribe(ctx context.Context, process, channel string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.lost != nil {
		return n.lost
	}
	l := n.listeners[process]
	if l == nil || !l.channels[channel] {
		return nil
	}
	if len(l.channels) == 1 {
		return n.disconnect(ctx, process)
	}
	if err := l.confirmed(ctx, "unsubscribe", l.conn.Unsubscribe, channel); err != nil {
		return n.markLost(n.connectionError(err))
	}
	delete(l.channels, channel)
	return nil
}

// Fault implements engine.Node: a server hears only of a process that crashed.
func (n *Node) Fault(ctx context.Context, process string, kind engine.ChoiceKind) (engine.Effects, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case n.lost != nil:
		return engine.Effects{}, n.lost
	case kind != engine.Crash:
		return engine.Effects{}, nil
	}
	n.waiters.Forget(process)
	if n.listeners[process] == nil {
		return engine.Effects{}, nil
	}
	return engine.Effects{}, n.disconnect(ctx, process)
}

func (n *Node) disconnect(ctx context.Context, process string) error {
	l := n.listeners[process]
	delete(n.listeners, process)
	if err := l.end(ctx); err != nil {
		return n.markLost(n.connectionError(err))
	}
	return nil
}

// end unsubscribes before it closes: a server may notice a closed connection
// only after it has counted it for the next PUBLISH.
func (l *listener) end(ctx context.Context) error {
	var errs []error
	for _, channel := range slices.Sorted(maps.Keys(l.channels)) {
		if err := l.confirmed(ctx, "unsubscribe", l.conn.Unsubscribe, channel); err != nil {
			errs = append(errs, err)
			break
		}
	}
	return errors.Join(append(errs, l.conn.Close())...)
}

// confirmed begins or ends a subscription, and reads until the server has confirmed that.
func (l *listener) confirmed(ctx context.Context, kind string, ask func(context.Context, ...string) error, channel string) error {
	if err := ask(ctx, l.prefix+channel); err != nil {
		return err
	}
	for {
		got, err := l.conn.ReceiveTimeout(ctx, answerLimit)
		if err != nil {
			return err
		}
		if s, ok := got.(*redis.Subscription); ok && s.Kind == kind && s.Channel == l.prefix+channel {
			return nil
		}
	}
}

// collect reads the messages that have come up to the answer to a ping.
func (l *listener) collect(ctx context.Context) ([]*redis.Message, error) {
	var messages []*redis.Message
	size := 0
	for {
		got, err := l.conn.ReceiveTimeout(ctx, answerLimit)
		if err != nil {
			return nil, err
		}
		switch m := got.(type) {
		case *redis.Pong:
			return messages, nil
		case *redis.Message:
			if size += len(m.Channel) + len(m.Payload); size > replyLimit {
				return nil, errTooBig
			}
			messages = append(messages, m)
		}
	}
}

// collect gathers what the transaction published, by process. A server answers a
// ping after the messages of all that it did before.
func (n *Node) collect(ctx context.Context) ([]engine.Delivery, *Error) {
	processes := slices.Sorted(maps.Keys(n.listeners))
	for _, process := range processes {
		if err := n.listeners[process].conn.Ping(ctx); err != nil {
			return nil, n.markLost(n.listenerError(err))
		}
	}
	var delivered []engine.Delivery
	for _, process := range processes {
		messages, err := n.listeners[process].collect(ctx)
		if err != nil {
			return nil, n.markLost(n.listenerError(err))
		}
		for _, m := range messages {
			delivered = append(delivered, engine.Delivery{
				Process: process, Channel: n.plain(m.Channel), Payload: n.plain(m.Payload),
			})
		}
	}
	return delivered, nil
}

// listenerError is the problem behind a listener's failed connection, right after a step.
func (n *Node) listenerError(err error) *Error {
	if errors.Is(err, io.EOF) || errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET) {
		return n.server.tooMuchData() // for what the server keeps for a listener
	}
	return n.connectionError(err)
}
