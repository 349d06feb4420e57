package engine

import (
	"context"
	"slices"

	"lockstep/engine/fact"
	"lockstep/engine/reply"
)

// Faults: drop, crash, restart and save are here, pause and resume in machine.go, cut and heal in
// link.go, jump in clocks.go, promote in replication.go.

func cannotDrop(w *World, c Choice) fact.Fact {
	if w.oldest(c.Target) < 0 {
		return fact.Of("no-message", c.Target)
	}
	return fact.Fact{}
}

// drop loses the oldest message that waits in a process.
func drop(_ context.Context, w *World, c Choice, step *Step) error {
	i := w.oldest(c.Target)
	step.Lost = w.mail[i].Payload
	end := i + 1
	for end < len(w.mail) && w.mail[end].Copy {
		end++
	}
	w.mail = slices.Delete(w.mail, i, end)
	return nil
}

// oldest is the place of the first message that waits in a process, or -1.
func (w *World) oldest(process string) int {
	return slices.IndexFunc(w.mail, func(d Delivery) bool { return d.Process == process })
}

// crash ends a process or a node.
func crash(ctx context.Context, w *World, c Choice, step *Step) error {
	if s := w.server(c.Target); s != nil {
		return w.crashNode(ctx, s, step)
	}
	return w.crashProcess(ctx, c, step)
}

// crashProcess ends a process: its threads, its connections and what it was listening
// for. What it left on the nodes stays there.
func (w *World) crashProcess(ctx context.Context, c Choice, step *Step) error {
	p := w.process(c.Target)
	p.crashed = true
	w.mail = slices.DeleteFunc(w.mail, func(d Delivery) bool { return d.Process == p.name })
	for _, t := range w.threads {
		if t.process == p.name {
			t.listening, t.inside, t.sent = nil, nil, nil
			w.unwant(t, "")
		}
	}
	return w.tellNodes(ctx, c, step)
}

// tellNodes tells each node that has not crashed what happened to a process. Of a fault of a node the others
// hear nothing.
func (w *World) tellNodes(ctx context.Context, c Choice, step *Step) error {
	if w.process(c.Target) == nil {
		return nil
	}
	for _, s := range w.servers {
		if s.crashed {
			continue
		}
		if c.Kind == Crash && s.hasConnections() {
			s.goodbyes = append(s.goodbyes, goodbye{process: c.Target})
			if err := w.hearGoodbyes(ctx, s, step); err != nil {
				return err
			}
			continue
		}
		effects, err := s.node.Fault(ctx, c.Target, c.Kind)
		if err != nil {
			return err
		}
		w.spread(s, effects, step)
	}
	return nil
}

// hasConnections tells whether a node hears that a process has crashed by the end of its connections, which a pause or a cut
// link keeps from it. A ZooKeeper goes by signs of life.
func (s *server) hasConnections() bool {
	_, ofActors := s.node.(Connected)
	_, ofProcesses := s.node.(Channels)
	return ofActors || ofProcesses
}

// hangUp is the end of connections of a program: of all when it ends, of that to one node when it gives up on a reply.
type hangUp struct {
	actor string
	node  string // empty: all
}

// disconnect ends the connections of the programs that have hung up in this step since it was called last.
func (w *World) disconnect(ctx context.Context, step *Step) error {
	all := w.hangUps
	w.hangUps = nil
	for _, h := range all {
		for _, s := range w.servers {
			if _, ok := s.node.(Connected); !ok || s.crashed || h.node != "" && h.node != s.name {
				continue
			}
			g := goodbye{process: w.thread(Root(h.actor)).process, actor: h.actor}
			if g.arrived = !w.isDown(g.process, s.name); !slices.Contains(s.goodbyes, g) {
				s.goodbyes = append(s.goodbyes, g)
			}
			if err := w.hearGoodbyes(ctx, s, step); err != nil {
				return err
			}
		}
	}
	return nil
}

