package luaprobe

import (
	"lockstep/engine"
	"lockstep/engine/reply"
)

// Report is what the probes recorded during one run.
type Report struct {
	// Reply is what the plain script answers, to the byte.
	Reply reply.Reply
	// Lines are in the order in which they ran. When the numbers of two
	// neighbours have others between them, those were not kept.
	Lines []Line
	Total int // how many lines there were
}

// Line is a line of Probe.Shown that is about to run, or a call of Redis that has returned.
type Line struct {
	// The Locals of the line's own function come last: a name that one shares with an enclosing function's is
	// its own. Keys are the caller's to fill in.
	engine.Line

	Seen []KeyView // of a call
}

// KeyView is a key just after a call, as the server reported it.
type KeyView struct {
	Key  string
	Type string // as TYPE answers: "none" of a key that is not there
	PTTL int64  // in milliseconds; -1 without a deadline, -2 without a key
	// Elems is the string, the list's elements, a set's members, fields and values of a hash, members
	// and scores of a zset, in the server's order.
	Elems []string
	// Cut tells that Elems holds only a part of the value.
	Cut bool
}
