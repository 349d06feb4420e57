// Package ui turns a view of a session into HTML, in English and in Chinese. Components draw
// values: they decode and run nothing. Layers below give facts, each a code with arguments, which
// fact.Language words. Of mistakes in lessons, those that authors meet most are facts; of the others a page in Chinese says the kind, and the rest in English.
//
// # The diagram
//
// A step of the timeline is sent once. The fragments of the diagram and its sentences draw their
// rows (data-row) empty; a row's content travels by itself when it is new, and the client keeps
// what it has, so a frame costs the same after 300 steps as after 20 (BenchmarkFrame). Whatever
// depends on where the learner stands belongs to the row's element or the ground below it.
//
// The lanes' heads are the choices. A task has a lane beside its thread's, and faults are a menu
// of what they happen to. At most 40 rows are drawn, at places that do not change, so that only
// what is new is morphed. Heights are pixels; widths are percents of the plot, right of the axis:
// clients on its left, servers on its right, their keys' values beside them, and between both the
// gutter, where arrows say what they carry (lanes.go). Letters are not drawn in percent: their room is
// counted for the narrowest plot of a wide screen, of a desk and of a phone (label.go).
//
// Time is drawn to scale (scale.go): a second has the same height wherever the clock moves, and what
// would push the rest off the screen is folded. The measure is taken of the story's own moves, before
// any of them is made, so that a step stays where it was drawn. So a lease is as long as it lasts, and
// where two are inside together the picture has room to say so. Below the present, what remains of
// leases, work and waiting is drawn on the same scale, each to its true end (future.go).
//
// Where a step broke a rule, all else steps back; the causes that the engine finds (engine/causes.go) are numbered at their
// arrows while their list is open (whys.go). A script unfolds below its arrow while the learner walks
// through its lines (unfold.templ), and so does what a statement or a request to a ZooKeeper left there: rows with
// their locks, znodes with their watches (unfold_data.templ). Who waits in a server stands on its lane (waits.go).
//
// # The story and the lab
//
// While a story is told the diagram has the screen, and what one can do stands in the lab, which opens
// when the learner acts (static/src/mode.js, stage.css). Both are one page of the same fragments, so
// nothing is drawn anew and the button that goes on stays where it is.
//
// # What it says
//
// One button goes on with the story, at one place in every state (f-lead), up to where there is
// something new to read or to answer; the steps between play by themselves. Where a question takes
// its place, an empty answer means "show me"; the focus follows it and never falls to the body.
//
// Beside a script's lines stands what the shown step did there (f-ran). The script runs once more,
// in memory, on the keys that the step found. If it answers something else there, or asks in which
// order a hash or a set keeps its elements, which no snapshot tells, nothing stands there.
//
// A breach is explained by what led to it (breach.go). For the engine's own rules those are the
// steps since the actors who are inside, or wait, got there: who entered, which lease ended, what
// failed, which message was lost. For a lesson's own rule they are the steps that wrote the keys
// at which it looked, and what their clients had read before. Off the story, where no author has
// words, the page says what protects whom and who waits for what (off_story.go).
package ui
