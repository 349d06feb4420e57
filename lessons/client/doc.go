// Package client runs the programs of lock clients: Lua coroutines that hand requests to
// the engine and are resumed with the outcomes. A coroutine that waits for a reply still has its
// call stack, so a program needs no changes to report its lines and variables; only actors that a
// step resumed are asked, and the answer is limited in size.
//
// Between two requests a client runs on its own. Its lines are recorded only when somebody walks
// through them, by playing the step once more. A crowd is one actor whose clients take turns with
// its request: a hundred actors would need a hundred lanes and a snapshot of each at every step.
// What is lost is the choice of which client of the crowd is next.
package client