// goodbye is news for a node: the connection of a program that has ended, or all those of a process
// that has crashed, are closed.
type goodbye struct {
	process string
	actor   string // empty: all
	arrived bool   // at the node's machine, as a link that is cut later no longer prevents
}

// hearGoodbyes tells a node of the connections that are closed. The news waits while the node is paused
// or the link to it is cut, and the node keeps what those clients held.
func (w *World) hearGoodbyes(ctx context.Context, s *server, step *Step) error {
	for i, g := range s.goodbyes {
		s.goodbyes[i].arrived = g.arrived || !w.isDown(g.process, s.name)
	}
	if !s.runs() {
		return nil
	}
	all := s.goodbyes
	s.goodbyes = nil
	for _, g := range all {
		if !g.arrived {
			s.goodbyes = append(s.goodbyes, g)
			continue
		}
		var effects Effects
		var err error
		if g.actor == "" {
			effects, err = s.node.Fault(ctx, g.process, Crash)
		} else {
			effects, err = s.node.(Connected).Disconnect(ctx, g.actor)
		}
		if err != nil {
			return err
		}
		w.spread(s, effects, step)
	}
	return nil
}

// crashNode ends a node with its data, its inbox and the writes on their way from it and to it. Its
// replicas have lost their leader. Who waits for a reply of it is told that the connection is closed.
func (w *World) crashNode(ctx context.Context, s *server, step *Step) error {
	end := s.node.Reset
	if c, ok := s.node.(Crasher); ok {
		end = c.Crash
	}
	if err := end(ctx); err != nil {
		return err
	}
	s.crashed, s.paused, s.inbox, s.goodbyes = true, false, nil, nil
	for _, r := range w.servers {
		if r == s || r.leader == s.name {
			r.queue, r.stale = nil, r.leader != ""
		}
	}
	for _, t := range w.threads {
		if q := t.sent; q != nil && q.node == s.name && (q.missing == InNode || q.missing == NodePaused) {
			w.answerLater(s, q, reply.OfError("CLOSED "+s.name+" went down before it replied"), step)
		}
	}
	return nil
}

func cannotRestart(w *World, c Choice) fact.Fact {
	switch s := w.server(c.Target); {
	case !s.crashed:
		return fact.Of("not-crashed", s.name)
	case c.Other != "" && s.saved == nil:
		return fact.Of("no-snapshot", s.name)
	}
	return fact.Fact{}
}

// restart starts a node again, empty or with its snapshot. Processes that still listen to a channel of it
// subscribe again.
func restart(ctx context.Context, w *World, c Choice, step *Step) error {
	s := w.server(c.Target)
	if err := s.node.Reset(ctx); err != nil {
		return err
	}
	s.crashed = false
	if c.Other != "" {
		if err := s.node.(Copier).Load(ctx, s.saved); err != nil {
			return err
		}
	}
	if err := w.advanceNode(ctx, s, w.now, step); err != nil {
		return err
	}
	if err := w.resubscribe(ctx, s); err != nil {
		return err
	}
	return w.rejoin(ctx, step)
}

// resubscribe has the processes that reach a node listen to it again, as clients do that
// have connected again.
func (w *World) resubscribe(ctx context.Context, s *server) error {
	channels, ok := s.node.(Channels)
	if !ok {
		return nil
	}
	for _, t := range w.threads {
		for _, l := range t.listening {
			if l.Node != s.name || w.isDown(t.process, s.name) {
				continue
			}
			if err := channels.Subscribe(ctx, t.process, l.Channel); err != nil {
				return err
			}
		}
	}
	return nil
}

func cannotSave(w *World, c Choice) fact.Fact {
	if why := w.stopped(c.Target); why.Code != "" {
		return why
	}
	if _, ok := w.server(c.Target).node.(Copier); !ok {
		return fact.Of("no-copies", c.Target)
	}
	return fact.Fact{}
}

func save(ctx context.Context, w *World, c Choice, _ *Step) error {
	s := w.server(c.Target)
	data, err := s.node.(Copier).Copy(ctx)
	s.saved = data
	return err
}
