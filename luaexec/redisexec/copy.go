package redisexec

import (
	"context"
	"maps"
	"slices"

	"lockstep/engine"
	"lockstep/engine/fact"
)

var _ engine.Copier = (*Node)(nil)

// copied is the data of a node, in the server's own form.
type copied struct {
	keys   map[string]storedKey
	prefix string
}

// Copy implements engine.Copier.
func (n *Node) Copy(ctx context.Context) (engine.Data, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.usable(ctx); err != nil {
		return nil, err
	}
	c := copied{maps.Clone(n.keys), n.prefix}
	names := slices.Sorted(maps.Keys(c.keys))
	var dumps [][]any
	for _, name := range names {
		dumps = append(dumps, []any{"DUMP", name})
	}
	if len(dumps) == 0 {
		return c, nil
	}
	replies, err := sendAll(ctx, n.clients.owner, dumps)
	if err != nil {
		return nil, n.markLost(n.connectionError(err))
	}
	for i, name := range names {
		if replies[i].IsError() {
			return nil, n.markLost(n.server.unexpected(replies[i].Str))
		}
		c.keys[name] = storedKey{key: c.keys[name].key, dump: replies[i].Str}
	}
	return c, nil
}

// Load implements engine.Copier.
func (n *Node) Load(ctx context.Context, data engine.Data) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.usable(ctx); err != nil {
		return err
	}
	c := data.(copied)
	if c.prefix != n.prefix { // values may hold names, with the prefix of the other node
		return n.server.problem(fact.Of("no-shared-replicas"))
	}
	if err := n.remove(ctx, n.names()); err != nil {
		return n.markLost(err)
	}
	n.keys, n.due = maps.Clone(c.keys), nil
	if err := n.restore(ctx, outcome{}); err != nil {
		return err
	}
	return nil
}
