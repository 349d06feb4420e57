package engine

// Positioned is an Actor that can tell where in its program it stands.
type Positioned interface {
	Actor
	// Position is where the actor stands since its last Next: where it waits for
	// the outcome of its request, or where it failed. It is nil when the program
	// has ended, and is never changed afterwards.
	Position() *Position
	// Watch has Next tell each line before it runs it, until what it tells is no
	// longer wanted. Nil ends that.
	Watch(tell func(*Position) (more bool))
}

// maxRanLines is how many lines of a step's actors are kept, as long as they take no
// more than maxStepBytes.
const maxRanLines = 500

// Ran is a line that an actor ran on its own, with the variables before it.
type Ran struct {
	Actor string
	At    *Position
}

// Position is a place in a program: the functions that were called and have not
// returned, innermost first. There is at least one.
type Position struct{ Frames []Frame }

// Frame is a function that was called and has not returned.
type Frame struct {
	Chunk       string  `json:"chunk"` // the source that it stands in: "A", or a client library
	First, Last int     `json:"-"`     // the function's lines; 0 for what stands outside of any
	Line        int     `json:"line"`
	Locals      []Local `json:"locals,omitempty"` // in scope, in the order in which they were declared
	Outer       []Local `json:"outer,omitempty"`  // variables of the functions around it that it uses, but for functions
}

// Move is an actor that a step resumed.
type Move struct {
	Actor string
	From  *Position // nil: it was started by the step
	To    *Position // nil: it has ended
	Next  Request   // nil: it has ended
}

// Before is the call as it was before the move that is To's ith frame now; nil for
// one that is new, and when nothing moved.
func (m *Move) Before(i int) *Frame {
	if m == nil || m.From == nil || m.To == nil {
		return nil
	}
	// Calls are the same only as long as those around them are.
	was, now := len(m.From.Frames)-1, len(m.To.Frames)-1
	for ; now >= i && was >= 0; was, now = was-1, now-1 {
		if !m.From.Frames[was].sameCall(&m.To.Frames[now]) {
			return nil
		}
		if now == i {
			return &m.From.Frames[was]
		}
	}
	return nil
}

// sameCall tells whether two frames are of the same function, so that their
// variables can be compared.
func (f *Frame) sameCall(o *Frame) bool {
	return f.Chunk == o.Chunk && f.First == o.First && f.Last == o.Last
}
