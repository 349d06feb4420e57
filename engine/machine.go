package engine

import (
	"context"
	"encoding/binary"
	"maps"
	"strings"
	"time"

	"lockstep/engine/fact"
	"lockstep/engine/reply"
)

// machine is what faults happen to: a client process or a node's server. A fault that lasts is a field
// of it. Invariant: machines of one name with the same key have the same fields.
type machine struct {
	name    string
	paused  bool
	crashed bool
	clock   time.Duration // how far its clock is ahead of the world's; below 0: behind
}

// key appends what tells a search that a machine is another one than it was.
func (m *machine) key(key []byte) []byte {
	return binary.AppendVarint(appendFlags(key, m.paused, m.crashed), int64(m.clock))
}

// process is one client process: what crashes, pauses and listens as a whole.
type process struct {
	machine

	memory map[string]string // that its threads share; never changed, but replaced
}

func (p *process) remember(name, text string) {
	memory := maps.Clone(p.memory)
	if memory == nil {
		memory = map[string]string{}
	}
	memory[name] = text
	if text == "" {
		delete(memory, name)
	}
	p.memory = memory
}

func (p *process) recall(name string) reply.Reply {
	if text, known := p.memory[name]; known {
		return reply.OfBulk(text)
	}
	return reply.Reply{}
}

// server is a node with all that the node itself does not know: faults, links and replication.
type server struct {
	machine
	node     Node
	inbox    []*sent   // requests that reached it while it was paused, oldest first
	goodbyes []goodbye // ends of connections that it has not heard of yet, in their order
	saved    Data      // its snapshot; nil: it has none
	group    string    // the node that led it and its replicas in the beginning; empty: it is alone
	leader   string    // whose replica it is; empty: it takes writes
	stale    bool      // it lost its leader, which must send it everything
	queue    []queued
	min      MinReplicas
	hears    []heard // the replicas that it counts, in the order of servers
}

func (w *World) machine(name string) *machine {
	if p := w.process(name); p != nil {
		return &p.machine
	}
	if s := w.server(name); s != nil {
		return &s.machine
	}
	return nil
}

func (w *World) process(name string) *process {
	for _, p := range w.processes {
		if p.name == name {
			return p
		}
	}
	return nil
}

// noServer says that there is no server of a name, and which there are.
func (w *World) noServer(name string) fact.Fact {
	var names []string
	for _, s := range w.servers {
		names = append(names, s.name)
	}
	return fact.Of("no-node", name, strings.Join(names, ", "))
}

func (w *World) server(name string) *server {
	for _, s := range w.servers {
		if s.name == name {
			return s
		}
	}
	return nil
}

// runs tells whether the machine is up: neither paused nor crashed.
func (m *machine) runs() bool { return !m.paused && !m.crashed }

// stopped is the reason why a machine does nothing: it has crashed or is paused. Zero: it runs.
func (w *World) stopped(name string) fact.Fact {
	m := w.machine(name)
	isNode := w.server(name) != nil
	switch {
	case m.crashed && isNode:
		return fact.Of("node-crashed", name)
	case m.crashed:
		return fact.Of("crashed", name)
	case m.paused && isNode:
		return fact.Of("node-paused", name)
	case m.paused:
		return fact.Of("paused", name)
	}
	return fact.Fact{}
}

func cannotPause(w *World, c Choice) fact.Fact { return w.stopped(c.Target) }

func cannotResume(w *World, c Choice) fact.Fact {
	switch {
	case w.machine(c.Target).paused:
		return fact.Fact{}
	case w.server(c.Target) != nil:
		return fact.Of("node-not-paused", c.Target)
	}
	return fact.Of("not-paused", c.Target)
}

// pause stops a process or a node. Connections stay: nodes that expect signs of life of a process are
// told, and may miss them.
func pause(ctx context.Context, w *World, c Choice, step *Step) error {
	w.machine(c.Target).paused = true
	return w.tellNodes(ctx, c, step)
}

// resume lets a process or a node go on. A node does what was due meanwhile, then the requests of its
// inbox in their order, then hears of connections that have ended.
func resume(ctx context.Context, w *World, c Choice, step *Step) error {
	w.machine(c.Target).paused = false
	s := w.server(c.Target)
	if s == nil {
		for _, t := range w.threads {
			t.stood = t.stood || t.process == c.Target
		}
		return w.tellNodes(ctx, c, step)
	}
	holds, err := s.node.View(ctx)
	if err != nil {
		return err
	}
	if err := w.advanceNode(ctx, s, w.now, step); err != nil {
		return err
	}
	inbox := s.inbox
	s.inbox = nil
	for _, q := range inbox {
		if holds, err = w.catchUp(ctx, s, holds, step); err != nil {
			return err
		}
		if err := w.arrive(ctx, s, q, step); err != nil {
			return err
		}
		switch t := w.waiting(q); {
		case t == nil:
			if c, keeps := s.node.(Connected); keeps && q.onOwn() { // it has hung up since
				effects, err := c.Disconnect(ctx, q.from.Actor)
				if err != nil {
					return err
				}
				w.spread(s, effects, step)
			}
		case q.answer != nil:
			w.arrived(s, t, step)
		case q.missing == InNode: // the client knows that the node has it
			t.until = w.patience(q)
		}
	}
	if _, err := w.catchUp(ctx, s, holds, step); err != nil {
		return err
	}
	if err := w.hearGoodbyes(ctx, s, step); err != nil {
		return err
	}
	return w.rejoin(ctx, step)
}

// catchUp has transactions and replicas know what a node holds now and did not hold when they were told last: of requests that
// it performs one after the other in one step, the next one may ask for that.
func (w *World) catchUp(ctx context.Context, s *server, told NodeView, step *Step) (holds NodeView, err error) {
	if holds, err = s.node.View(ctx); err != nil {
		return holds, err
	}
	since := changed(nil, s.name, shifted(told.Keys, -s.clock), shifted(holds.Keys, -s.clock))
	w.notice(since)
	return holds, w.enqueue(ctx, since, step)
}
