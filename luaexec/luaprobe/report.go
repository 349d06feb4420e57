package luaprobe

import (
	"lockstep/engine"
	"lockstep/engine/reply"
)

// Report is what the probes recorded during one run.
type Report struct {
	// Reply is what the plain script answers, to the byte.
	Reply reply.Reply
	// Events are in the order in which they happened. When the numbers of two
	// neighbours have others between them, those were not kept.
	Events []Event
	Total  int // how many events there were
	// Loops has an entry for each time that a loop was entered, if an event in it was kept.
	Loops []Loop
}

// Loop is one run of a loop statement, from the time it was entered.
type Loop struct {
	Loop   int // index in Probe.Loops
	Passes int // how many there were, kept or not
}

// Pass says that an event happened in a pass of a loop.
type Pass struct {
	Loop int // index in Report.Loops
	N    int // from 1; 0: the loop's header, evaluated before the first pass
}

// Event is a statement that is about to run or, if Call is not nil, a call of Redis that
// has returned.
type Event struct {
	Number    int // from 1
	Line      int // of Probe.Shown
	Statement int // index in Probe.Statements; of a call, the last statement before it, or -1
	Passes    []Pass
	// Locals are the variables before the statement. Those of its own function come last: a name that
	// one shares with an enclosing function's is its own.
	Locals []engine.Local
	Call   *Call
}

// Call is one redis.call or redis.pcall.
type Call struct {
	engine.Call

	Keys []KeyView
}

// KeyView is a key just after a call, as the server reported it.
type KeyView struct {
	Key  string
	Type string // as TYPE answers: "none" of a key that is not there
	PTTL int64  // in milliseconds; -1 without a deadline, -2 without a key
	// Elems is the string, the list's elements, a set's members (sorted), fields
	// and values of a hash (sorted by field), members and scores of a zset.
	Elems []string
	// Cut tells that Elems holds only a part of the value.
	Cut bool
}
