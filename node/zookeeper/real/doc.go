// Package real is an engine.Node on a real ZooKeeper: what its clients are told comes
// from the server, and when their sessions expire from the world's virtual clock.
//
// An embedded node runs beside the server. It says which requests a client would never send, which
// sessions expire, and who watches what. Replies, events, znodes and zxids are the server's, and
// compared at each step; nothing races, so a server that differs ends the run with what both did.
// The client is written here, without pings and repeats, because a library pings by the wall
// clock. The server's tick is a day, so it ends no session by itself: a session is over when
// somebody with its number and password closes it. After each step every client that watches
// something pings, and its events come before the answer.
//
// Zxids count from the znode that is the run's root; the number of ZooKeeper's own next sequential
// child would outlive the run. Java's hash of the root's name is 0, so that a session deletes its
// ephemeral znodes in the order that it would have without a root. Each node starts a JVM, with
// half a second of work and 55 MB.
package real
