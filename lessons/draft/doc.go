// Package draft makes a lesson of lock scripts as they stand in somebody's code: it finds them in the source of a
// program, tells what each of their KEYS and ARGV means, which of them takes the lock and which gives it back, tries on an
// embedded Redis what a refusal looks like, and writes two clients that want the same section. What counts calls and is
// given back by nobody is a rate limiter, whose span is measured; what finds an empty queue is given a job, and what sells,
// one thing to sell; what nobody gives back and no time ends, one client keeps. Code without scripts may have a lock of plain
// commands.
//
// What it tells is read off the text and off what the scripts did when they were tried: no name is known to it. Where it
// cannot tell, Lesson.Doubts says so, and the lesson still runs.
package draft
