// Package attach records what the clients of a Redis do (an embedded one, or a real one behind package proxy), as a trace
// like that of a lesson: each command is a step, and the locks that are recognised are sections. So timeline,
// keys and past need nothing of their own, and what the page says of locks is read from the trace.
//
// The port tells of each command with the server locked, so the recorder does little: a step has
// what changed, and its snapshot gets its keys when a page asks. A trace that is full loses the older
// steps that matter least (keep.go), so steps have numbers that stay, and a step that follows on others that have
// left has what they came to. What is known of keys and locks is bounded, whatever the server holds.
//
// A script is known by the commands that it names, in their order (kinds.go), because versions
// of a client, and whoever copies its script, format it in their own ways. What makes a lock is
// seen in the key. Several may hold one lock: each of those that share it is in a section of its
// own, with a rule that keeps them apart from whoever has it alone. How clients speak that cannot
// be run here is told in testdata, which a test plays.
package attach
