package engine

import (
	"context"
	"time"
)

// Inside is what one script did while it ran, line by line.
type Inside struct {
	// Shown is the script as a person reads it: its source, or the source laid
	// out over lines when it stood on one. All lines mean this text.
	Shown  string `json:"shown"`
	Total  int    `json:"total"` // how many lines there were, kept or not
	Lines  []Line `json:"lines"` // in the order in which they ran; a gap in the numbers was not kept
	Before []Key  `json:"-"`     // what the node held, by name
}

// Line is one line that a script is about to run, or a call of Redis that has
// just been answered.
type Line struct {
	N      int     `json:"n"` // 1 is the first of the run
	Line   int     `json:"line"`
	Passes []int   `json:"passes,omitempty"` // of the loops around it, outermost first, from 1
	Locals []Local `json:"locals,omitempty"` // in scope before the line
	Call   *Call   `json:"call,omitempty"`
	Keys   []Key   `json:"-"` // all keys of the node after it, by name
}

// Local is a variable and its value as Lua would write it.
type Local struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Call is one redis.call with what it answered.
type Call struct {
	Args   []string `json:"args"` // the command's name first, as Lua would write them
	Reply  string   `json:"reply"`
	Failed bool     `json:"failed,omitempty"`
}

// Look performs a script of a step and tells what happened inside. Reply, state
// and messages are those that plain Exec has.
type Look func(ctx context.Context, node Node, op Op, before NodeView, now Instant) (Result, *Inside, error)

// shifted is the same with deadlines on another clock.
func (in *Inside) shifted(by time.Duration) *Inside {
	if in == nil || by == 0 {
		return in
	}
	in.Before = shifted(in.Before, by)
	for i := range in.Lines {
		in.Lines[i].Keys = shifted(in.Lines[i].Keys, by)
	}
	return in
}

// Changes are the keys of a node that the ith of the Lines changed.
func (in *Inside) Changes(node string, i int) []Change {
	before := in.Before
	if i > 0 {
		before = in.Lines[i-1].Keys
	}
	return changed(nil, node, before, in.Lines[i].Keys)
}
