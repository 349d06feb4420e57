// Package player is a learner's session as a state machine: commands in, frames out. It
// does no I/O and starts no goroutine, so it runs on the server and in a browser's Worker alike:
// "in this browser" is the same player behind the same messages as the websocket. Switching
// between them moves lesson, schedule and place to the other side.
//
// # Told once
//
// A class goes through one story, and so do most visitors. In memory each step of it is played once, and the page of each
// place drawn once, for all who have nothing of their own on it: no edit, no branch, no search (telling.go).
//
// # Editing
//
// An edit is the same lesson with another text: the lesson's hash stays, so the schedule is
// replayed with the new text as far as it fits, and the timeline before the edit is kept as a
// branch. The same choices are also played with the original texts, and the story differs from the
// first step at which something else happened. Edits travel in the address (x, deflated JSON),
// each with a fingerprint of its original; one whose original has changed since is offered and not
// applied. Learners' code is bounded in instructions, in the size of its trace, and by the server
// in time.
//
// # Branches and comparisons
//
// Every fork is kept, up to twelve, unless another has all that it has. A frame carries them when
// they change, each as a link would, and the browser keeps them by lesson. Whatever loads a lesson
// hands them back, and the player plays them in memory (kept.go), so the tree shows what is true
// of the lesson as it is now. Frames of other pages and drafts of authors keep nothing.
//
// Two timelines side by side are in the address, too (b is an engine or the other schedule, y its
// edits). What does not fit into a link is not shared by half: Share says so.
//
// # Searching
//
// A search goes on like autoplay, in slices between which the session hears the learner
// (Session.Advance); whoever acts calls it off. What it found becomes the timeline. The same
// search is then made without each fault of it, and without anybody being late: the first that
// holds tells which step made the breach possible. A repair is accepted when nothing breaks and
// everything could happen that the original could do: a lock that lets nobody in is no repair.
//
// What an author's text claims is proven in the same slices (proving.go), by the code of playground check. A proof is of
// one text, told by its fingerprint. A command to save is answered when the proof has ended.
//
// # Before the player has come
//
// A site of files has, for each lesson and language, the frames of somebody who only goes on with
// the story (Playground.Record). A page that opens at the start of a lesson plays them until its
// player is loaded, which then takes over at that place. The home page carries every way to its
// collision as frames, drawn from runs of the set-nx lesson (Gallery). Traces as text, JSON and
// SVG are the player's; the page draws the SVG to get a PNG.
package player
