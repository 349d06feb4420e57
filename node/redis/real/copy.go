package real

import (
	"context"
	"maps"
	"slices"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/reply"
)

var _ engine.Copier = (*Node)(nil)

// copied is the data of a node, in the server's own form.
type copied struct {
	keys   map[string]storedKey // by name on the server that they were copied from
	prefix string               // of those names
}

// Copy implements engine.Copier.
func (n *Node) Copy(ctx context.Context) (engine.Data, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.usable(ctx); err != nil {
		return nil, err
	}
	var names []string
	var dumps [][]string
	for _, name := range slices.Sorted(maps.Keys(n.keys)) {
		if n.keys[name].dump == "" {
			names = append(names, name)
			dumps = append(dumps, []string{"DUMP", name})
		}
	}
	if len(dumps) > 0 {
		replies, err := sendAll(ctx, n.data, dumps)
		if err != nil {
			return nil, n.markLost(n.connectionError(err))
		}
		for i, name := range names {
			switch r := replies[i]; r.Kind {
			case reply.Bulk:
				h := n.keys[name]
				h.dump = r.Str
				n.keys[name] = h
			case reply.Error:
				return nil, n.markLost(n.server.unexpected(r.Str))
			default: // the safety TTL has ended, or others have deleted it
				return nil, n.markLost(n.server.problem(fact.Of("keys-lost")))
			}
		}
	}
	return copied{maps.Clone(n.keys), n.prefix}, nil
}

// Load implements engine.Copier.
func (n *Node) Load(ctx context.Context, data engine.Data) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.usable(ctx); err != nil {
		return err
	}
	c := data.(copied)
	keys := make(map[string]storedKey, len(c.keys))
	for _, h := range c.keys {
		if h.named && c.prefix != n.prefix {
			return n.server.problem(fact.Of("name-in-value", h.key.Name))
		}
		keys[n.prefix+h.key.Name] = h
	}
	if err := n.remove(ctx, n.names()); err != nil {
		return n.markLost(err)
	}
	n.keys, n.due = keys, nil
	if err := n.restore(ctx, outcome{}); err != nil {
		return err
	}
	return nil
}

// Follow implements engine.Copier. The server is not told: only the schedule copies data.
func (n *Node) Follow(context.Context) (engine.Effects, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.lost != nil {
		return engine.Effects{}, n.lost
	}
	return engine.Effects{Answered: n.waiters.End()}, nil
}
