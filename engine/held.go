package engine

import (
	"lockstep/engine/fact"
	"lockstep/engine/reply"
)

// What a run may hold, in bytes: far more than any lesson does, and so little that
// nobody is hurt by a program that only ever adds.
const (
	mostHeld      = 256 << 10 // after one step
	mostHeldInAll = 16 << 20
)

// hold counts what a step adds to the trace. One that holds too much did not happen.
func (w *World) hold(s *Step) error {
	n := s.size()
	switch {
	case n > mostHeld:
		return fact.Of("step-too-big", n>>10, mostHeld>>10)
	case w.held+n > mostHeldInAll:
		return fact.Of("run-too-big", mostHeldInAll>>20)
	}
	w.held += n
	return nil
}

// entry is about what a thing takes besides its texts, in bytes.
const entry = 64

// size is about what the step's part of a trace takes.
func (s *Step) size() int {
	n := 0
	for _, node := range s.After.Nodes {
		n += entry * len(node.Subscriptions)
		for _, k := range node.Keys {
			n += 2*entry + len(k.Name) + len(k.Text) + entry*len(k.Items)
			for _, it := range k.Items {
				n += len(it.Name) + len(it.Value)
			}
		}
	}
	for _, d := range s.After.Mail {
		n += entry + len(d.Payload)
	}
	for _, note := range s.Notes {
		n += entry + len(note.Text)
	}
	if s.Reply != nil {
		n += replySize(*s.Reply)
	}
	for _, m := range s.Moves {
		n += m.To.size()
	}
	return n + requestSize(s.Request)
}

func (p *Position) size() int {
	n := 0
	if p == nil {
		return n
	}
	for _, f := range p.Frames {
		n += 2 * entry
		for _, ls := range [][]Local{f.Locals, f.Outer} {
			for _, l := range ls {
				n += entry + len(l.Name) + len(l.Value)
			}
		}
	}
	return n
}

func replySize(r reply.Reply) int {
	n := len(r.Str)
	for _, e := range r.Elems {
		n += entry + replySize(e)
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
