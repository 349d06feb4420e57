package ui

import (
	"github.com/a-h/templ"

	"lockstep/engine"
	"lockstep/lessons"
)

// View has everything in one frame. The player fills it in; the components draw it and keep no state.
type View struct {
	Lang    lessons.Lang
	Catalog []*lessons.Lesson // in teaching order
	Lesson  *lessons.Lesson

	Engines []EngineState
	Engine  EngineKind // of the shown steps

	Trace *engine.Trace // the whole timeline
	Pos   int           // the shown step; 0 is the start, len(Trace.Steps) the present
	// Earlier and Later are how many steps there are besides, of real clients: the trace is a part of theirs.
	Earlier, Later int
	Line           int // the nth of the shown step's Inside.Lines; 0: not inside a script
	// ClientLine is the nth of the shown step's Ran; 0: on no line of a client. Line or ClientLine is 0.
	ClientLine int
	Thread     string          // picked by the learner; empty: see shownThread
	Schedule   engine.Schedule // of the whole timeline
	Cache      *RenderCache    // HTML rendered earlier; nil: everything is rendered now
	pads       []int           // pixels above steps, where a timeline waits for the one beside it
	Places     map[string]int  // of real clients, from 1, for lanes and colours; nil: the lesson's actors have theirs
	Followed   *engine.Inside  // the run of the shown step's script; nil: unknown, or the step has its own
	Branches   []Branch        // the present timeline, then those left behind, the newest first; empty: none was left
	Comparable []EngineState   // engines that can play the same choices beside this one
	Compared   *Compared       // the timeline beside the present one; nil: none

	Story      Story
	Prediction *Prediction

	Challenge *Challenge // nil: the lesson has none, or its story is not over

	Search *Search // nil: this page makes no searches

	Playing bool
	Notice  *Notice
	Edits   *Edits  // nil: the lesson is as its author wrote it
	Author  *Author // nil: lessons cannot be written here
	// Mistakes are in the lesson's files now, while the page plays an older version; empty: none.
	Mistakes string
}

// Present tells whether the newest step is shown.
func (v View) Present() bool { return v.Pos == len(v.Trace.Steps) }

// Snapshot is the shown world. On a line of a script it is the world before the step: the script has not
// answered yet.
func (v View) Snapshot() *engine.Snapshot {
	if v.Line > 0 {
		return v.Trace.At(v.Pos - 1)
	}
	return v.Trace.At(v.Pos)
}

// Step is the shown step; nil at the start.
func (v View) Step() *engine.Step {
	if v.Pos == 0 {
		return nil
	}
	return &v.Trace.Steps[v.Pos-1]
}

// EngineKind is where a lesson's nodes live: in memory, or on real servers of one kind.
type EngineKind string

// The engines with a meaning beyond their row of node.Real.
const (
	Browser  EngineKind = "browser"  // in memory, in the learner's browser
	Embedded EngineKind = "embedded" // in memory, on the server
	Redis    EngineKind = "redis"    // a real Redis that the server reaches
)

// Real is the kind of node that an engine runs on a real server; empty: all are in memory.
func (k EngineKind) Real() lessons.NodeKind {
	for _, kind := range lessons.NodeKinds {
		if kind.Real.Name != "" && kind.Real.Engine == string(k) {
			return lessons.NodeKind(kind.Name)
		}
	}
	return ""
}

// Serves tells whether an engine is worth offering for a lesson: real servers are only for lessons with
// nodes of their kind.
func (k EngineKind) Serves(l *lessons.Lesson) bool {
	return k.Real() == "" || l.CanBeReal(k.Real())
}

// EngineState is one choice of the engine switch.
type EngineState struct {
	Kind    EngineKind
	Version string // "redis 7.0.15"; empty: in memory
	Reason  string // why it is not available, and what would change that; empty: it is
	// Edits says why a visitor's edits may not run on it, and what would change that; empty: they may. It is
	// final only once the engine has been opened.
	Edits string
}

// Branch is a timeline: the present one, or one that was left behind.
type Branch struct {
	ID     int // 0: the present one
	Trace  *engine.Trace
	Parent int  // the index of its parent among the branches
	From   int  // the last step shared with the parent
	Leaves int  // the last step shared with the story
	Edited bool // its lesson has other edits than the present one
}

