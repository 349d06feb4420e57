package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"lockstep/engine/fact"
	"lockstep/engine/reply"
)

// queued is a write on its way to a replica: what the leader holds since then.
type queued struct {
	Queued
	data   Data
	number int // of the write; 0: all that the leader holds
}

// formGroups puts each node into the group of the one that leads it, and checks that it can be led.
func (w *World) formGroups() error {
	w.leaders = map[string]string{}
	for _, s := range w.servers {
		if s.leader == "" {
			continue
		}
		l := w.server(s.leader)
		if l == nil || l.leader != "" {
			return fmt.Errorf("node %s cannot be a replica of %s", s.name, s.leader)
		}
		for _, member := range []*server{s, l} {
			if _, ok := member.node.(Copier); !ok {
				return fact.Of("no-copies", member.name)
			}
			member.group = l.name
		}
		w.leaders[l.name] = l.name
	}
	for _, s := range w.servers {
		if s.group == "" {
			w.leaders[s.name], s.group = s.name, s.name
		}
	}
	return nil
}

// enqueue puts what clients wrote since it was called last into the queues of the replicas that follow, together with a copy
// of all that the leader holds then. Expiry is no write: each replica sees to that by its own clock.
func (w *World) enqueue(ctx context.Context, changes []Change, step *Step) error {
	if len(w.writers) == 0 {
		return nil
	}
	defer func() { w.writers = nil }()
	for _, l := range w.servers {
		if !slices.ContainsFunc(w.servers, func(r *server) bool { return r.leader == l.name }) {
			continue
		}
		wrote := slices.DeleteFunc(slices.Clone(changes), func(c Change) bool {
			_, expired := step.ExpiryOf(c) // replicas see to that by themselves
			return c.Node != l.name || expired
		})
		if len(wrote) == 0 {
			continue
		}
		w.writes++
		for _, t := range w.threads {
			if slices.Contains(w.writers, t.name) {
				t.hasWritten(l.name, w.writes)
			}
		}
		for _, r := range w.servers {
			if r.leader != l.name || r.crashed || r.stale {
				continue
			}
			data, err := l.node.(Copier).Copy(ctx)
			if err != nil {
				return err
			}
			r.queue = append(r.queue, queued{Queued{Changes: wrote}, data, w.writes})
		}
	}
	return nil
}

func cannotReplicate(w *World, c Choice) fact.Fact {
	s := w.server(c.Target)
	switch why := w.stopped(s.name); {
	case why.Code != "":
		return why
	case s.leader == "":
		return fact.Of("leads", s.name)
	case len(s.queue) == 0:
		return fact.Of("nothing-on-the-way", s.name)
	case w.isDown(s.leader, s.name):
		return fact.Of("cut", s.leader, s.name)
	}
	return fact.Fact{}
}

// replicate has the next write, or all that are on their way, reach a replica.
func replicate(ctx context.Context, w *World, c Choice, step *Step) error {
	s, n := w.server(c.Target), 1
	if c.Other != "" {
		n = len(s.queue)
	}
	before, err := s.node.View(ctx)
	if err != nil {
		return err
	}
	if err := s.node.(Copier).Load(ctx, s.queue[n-1].data); err != nil {
		return err
	}
	s.queue = slices.Clone(s.queue[n:])
	if err := w.advanceNode(ctx, s, w.now, step); err != nil {
		return err
	}
	step.Expired = slices.DeleteFunc(step.Expired, func(e Expiry) bool {
		_, was := before.Key(e.Key)
		return !was // it ended on its way
	})
	return nil
}

// hasWritten notes the number of the last write of a thread to a node; 0: it has written nothing that counts.
func (t *thread) hasWritten(node string, number int) {
	wrote := maps.Clone(t.wrote)
	if wrote == nil {
		wrote = map[string]int{}
	}
	wrote[node] = number
	if number == 0 {
		delete(wrote, node)
	}
	t.wrote = wrote
}

// acknowledge answers who waits for replicas in a node that runs, once enough of them have the write and can say so.
func (w *World) acknowledge(step *Step) {
	for _, t := range w.threads {
		if t.sent == nil || t.sent.missing != InNode {
			continue
		}
		req, awaits := t.sent.request.(AwaitReplicas)
		if s := w.server(t.sent.node); awaits && s.runs() {
			if n := w.reached(s.name, t.wrote[s.name]); n >= req.Replicas {
				w.answerLater(s, t.sent, reply.OfInt(int64(n)), step)
			}
		}
	}
}

