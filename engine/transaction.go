package engine

import (
	"context"
	"slices"

	"lockstep/engine/reply"
)

// watch is a key that an actor watches.
type watch struct {
	actor, node, key string
	changed          bool
}

// notice marks the watched keys that a step changed, whoever did it. What a write leaves as
// it was has not changed.
func (w *World) notice(changes []Change) {
	for i, watched := range w.watches {
		if slices.ContainsFunc(changes, func(c Change) bool { return c.Node == watched.node && c.Key == watched.key }) {
			w.watches[i].changed = true
		}
	}
}

// transact watches keys, or does all operations of a transaction, unless the node refused to queue one of them, or a key
// that its actor watches on the node has changed. Nobody can come in between, since it is one step.
func (w *World) transact(ctx context.Context, s *server, req Exec, _ *Step) (Result, error) {
	t, from := req.Transaction, req.Op.From
	q, queues := s.node.(Queuer)
	if queues && len(t.Watch) > 0 {
		if r, refused := q.RefuseWatch(from, t.Watch); refused {
			return Result{Reply: r}, nil
		}
	}
	for _, key := range t.Watch {
		w.watches = append(w.watches, watch{actor: from.Actor, node: s.name, key: key})
	}
	if !t.Forget && !t.Commit {
		return Result{Reply: reply.OK}, nil
	}
	changed := false
	w.watches = slices.DeleteFunc(w.watches, func(o watch) bool {
		mine := o.actor == from.Actor && o.node == s.name
		changed = changed || mine && o.changed
		return mine
	})
	if !t.Commit {
		return Result{Reply: reply.OK}, nil
	}
	ops := slices.Clone(t.Ops)
	for i := range ops {
		ops[i].From, ops[i].ReadOnly, ops[i].TooFew, ops[i].More = from, req.Op.ReadOnly, req.Op.TooFew, i < len(ops)-1
	}
	if queues {
		if r, aborted, err := q.Abort(ctx, ops); aborted || err != nil {
			return Result{Reply: r}, err
		}
	}
	if changed {
		return Result{Reply: reply.Reply{}}, nil
	}
	var all Result
	replies := []reply.Reply{}
	for _, op := range ops {
		one, err := s.node.Exec(ctx, op)
		if err != nil {
			return Result{}, err
		}
		replies = append(replies, one.Reply)
		all.Delivered = append(all.Delivered, one.Delivered...)
		all.Expired = append(all.Expired, one.Expired...)
		all.Answered = append(all.Answered, one.Answered...)
	}
	all.Reply = reply.OfArray(replies...)
	return all, nil
}
