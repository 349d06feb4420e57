package engine

import (
	"lockstep/engine/fact"
	"lockstep/engine/reply"
)

// Limits of a run, in bytes: far above what any lesson needs, and low enough that a program
// that only adds data does no harm.
const (
	maxStepBytes = 256 << 10 // after one step
	maxRunBytes  = 16 << 20
)

// MemoryUser is an Actor or a Node that can tell how much memory it holds.
type MemoryUser interface {
	// Bytes is about how many bytes that is, at most.
	Bytes() int
}

// Bytes is about how many bytes the run takes that are not in its trace: what its
// actors and nodes hold.
func (w *World) Bytes() int {
	n := 0
	for _, t := range w.threads {
		if h, ok := t.actor.(MemoryUser); ok && !t.task { // a task is held by its thread
			n += h.Bytes()
		}
	}
	for _, s := range w.servers {
		if h, ok := s.node.(MemoryUser); ok {
			n += h.Bytes()
		}
	}
	return n
}

// Bytes is about how many bytes the trace takes.
func (t *Trace) Bytes() int {
	n := 0
	for i := range t.Steps {
		s := &t.Steps[i]
		n += s.bytes + s.LineBytes()
	}
	return n
}

// LineBytes is about how many bytes the step's lines take.
func (s *Step) LineBytes() int { return s.ranBytes + s.Inside.size() }

// ShowLines takes over the lines of the same step in another run, where somebody
// looked at them.
func (s *Step) ShowLines(of *Step) { s.Inside, s.Ran, s.ranBytes = of.Inside, of.Ran, of.ranBytes }

// addBytes counts what a step adds to the trace. One that holds too much did not happen.
func (w *World) addBytes(s *Step) error {
	n := s.size()
	switch {
	case n > maxStepBytes:
		return fact.Of("step-too-big", n>>10, maxStepBytes>>10)
	case w.bytes+n+stepBytes > maxRunBytes:
		return fact.Of("run-too-big", maxRunBytes>>20)
	}
	s.bytes = n + stepBytes
	if err := w.reserve(s.bytes); err != nil {
		return err
	}
	w.bytes += s.bytes
	return nil
}

// reserve asks for room for what the trace, the actors and the nodes have grown by.
func (w *World) reserve(bytes int) error {
	if w.scenario.Reserve == nil {
		return nil
	}
	others := w.Bytes()
	if err := w.scenario.Reserve(max(bytes+others-w.actorBytes, 0)); err != nil {
		return err
	}
	w.actorBytes = others
	return nil
}

// What things take besides their texts, in bytes, about.
const (
	entryBytes = 64
	stepBytes  = 3 << 10
)

// size is about what the step's part of a trace takes.
func (s *Step) size() int {
	n := 0
	for _, node := range s.After.Nodes {
		n += entryBytes * (len(node.Subscriptions) + len(node.Waits) + len(node.Holds) + len(node.Sessions) + 2*len(node.Queue))
		for _, k := range node.Keys {
			n += 2*entryBytes + len(k.Name) + len(k.Text) + entryBytes*(len(k.Items)+len(k.Pending.Items))
			for _, it := range k.Items {
				n += len(it.Name) + len(it.Value)
			}
		}
	}
	for _, d := range s.After.Mail {
		n += entryBytes + len(d.Payload)
	}
	for _, note := range s.Notes {
		n += entryBytes + len(note.Text)
	}
	if s.Reply != nil {
		n += replySize(*s.Reply)
	}
	for _, m := range s.Moves {
		n += m.To.size()
	}
	return n + requestSize(s.Request)
}

// ran keeps a line, and tells whether there is room for more.
func (s *Step) ran(actor string, at *Position) bool {
	if s.ranBytes += at.size(); len(s.Ran) == maxRanLines || s.ranBytes > maxStepBytes {
		return false
	}
	s.Ran = append(s.Ran, Ran{actor, at})
	return true
}

func (p *Position) size() int {
	n := 0
	if p == nil {
		return n
	}
	for _, f := range p.Frames {
		n += 2 * entryBytes
		for _, ls := range [][]Local{f.Locals, f.Outer} {
			for _, l := range ls {
				n += entryBytes + len(l.Name) + len(l.Value)
			}
		}
	}
	return n
}

func replySize(r reply.Reply) int {
	n := len(r.Str)
	for _, e := range r.Elems {
		n += entryBytes + replySize(e)
	}
	return n
}

func requestSize(r Request) int {
	n := 0
	if e, ok := r.(Exec); ok {
		for _, text := range e.Op.Args {
			n += len(text)
		}
		for _, text := range e.Op.Keys {
			n += len(text)
		}
	}
	return n
}

// size is about what the lines of a script take. Those between two changes of the keys
// share them.
func (in *Inside) size() int {
	n := 0
	if in == nil {
		return n
	}
	var last []Key
	for i := range in.Lines {
		l := &in.Lines[i]
		n += 2 * entryBytes
		for _, local := range l.Locals {
			n += entryBytes + len(local.Name) + len(local.Value)
		}
		if len(l.Keys) > 0 && (len(last) == 0 || &l.Keys[0] != &last[0]) {
			n += 2 * entryBytes * len(l.Keys)
			last = l.Keys
		}
	}
	return n
}
