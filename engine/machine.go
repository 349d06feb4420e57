package engine

import (
	"maps"
	"time"

	"lockstep/engine/reply"
)

// machine is what faults happen to: a client process or a node's server.
type machine struct {
	name    string
	paused  bool
	crashed bool
	clock   time.Duration // how far its clock is ahead of the world's; below 0: behind
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

// server is a node together with what the world knows about it and the node itself does not.
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
}

// machine finds a process or a node by name.
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

func (w *World) server(name string) *server {
	for _, s := range w.servers {
		if s.name == name {
			return s
		}
	}
	return nil
}

// runs tells whether the machine does anything by itself.
func (m *machine) runs() bool { return !m.paused && !m.crashed }
