package engine

import (
	"context"
	"slices"

	"lockstep/engine/fact"
)

// ChoiceKinds are the things that may happen next, in the order in which messages list
// them. Reading and writing choices, schedules, the format of lessons and what a world
// does follow this table; pages have words for each.
var ChoiceKinds = [...]KindOfChoice{
	{Kind: Run, Of: AnActor, GoesOn: true, Doc: "The actor whose request is performed. A task of it is A:watchdog."},
	{Kind: Tick, Of: TheClock, GoesOn: true, Doc: "How far the clock moves; nothing means to the next instant at which something is due."},
	{Kind: Crash, Of: AMachine, AllowedBy: Crash, Doc: "The process that dies, or the node, with all that it held.", do: crash},
	{Kind: Restart, Of: ANode, GoesOn: true, May: "from snapshot", AllowedBy: Crash, Doc: "The crashed node that starts again: empty, or from snapshot.", cannot: cannotRestart, do: restart},
	{Kind: Save, Of: ANode, AllowedBy: Save, Doc: "The node that keeps a snapshot, for a restart from it.", cannot: cannotSave, do: save},
	{Kind: Pause, Of: AMachine, AllowedBy: Pause, Doc: "The process or the node that stands still, its timers too.", cannot: cannotPause, do: pause},
	{Kind: Resume, Of: AMachine, GoesOn: true, AllowedBy: Pause, Doc: "The paused process or node that goes on.", cannot: cannotResume, do: resume},
	{Kind: Drop, Of: AProcess, AllowedBy: Drop, Doc: "The process that loses the oldest message that waits for it.", cannot: cannotDrop, do: drop},
	{Kind: Cut, Of: ALink, AllowedBy: Cut, Doc: "Who sends and who no longer receives: app-1 n4 loses requests, n4 app-1 loses replies.", cannot: cannotCut, do: cut},
	{Kind: Heal, Of: ALink, GoesOn: true, AllowedBy: Cut, Doc: "The two ends that reach each other again.", cannot: cannotHeal, do: heal},
	{Kind: Clock, Of: AClock, AllowedBy: Clock, Doc: "Whose clock jumps, and how far: n3 +10s, app-1 -2s.", cannot: cannotJump, do: jump},
	{Kind: Replicate, Of: ANode, GoesOn: true, May: "all", Doc: "The replica that the next write reaches, or all that are on their way.", cannot: cannotReplicate, do: replicate},
	{Kind: Promote, Of: ANode, AllowedBy: Promote, Doc: "The replica that leads from now on.", cannot: cannotPromote, do: promote},
}

// KindOfChoice is a row of ChoiceKinds.
type KindOfChoice struct {
	Kind      ChoiceKind
	Of        Object
	May       string     // words that may stand behind the target
	GoesOn    bool       // what stands still may go on by it
	AllowedBy ChoiceKind // the fault that a lesson must allow; empty: it may always be made
	Doc       string     // what a lesson names with it

	cannot func(*World, Choice) fact.Fact // why it may not happen now to what has not crashed; nil: it always may
	do     func(context.Context, *World, Choice, *Step) error
}

// Object is what a choice is about.
type Object string

// What choices are about, as messages call it.
const (
	AnActor  Object = "an actor"
	TheClock Object = "the clock"
	AProcess Object = "a process"
	ANode    Object = "a node"
	AMachine Object = "a process or a node"
	ALink    Object = "a link"
	AClock   Object = "a clock"
)

// ChoiceNames are the kinds as texts, in their order.
func ChoiceNames() []string {
	names := make([]string, len(ChoiceKinds))
	for i, row := range ChoiceKinds {
		names[i] = string(row.Kind)
	}
	return names
}

// row is the kind's row; the zero row is of no kind.
func (k ChoiceKind) row() KindOfChoice {
	if i := slices.IndexFunc(ChoiceKinds[:], func(row KindOfChoice) bool { return row.Kind == k }); i >= 0 {
		return ChoiceKinds[i]
	}
	return KindOfChoice{}
}

// Of is what choices of the kind are about; empty when there is no such kind.
func (k ChoiceKind) Of() Object { return k.row().Of }

// IsFault tells whether choices of the kind are about what may go wrong, or about the end
// of that: neither actors nor the clock make them.
func (k ChoiceKind) IsFault() bool {
	of := k.Of()
	return of != "" && of != AnActor && of != TheClock
}

// AllowedBy is the fault that a lesson must allow for the choice to be made.
func (c Choice) AllowedBy() (fault Choice, needed bool) {
	row := c.Kind.row()
	fault = Choice{Kind: row.AllowedBy, Target: c.Target}
	if row.Of == ALink || row.Of == AClock {
		fault.Other, fault.Span = c.Other, c.Span
	}
	return fault, row.AllowedBy != ""
}
