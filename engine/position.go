package engine

// Placed is an Actor that can tell where in its program it stands.
type Placed interface {
	Actor
	// Position is where the actor stands since its last Next: where it waits for
	// the outcome of its request, or where it failed. It is nil when the program
	// has ended, and is never changed afterwards.
	Position() *Position
}

// Position is a place in a program: the functions that were called and have not
// returned, innermost first. There is at least one.
type Position struct{ Frames []Frame }

// Frame is a function that was called and has not returned.
type Frame struct {
	Chunk       string // the source that it stands in: "A", or a client library
	First, Last int    // the function's lines; 0 for what stands outside of any
	Line        int
	Locals      []Local // in scope, in the order in which they were declared
	Outer       []Local // variables of the functions around it that it uses, but for functions
}

// SameCall tells whether two frames are of the same function, so that their
// variables can be compared.
func (f *Frame) SameCall(o *Frame) bool {
	return f.Chunk == o.Chunk && f.First == o.First && f.Last == o.Last
}

// Move is an actor that a step resumed.
type Move struct {
	Actor string
	From  *Position // nil: it was started by the step
	To    *Position // nil: it has ended
	Next  Request   // nil: it has ended
}

// move is the index of the thread's move, of which a step has one: a thread that
// a long tick wakes twice moves from where it stood at first.
func (s *Step) move(t *thread) int {
	for i := range s.Moves {
		if s.Moves[i].Actor == t.name {
			return i
		}
	}
	s.Moves = append(s.Moves, Move{Actor: t.name, From: t.position})
	return len(s.Moves) - 1
}
