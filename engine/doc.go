// Package engine is the deterministic world that a learner schedules: actors, nodes, a
// virtual clock, choices, steps and traces. It knows neither Lua nor any server.
//
// # Steps
//
// A step is one choice with all that came of it. Sending a script or a command, subscribing and
// taking a message are steps, because other clients can come in before and after them. Entering a
// section, spawning a task and waking from a sleep are granted at once, within the step that made
// them possible: nobody else can see them. A thread's code between two requests takes no time.
//
// A step is self-contained. It carries the snapshot after it and every choice that is possible
// next, so looking at the past needs neither an engine nor a replay. A broken invariant is
// reported once, by the step that broke it, and again only after it has held in between.
//
// The client decides what a reply means: nil, 1 and a TTL mean yes in one protocol and no in
// another. A request counts as granted when the client then enters its section, as refused when
// the client says so (Refused), gets an error, or sent a SET or SETNX that set nothing.
//
// # Time
//
// Timers end with the tick that reaches them: the thread has its next request ready, and that
// request waits to be scheduled. A paused process does not wake; after its resume everything
// overdue wakes at once, as after a pause of a garbage collector. A Stamp in an argument is the
// client's clock when the request is sent, since a request may wait long before it is performed.
//
// A node's clock is the world's plus an offset. The world talks to the node in the node's time and
// shows deadlines in its own, so a jump of the clock changes every TTL on the page. Timers of
// clients measure spans and notice nothing.
//
// # The world and its nodes
//
// The world owns what lies between machines: links, clocks, writes on their way to replicas,
// requests that reached a paused node. A Node owns what it holds and knows no other node. So
// faults are the same on every engine and for every kind of server. What only some servers can do
// is an interface of its own (Channels, Copier, Forker, Crasher, Connected).
//
// A request without a reply is a state, and taking the reply is a step. The message was lost on a
// cut link, the node is paused, or the request waits inside the node (BLPOP, WAIT). The actor goes
// on when it is scheduled with the reply, or when its timeout ends with TIMEOUT; the order in
// which a node answers several clients at one instant therefore does not matter.
//
// A transaction is the world's: it remembers what an actor watches, marks the keys that steps
// change, and has the node run the queued commands within one step. A real server could not watch
// for us, because freezing and thawing touch every key. Two consequences are visible: a write that
// changes nothing does not fail a WATCH, and a blocked client is served after each command of a
// transaction instead of after EXEC.
//
// Replication is a queue of copies. A write puts the primary's data on the way to each replica,
// `replicate` lets one copy arrive, and a crash of the primary loses what is on the way. A primary
// that comes back after a promotion becomes a replica and is sent everything. One that must hear
// replicas to take writes (MinReplicas) hears them as long as they run and their way to it is whole.
//
// Threads of a process have Lua states of their own, so that a search can run one alone; the
// memory that they share, their mail and their connections belong to the world. A message is taken
// by one receiver of a process, or by all that wait for it as one that is for all. A program that
// ends closes its connections within its last step. A node that is paused or cut off hears of dead
// clients when it is reachable again, and keeps their locks until then.
//
// When a node fails with a Go error, nobody knows whether the step happened. The world refuses to
// go on, and the player replays the schedule.
//
// # Floors
//
// Values stand at the bottom: instants, choices, requests, views and steps. Above them is the
// world, whose methods use each other from file to file. The one way up from the values is
// ChoiceKinds, a table whose rows hold functions of the world. Schedules, invariants, what led to
// their breaches (causes*.go), traces as text and as JSON (format*.go) and the Model of package
// search (model.go, lane.go, rest.go) stand on the world, which knows none of them.
//
// # Where it is written down
//
// ChoiceKinds is the table of everything that may happen; texts, schedules and the keys of lessons
// follow it. Files in testdata are scenarios: a cast, commands, and below each command what came
// of it (go test ./engine -update). Reasons, breaches and failures are facts (package fact), which
// only the page and the command line put into words.
package engine
