// Package real is an engine.Node on a real MariaDB: what its clients are told comes from
// the server, and when their waits end from the world's virtual clock.
//
// An embedded node runs beside the server. It refuses what is not in the subset, so both say the
// same words; it ends waits by the virtual clock, which the server then does by KILL QUERY; it
// knows who holds what, which the server does not tell. Answers, rows and which statements wait
// are the server's, and compared at each step. A step is over when every statement is answered or
// waits for certain: SHOW ENGINE INNODB STATUS says LOCK WAIT (information_schema says what was
// true a moment ago), and the server counts as many waits as were sent.
//
// Two sessions that are granted a lock at once race inside the server. When it did otherwise than
// the node beside it, all steps are made again, up to fifty times; a server that still differs
// ends the run, with what both did. A server starts without a data template, users or a port, in
// 0.15 s.
package real
