// Package search plays every schedule of a scenario, shorter ones first, and tells whether one of
// them breaks a rule or lets somebody wait for ever.
//
// # States
//
// A search has no engine of its own. It puts an engine.Model into a state, has it make one choice,
// and keeps the state that comes of it as a short list of numbers (state.go). Behind the model's back
// actors and nodes are replaced by memories of them (actor.go, node.go): the code of a client or of a
// script runs once for each pair of a state of it and an input. An actor is told apart by a digest of
// its Lua state, a node by a digest of its data and by what it shows.
//
// A state has no clock. Timers and deadlines count from now, and a node must not depend on what its
// clock shows, or say so (engine.Result.Dated). When a program looks at its clock, the search begins anew with
// the instant as a part of each state in which that thread goes on.
//
// Each actor with its timers, its tasks and the messages that wait for it is one number of a state,
// its lane. So a step that was seen in one state is made in another by looking numbers up, where all
// that it depends on is known (local.go, tick.go). A lock's four clients come to 892,664 states, and
// each of them to 140 lanes.
//
// # Time
//
// Whatever a learner can do by hand within the assumption, a search has considered. So time may pass
// whenever the assumption lets it, also where nothing is due (time.go). The clock stops where something is
// due, where it would be due if it did not stand still (on what is paused, kept in a snapshot, or of a thread that could take a
// message before another does), by the grid,
// and a moment before something is due where somebody asks how long things last; with Bounds.Idle above 1 a few times
// where one of Bounds.Spans, or hardly less, is left until then, too, or until the time is a multiple of one where Bounds.Turns. Where nothing is due and a program looks at a clock, that would
// go on for ever: there it moves by Bounds.Beyond in all, or years on, and the verdict says so; on a grid it stops (IdleBound) where that
// is more than 255 moves and somebody could still tell. Where only a rule
// about idle waiting could tell, one move leads back to the same state.
//
// # Proof
//
// Before a schedule is reported as breaking a rule, it is played in a world on the scenario's own
// nodes. That a state has all that counts is for tests to prove. Small random lessons are played by hand,
// through World.Enabled, without a memory and without digests, and a search must have met all that is met there
// (TestASearchOverlooksNothing). Histories that lead to one state are played on, side by side, and must show
// the same (TestOneStateIsOneFuture). lessons/testdata/told-apart.txt has a reason for each function that a
// program, a script or a rule can call.
//
// # Symmetry
//
// A search neither exchanges actors that are alike nor leaves groups of them out. Exchanging two names
// is sound only if a state does the same under the other name. Two things are against that: actors that
// wake at one instant are ordered by their declaration, and the rule about waiters looks at that
// order; and faults are allowed for processes by name. The largest search of the catalogue in which
// neither matters has 4,532 states, half of which would be saved at most. Groups that never touch the same
// keys could be searched apart; one lesson has such groups, and what breaks in it would need other words.
//
// # What was tried
//
// A search keeps of each state from where it was met first. By that the states are a tree, whose first two levels a verdict
// tells, and a search that goes on (branch.go): how many states lie behind each of the first choices.
//
// # Starvation
//
// That somebody can wait for ever is a loop of states, which no step breaks (loop.go). A search that is
// asked about it keeps all edges between states, and looks in the end for strongly connected parts in
// which somebody wants a section all the time. A part counts when it is weakly fair.
package search