// reached counts the replicas that have a write and can say so: they run, follow the leader, and their way to
// it is not cut.
func (w *World) reached(leader string, write int) int {
	n := 0
	for _, r := range w.servers {
		behind := r.stale || len(r.queue) > 0 && (r.queue[0].Full || r.queue[0].number <= write)
		if r.leader == leader && r.runs() && !behind && !w.isDown(r.name, leader) {
			n++
		}
	}
	return n
}

// await answers a client how many replicas have its last write if they are enough; else the request waits in
// the node, for acknowledge or its own timeout to end it.
func (w *World) await(s *server, q *sent, req AwaitReplicas) {
	wrote := 0
	if t := w.waiting(q); t != nil {
		wrote = t.wrote[s.name]
	}
	switch n := w.reached(s.name, wrote); {
	case s.leader != "":
		w.answer(s, q, reply.OfError("ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if a replica is configured to be writable (which is not the default) writes to replicas are just local and are not propagated."))
	case n >= req.Replicas:
		w.answer(s, q, reply.OfInt(int64(n)))
	default:
		q.missing = InNode
	}
}

func cannotPromote(w *World, c Choice) fact.Fact {
	if why := w.stopped(c.Target); why.Code != "" {
		return why
	}
	if w.server(c.Target).leader == "" {
		return fact.Of("leads", c.Target)
	}
	return fact.Fact{}
}

// promote has a replica lead its group. What was on its way to it is lost. All others
// follow it once they hear of that.
func promote(ctx context.Context, w *World, c Choice, step *Step) error {
	s := w.server(c.Target)
	s.leader, s.queue, s.stale = "", nil, false
	w.leaders[s.group] = s.name
	return w.rejoin(ctx, step)
}

// rejoin has each node that runs follow the leader of its group, if that runs and both ways between them are
// whole. A node that did not follow it, or had lost it, is sent all that the leader holds, which
// will replace what the node wrote meanwhile.
func (w *World) rejoin(ctx context.Context, step *Step) error {
	for _, s := range w.servers {
		l := w.server(w.leaders[s.group])
		if s == l || !s.runs() || !l.runs() || s.leader == l.name && !s.stale || w.isDown(l.name, s.name) || w.isDown(s.name, l.name) {
			continue
		}
		data, err := l.node.(Copier).Copy(ctx)
		if err != nil {
			return err
		}
		if s.leader == "" {
			if err := w.demote(ctx, s, step); err != nil {
				return err
			}
		}
		s.leader, s.stale = l.name, false
		s.queue = []queued{{Queued{Full: true}, data, 0}}
	}
	return nil
}

// demote answers with an error what waits in a node that led until now: a replica cannot do it any more.
func (w *World) demote(ctx context.Context, s *server, step *Step) error {
	effects, err := s.node.(Copier).Follow(ctx)
	if err != nil {
		return err
	}
	w.spread(s, effects, step)
	for _, t := range w.threads {
		if q := t.sent; q != nil && q.node == s.name && q.missing == InNode {
			w.answerLater(s, q, reply.OfError("UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)"), step)
		}
	}
	return nil
}

// moved lists the nodes of which a step has changed the leader, the distance from it, or whether they have
// lost each other.
func moved(before, after *Snapshot) []Replica {
	var rs []Replica
	for i := range after.Nodes {
		was, now := &before.Nodes[i], &after.Nodes[i]
		if was.Leader != now.Leader || was.Stale != now.Stale || len(was.Queue) != len(now.Queue) {
			rs = append(rs, Replica{now.Node, now.Leader, len(now.Queue), now.Stale})
		}
	}
	return rs
}

// describeNodes fills in what only the world knows of its nodes, and the links that are cut.
func (w *World) describeNodes(after *Snapshot) {
	for i, s := range w.servers {
		v := &after.Nodes[i]
		v.Leader, v.Stale, v.Clock, v.Saved, v.Inbox = s.leader, s.stale, s.clock, s.saved != nil, len(s.inbox)
		switch {
		case s.crashed:
			v.Status = Crashed
		case s.paused:
			v.Status = Paused
		}
		for _, q := range s.queue {
			v.Queue = append(v.Queue, q.Queued)
		}
		for _, h := range s.hears {
			if h.silent != NoDeadline {
				v.Silent = append(v.Silent, Silence{h.replica, h.until(s.min)})
			}
		}
	}
	after.Cuts = slices.Clone(w.cuts)
}
