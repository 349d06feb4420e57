// Package portable refuses what each Redis answers in its own way, so that a lesson tells
// the same story on all of them: clocks, random picks, unspecified order, commands about the
// server or the connection, and commands that block. Every node asks the same table before a step,
// so the refusal is the step's reply and the trace is the same everywhere. A command name that a
// script builds at run time cannot be found in its text: real servers deny it to the node's user,
// and the embedded one answers with the same error. Replies in unspecified order are sorted when a
// program asked for them; those that a script receives are out of reach.
package portable
