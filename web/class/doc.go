// Package class is a lesson that a teacher and learners go through together, from many browsers and through many
// servers.
//
// A class is a stream of events in a Redis, under its code, for a day. Nothing else is stored: what a class is now
// (State) is the fold of its events, which event.go names and fold.go applies. So every server that reads the
// stream sees the same class, any of them may die, and what is sent twice counts once: the fold takes the first
// answer of a learner to a question, and gives a name that is taken a number.
//
// A server follows the stream of each class that somebody at it looks at (room.go), with one blocking read for
// all of them, and wakes them when something has come. store.go is all that speaks to the Redis: a real one, or
// the embedded one behind its own port.
//
// Who a browser is, it proves by a token of 128 random bits that it alone has (token.go). Events carry a hash of
// it, so that whoever reads the stream, or the wall, can speak for nobody. allow.go says who may send what, and
// how much. A learner whom the teacher takes out is out by that hash. How many join from one network is counted by a
// mark of their address, too short to find the address again.
//
// Where a learner stands is what their page says. It is believed: it decides nothing but what the teacher sees, and may show to all.
package class
