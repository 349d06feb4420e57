package ui

import (
	"slices"

	"github.com/a-h/templ"

	"lockstep/engine"
	"lockstep/lessons"
)

// View is everything that one frame shows. The player fills it in; the
// components draw it and keep nothing of their own.
type View struct {
	Lang    lessons.Lang
	Catalog []*lessons.Lesson // in teaching order
	Lesson  *lessons.Lesson

	Engines []EngineState
	Engine  EngineKind // the one that ran the shown steps

	Trace *engine.Trace // from the start to the end of the timeline
	Pos   int           // the step that is shown; len(Trace.Steps) is the present
	Line  int           // inside the script of the shown step: the nth of Inside.Lines; 0: not inside
	// ClientLine is the nth of the shown step's Ran; 0: on none of them. It is 0
	// inside of a script.
	ClientLine int
	Thread     string          // whose code the learner picked; empty: that of the one that moved
	Schedule   engine.Schedule // of the whole timeline
	Cache      *RenderCache    // HTML rendered earlier; nil: everything is rendered now
	Ghost      *Ghost          // the future that acting in the past left behind
	Places     map[string]int  // of real clients, from 1, by which they have lanes and colours; nil: of a lesson's actors
	Followed   *engine.Inside  // what the shown step's script did; nil: not known, or the step has it itself
	Branches   []Branch        // the present timeline and those that were left; empty when none was
	Comparable []EngineState   // engines that can play the same choices beside this one
	Compared   *Compared       // a timeline that is shown beside the present one; nil: none is

	Story      Story
	Prediction *Prediction

	Challenge *Challenge // nil: the lesson has none, or its story is not over

	Search *Search // nil: none can be made

	Playing bool
	Hz      float64 // steps a second while playing
	Notice  *Notice
	Edits   *Edits  // nil: the lesson is as its author wrote it
	Author  *Author // nil: lessons cannot be written here
	// Mistakes are those in the lesson's files now; empty if there are none.
	Mistakes string
}

// Present tells whether the newest step is shown.
func (v View) Present() bool { return v.Pos == len(v.Trace.Steps) }

// Snapshot is the world that is shown. Inside a script it is that before the
// step, since nobody has been answered yet.
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

// The engines of which there is more to say than their kind's node.Real does.
const (
	Browser  EngineKind = "browser"  // in memory, in the learner's browser
	Embedded EngineKind = "embedded" // in memory, on the server
	Redis    EngineKind = "redis"    // a real one, that the server reaches
)

// Real is the kind of node that is a real server on an engine; empty: none is.
func (k EngineKind) Real() lessons.NodeKind {
	for _, kind := range lessons.NodeKinds {
		if kind.Real.Name != "" && kind.Real.Engine == string(k) {
			return lessons.NodeKind(kind.Name)
		}
	}
	return ""
}

// Serves tells whether an engine can play a lesson in its own way: in memory any, and on
// real servers one that has nodes of their kind.
func (k EngineKind) Serves(l *lessons.Lesson) bool {
	return k.Real() == "" || slices.ContainsFunc(l.Nodes, func(n lessons.Node) bool { return n.Kind == k.Real() })
}

// EngineState is one choice of the engine switch.
type EngineState struct {
	Kind    EngineKind
	Version string // "redis 7.0.15"; empty for those in memory
	Reason  string // why it is not available, and what would make it so; empty when it is
	// Edits says why scripts and programs that a visitor edited may not run on it,
	// and what would let them; empty when they may. It is final once the engine was opened.
	Edits string
}

// Branch is a timeline: the present one, or one that was left behind.
type Branch struct {
	ID     int // 0: the present one
	Trace  *engine.Trace
	Parent int  // the place among the branches of the one that it left
	From   int  // the last step that it shares with that one
	Leaves int  // the last step that it shares with the story
	Edited bool // its lesson has other edits than the present one
}

// Compared is a timeline that is shown beside the present one.
type Compared struct {
	Engine  EngineState // that it was played on
	Branch  int         // its id among the branches; 0: it has the same choices as the present timeline
	Trace   *engine.Trace
	Same    int                     // its first steps that are as here
	Stopped *engine.NotEnabledError // why it ends before the present one; nil when it does not
}

// Ghost is the timeline that was left last.
type Ghost struct {
	ForkedAt int  // the step after which the timelines differ
	Len      int  // of the timeline left behind
	Edited   bool // its lesson had other edits
}

// forkedAt is where the other timeline branches off; -1 when there is none, or when
// it is the same one with other code.
func (g *Ghost) forkedAt() int {
	if g == nil || g.Edited {
		return -1
	}
	return g.ForkedAt
}

// Edits are the learner's changes to the lesson, and their effect.
type Edits struct {
	Parts   []lessons.Part // with a text of the learner's, in the lesson's order
	Offered []lessons.Part // with one that was made of another version, and is not applied

	Differs  int                     // the first step that is not as it is without the edits; 0: none so far
	There    *engine.Step            // the same step without them
	NotThere *engine.NotEnabledError // or why it could not happen there,
	NotHere  *engine.NotEnabledError // or here
	Shown    *engine.Step            // the shown step without the edits, if it differs
}

// at is the first step at which the story differs; 0: there is none.
func (e *Edits) at(v *View) int {
	if e == nil || e.Differs > len(v.Trace.Steps) {
		return 0
	}
	return e.Differs
}

// Story is where the learner stands in the lesson's story.
type Story struct {
	OnStory bool           // the timeline up to Pos is the story's own
	Left    int            // the first step that was not the story's, when OnStory is false
	Beats   []int          // the beats to show: what is said about the world at Pos
	Earlier bool           // they speak about an earlier place, since nothing is said about this one
	Said    int            // the step after which they were said
	More    int            // the step after which the story speaks again, when it says nothing here
	Next    *engine.Choice // the story's next choice; nil at its end or off the story
	To      int            // the step up to which Continue goes: the first with something to read or to answer, else the last
	Total   int            // steps of the whole story
	Done    bool
	Failed  []lessons.Unmet // what the last beat expected and did not get
}

// Challenge is how far the learner is with the lesson's challenge.
type Challenge struct {
	At     int  // which of the lesson's challenges
	Trying bool // the learner began with it from the start
	Hint   bool // is shown
	Shown  bool // the solution was played for the learner
	Won    int  // the first step that reached the goal; 0: none yet
	Edited bool // the learner's edits are applied, so no step counts

	Moves, Shortest int // until it was won, and of the shortest way that a search has found; 0: it is not known

	Repair   []lessons.Part // to be edited, when the goal is to repair the lesson
	Repaired bool           // a search finds that it is
}

// Prediction is the prediction that stands open, or has just been graded.
type Prediction struct {
	Beat     int
	Given    string // empty: the learner wants to be shown
	Graded   bool
	Right    bool
	Expected string // what the engine said; empty until graded
}

// NoticeKind is the kind of a notice.
type NoticeKind string

// What a notice can say.
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