// Compared is the timeline beside the present one.
type Compared struct {
	Engine  EngineState // of its steps
	Branch  int         // its Branch.ID; 0: the present choices on another engine
	Trace   *engine.Trace
	Same    int                     // the number of first steps that both have
	Stopped *engine.NotEnabledError // the present choice that cannot happen there; nil: all could so far
}

// leftLast is the timeline that was left last; nil: none was.
func (v *View) leftLast() *Branch {
	if len(v.Branches) < 2 {
		return nil
	}
	return &v.Branches[1]
}

// forkedAt is the step after which the timeline that was left last branches off; -1: there is none, or it has
// other edits, so that its steps do not compare.
func (v *View) forkedAt() int {
	if b := v.leftLast(); b != nil && !b.Edited {
		return b.From
	}
	return -1
}

// Edits are the learner's changes to the lesson, and their effect.
type Edits struct {
	Parts   []lessons.Part // with an edit applied, in the lesson's order
	Offered []lessons.Part // with an edit of another version, not applied

	Differs  int                     // the first step that is different without the edits; 0: none so far
	There    *engine.Step            // that step without the edits; nil: NotThere or NotHere says why
	NotThere *engine.NotEnabledError // it cannot happen without the edits
	NotHere  *engine.NotEnabledError // it cannot happen with them
	Shown    *engine.Step            // the shown step without the edits, if it differs
}

// at is the first different step, if the timeline has it; 0: none.
func (e *Edits) at(v *View) int {
	if e == nil || e.Differs > len(v.Trace.Steps) {
		return 0
	}
	return e.Differs
}

// Story is where the learner stands in the lesson's story.
type Story struct {
	OnStory bool           // the timeline up to Pos is the story's own
	Left    int            // without OnStory: the first step that is not the story's
	Beats   []int          // the beats to show: those about the world at Pos, if there are any
	Earlier bool           // Beats are about an earlier place
	Said    int            // the step that Beats are about
	More    int            // the next step with a beat, when Pos has none
	Next    *engine.Choice // the story's next choice; nil at its end or off the story
	Stops   []int          // the steps after which there is something to read or to answer, and the last
	To      int            // the goal of Continue: the next step with something to read or to answer, else the last
	Total   int            // steps of the whole story
	Done    bool
	Failed  []lessons.Unmet // expectations of the last beat
	// Asked is how many questions the learner has answered, and not only been shown, and Right how many of
	// those rightly at first.
	Asked, Right int
}

// Challenge is how far the learner is with the lesson's challenge.
type Challenge struct {
	At     int  // which of the lesson's challenges
	Trying bool // the learner began with it from the start
	Left   bool // and went back to the story
	Hint   bool // the hint is shown
	Shown  bool // the solution was played for the learner
	Won    int  // the first step at the goal; 0: none yet
	Edited bool // the learner's edits are applied, so no step counts

	Moves, Shortest int // the learner's up to Won, and the fewest of the lesson's claims; 0: not known

	Repair   []lessons.Part // the parts to edit; nil: the goal is no repair
	Repaired bool           // a search has proven the repair
}

// Prediction is the learner's answer to a beat's question: open, or just graded.
type Prediction struct {
	Beat     int
	Given    string // empty: the learner wants to be shown
	Graded   bool
	Right    bool
	Expected string // the engine's answer; empty until graded
}

// NoticeKind decides the words and the look of a notice.
type NoticeKind string

// The kinds of notices.
const (
	NoticeError    NoticeKind = "error"    // a step could not happen; Text says why and what to do
	NoticeDiffers  NoticeKind = "differs"  // another engine, or another version of the lesson, answered differently at Step
	NoticeSame     NoticeKind = "same"     // the schedule was replayed on another engine with the same result
	NoticeReloaded NoticeKind = "reloaded" // the lesson's files have changed, and it was played anew
)

// Notice is one message to the learner about the session itself.
type Notice struct {
	Kind NoticeKind
	Step int
	Text string
}

// Author is the page's view for somebody who writes the lesson.
type Author struct {
	Blank bool            // the lesson is nobody's yet
	Draft bool            // the page plays a draft, not the stored lesson
	Proof templ.Component // ProofPanel, as a value: a learner's module does not draw it
}
