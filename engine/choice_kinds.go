package engine

import (
	"context"
	"slices"

	"lockstep/engine/fact"
)

// ChoiceKinds are the things that may happen next, in the order in which messages list
// them. Reading and writing choices, schedules, the format of lessons and what a world
// does follow this table; pages have words for each.
var ChoiceKinds = []KindOfChoice{
	{Kind: Run, Of: AnActor, Doc: "The actor whose request is performed. A task of it is A:watchdog."},
	{Kind: Tick, Of: TheClock, Doc: "How far the clock moves; nothing means to the next instant at which something is due."},
	{Kind: Crash, Of: AProcess, AllowedBy: Crash, Doc: "The process that dies.", do: crash},
	{Kind: Pause, Of: AProcess, AllowedBy: Pause, Doc: "The process that stands still, its timers too.", not: isPaused, do: pause},
	{Kind: Resume, Of: AProcess, AllowedBy: Pause, Doc: "The paused process that goes on.", not: isNotPaused, do: resume},
	{Kind: Drop, Of: AProcess, AllowedBy: Drop, Doc: "The process that loses the oldest message that waits for it.", not: hasNoMessage, do: drop},
}

// KindOfChoice is a row of ChoiceKinds.
type KindOfChoice struct {
	Kind      ChoiceKind
	Of        Object
	AllowedBy ChoiceKind // the fault that a lesson must allow; empty: it may always be made
	Doc       string     // what a lesson names with it

	// Of a process that has not crashed.
	not func(*World, *process) fact.Fact // why it may not happen now; nil: it always may
	do  func(context.Context, *World, *process, *Step) error
}

// Object is what a choice is about.
type Object string

// What choices are about, as messages call it.
const (
	AnActor  Object = "an actor"
	TheClock Object = "the clock"
	AProcess Object = "a process" // such a choice is a fault, or the end of one
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
	if i := slices.IndexFunc(ChoiceKinds, func(row KindOfChoice) bool { return row.Kind == k }); i >= 0 {
		return ChoiceKinds[i]
	}
	return KindOfChoice{}
}

// Of is what choices of the kind are about; empty when there is no such kind.
func (k ChoiceKind) Of() Object { return k.row().Of }

// AllowedBy is the fault that a lesson must allow for the choice to be made.
func (c Choice) AllowedBy() (fault Choice, needed bool) {
	by := c.Kind.row().AllowedBy
	return Choice{Kind: by, Target: c.Target}, by != ""
}
